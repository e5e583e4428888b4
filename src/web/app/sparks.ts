/** The short past of every server that sparklines show: averages of 15 s over 15 minutes. */
export const SPARK_SPAN_MS = 15_000;
export const SPARK_SPANS = 60;

interface Span {
  readonly index: number;
  sum: number;
  count: number;
}

export interface Sparks {
  /** Adds a value of the moment `at`, epoch ms. */
  add(id: string, at: number, value: number): void;
  /** Puts the past before what is known already. */
  seed(id: string, points: readonly { readonly at: number; readonly avg: number }[]): void;
  /** Averages, oldest first, the last one of the span of `now`; undefined where nothing is known. */
  read(id: string, now: number): readonly (number | undefined)[];
  /** Forgets all servers but these. */
  keep(ids: ReadonlySet<string>): void;
}

function indexOf(at: number): number {
  return Math.floor(at / SPARK_SPAN_MS);
}

/** Creates an empty history. */
export function createSparks(): Sparks {
  const lines = new Map<string, Span[]>();

  function add(id: string, at: number, value: number): void {
    let line = lines.get(id);
    if (line === undefined) {
      line = [];
      lines.set(id, line);
    }
    const index = indexOf(at);
    const last = line.at(-1);
    if (last !== undefined && last.index >= index) {
      last.sum += value;
      last.count += 1;
      return;
    }
    line.push({ index, sum: value, count: 1 });
    if (line.length > SPARK_SPANS) line.shift();
  }

  return {
    add,
    seed(id, points) {
      const known = lines.get(id) ?? [];
      const first = known[0]?.index ?? Number.POSITIVE_INFINITY;
      lines.delete(id);
      for (const { at, avg } of points) if (indexOf(at) < first) add(id, at, avg);
      lines.set(id, [...(lines.get(id) ?? []), ...known].slice(-SPARK_SPANS));
    },
    read(id, now) {
      const values = Array.from({ length: SPARK_SPANS }, (): number | undefined => undefined);
      const oldest = indexOf(now) - SPARK_SPANS + 1;
      for (const { index, sum, count } of lines.get(id) ?? []) {
        if (index >= oldest) values[Math.min(index - oldest, SPARK_SPANS - 1)] = sum / count;
      }
      return values;
    },
    keep(ids) {
      for (const id of lines.keys()) if (!ids.has(id)) lines.delete(id);
    },
  };
}

/** So many spans without a value do not break a line: reports may come once a minute. */
const BRIDGED = 4;

/**
 * The line as an SVG path in a box of `width` by `height`; values are 0 to `most`. Broken where nothing is
 * known for long; a value that stands alone is a short dash, so that it is seen.
 */
export function toSparkPath(
  values: readonly (number | undefined)[],
  { width, height, most }: { width: number; height: number; most: number },
): string {
  const step = width / Math.max(1, values.length - 1);
  let path = "";
  let before: number | undefined;
  values.forEach((value, index) => {
    if (value === undefined) return;
    const x = (index * step).toFixed(1);
    const y = (height - (Math.min(value, most) / most) * height).toFixed(1);
    const joins = before !== undefined && index - before <= BRIDGED + 1;
    const next = values.findIndex((other, at) => at > index && other !== undefined);
    const isAlone = !joins && (next === -1 || next - index > BRIDGED + 1);
    path += `${joins ? "L" : "M"}${x} ${y}${isAlone ? `h${step.toFixed(1)}` : ""}`;
    before = index;
  });
  return path;
}
