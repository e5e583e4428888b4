/** The values below a chart's title: at the cursor, or the latest ones. */
import type { Signal } from "@preact/signals";
import type { JSX } from "preact";
import { UNKNOWN } from "../app/format.ts";
import { text } from "../app/texts.ts";
import { type ChartData, findFilled } from "./series.ts";
import type { ChartSpec } from "./specs.ts";
import { toTimeWords } from "./times.ts";
import { toValueWords } from "./units.ts";

export interface LegendProps {
  readonly spec: ChartSpec;
  readonly data: ChartData;
  readonly rangeMs: number;
  readonly cursor: Signal<number | undefined>;
}

/** The value of a line at a place; before it when another line has a point there. */
export function valueAt(
  data: ChartData,
  { line, index }: { line: number; index: number },
): number | undefined {
  for (let at = index; at >= 0; at -= 1) {
    const value = data.lines[line]?.avg[at];
    if (typeof value === "number") return value;
    if (value === null) return undefined;
  }
  return undefined;
}

/** All values of a place in words, for screen readers. */
export function toPointWords({ spec, data, rangeMs }: Omit<LegendProps, "cursor">, index: number): string {
  const values = spec.lines.map(({ label }, line) => {
    const value = valueAt(data, { line, index });
    return `${text(label)} ${value === undefined ? UNKNOWN : toValueWords(spec.unit, value)}`;
  });
  return [toTimeWords(data.times[index] ?? 0, rangeMs), ...values].join(", ");
}

/** The legend. */
export function Legend({ spec, data, rangeMs, cursor }: LegendProps): JSX.Element {
  const pointed = cursor.value;
  const index = pointed ?? findFilled(data, data.times.length - 1, -1);
  return (
    <ul class="legend">
      {spec.lines.map(({ metric, label }, line) => {
        const value = index === undefined ? undefined : valueAt(data, { line, index });
        return (
          <li key={metric}>
            <span class={`legend-mark is-line-${line + 1}`} aria-hidden="true" /> {text(label)}{" "}
            <strong>{value === undefined ? UNKNOWN : toValueWords(spec.unit, value)}</strong>
          </li>
        );
      })}
      {pointed !== undefined && <li class="legend-time">{toTimeWords(data.times[pointed] ?? 0, rangeMs)}</li>}
    </ul>
  );
}
