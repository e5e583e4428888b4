/** What the columns of a file mean: by the headers of other shops, and by words of the languages. */
import type { ImportSource } from "./schema.ts";

/** The columns that files with one kind of records have. */
export interface Columns<F extends string> {
  readonly fields: readonly F[];
  /** Whether a cell is the header of a known column. */
  isHeader(cell: string): boolean;
  /** Which shop wrote a file with these headers. */
  findSource(headers: readonly string[]): ImportSource;
  /** Fields by the place of their column; of two columns for one field the first one counts. */
  map(headers: readonly string[], mapping: Readonly<Record<string, string>>): (F | undefined)[];
}

/** A header as headers are compared: lower case, without units in brackets and marks. */
export function toHeaderKey(header: string): string {
  return header
    .normalize("NFKC")
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")
    .toLowerCase()
    .replaceAll(/\((?:lbs?|kg|g|oz|eur|usd|gbp|chf|\p{Sc})\)/gu, " ")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** The unit that a header such as "Weight (lbs)" names. */
export function findUnit(header: string): string | undefined {
  return /\((lbs?|kg|g|oz)\)/iu.exec(header)?.[1]?.toLowerCase();
}

/** Creates the columns of a kind of records. */
export function createColumns<F extends string>({
  fields,
  words,
  differing,
  findSource,
}: {
  readonly fields: readonly F[];
  /** Headers of each field, divided by "|". */
  readonly words: Readonly<Record<F, string>>;
  /** Columns of a shop that mean something else there than elsewhere; "" is ignored. */
  readonly differing: Readonly<Partial<Record<ImportSource, Readonly<Record<string, F | "">>>>>;
  readonly findSource: (keys: ReadonlySet<string>) => ImportSource | undefined;
}): Columns<F> {
  const fieldOf: ReadonlyMap<string, F> = new Map(
    fields.flatMap((field) => words[field].split("|").map((word) => [toHeaderKey(word), field] as const)),
  );
  const known = new Map<string, F>(fields.map((field) => [field, field]));
  const find = (headers: readonly string[]): ImportSource =>
    findSource(new Set(headers.map(toHeaderKey))) ?? "columns";
  function guess(header: string, source: ImportSource): F | undefined {
    const key = toHeaderKey(header);
    const own = differing[source]?.[key];
    if (own !== undefined) return own === "" ? undefined : own;
    return fieldOf.get(key);
  }
  return {
    fields,
    isHeader: (cell) => fieldOf.has(toHeaderKey(cell)),
    findSource: find,
    map: (headers, mapping) => {
      const source = find(headers);
      const chosen = headers.map((header) => mapping[header]);
      const taken = new Set(chosen.flatMap((name) => known.get(name ?? "") ?? []));
      return headers.map((header, index) => {
        const own = chosen[index];
        if (own !== undefined) return known.get(own);
        const field = guess(header, source);
        if (field === undefined || taken.has(field)) return undefined;
        taken.add(field);
        return field;
      });
    },
  };
}
