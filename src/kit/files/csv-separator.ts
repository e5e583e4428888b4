/** Which separator a CSV has. */
import { AppError } from "../errors.ts";

const separators = [",", ";", "\t", "|"] as const;
export type Separator = (typeof separators)[number];

const SAMPLE_CHARACTERS = 65_536;
const SAMPLE_RECORDS = 50;

/** The first line that declares the separator for Excel. */
const DECLARED = /^"?sep=(.)"?(?:\r\n|\n|\r|$)/iu;

/**
 * The first records of a text with one separator; follows quotes. Undefined for a quote where CSV has none.
 * Leaves out a record that the sample cuts off.
 */
function readSample(text: string, separator: string): string[][] | undefined {
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  while (at < text.length && records.length < SAMPLE_RECORDS) {
    let cell = "";
    if (text[at] === '"') {
      const quoted = /"((?:[^"]|"")*)"/uy;
      quoted.lastIndex = at;
      const [whole, inside] = quoted.exec(text) ?? [];
      if (whole === undefined || inside === undefined)
        return text.length < SAMPLE_CHARACTERS ? undefined : records;
      cell = inside.replaceAll('""', '"');
      at += whole.length;
    } else {
      const start = at;
      while (at < text.length && text[at] !== separator && text[at] !== "\n" && text[at] !== "\r") at += 1;
      cell = text.slice(start, at);
      if (cell.includes('"')) return undefined;
    }
    record.push(cell);
    const next = text[at];
    if (next === separator) {
      at += 1;
      continue;
    }
    if (next !== undefined && next !== "\n" && next !== "\r") return undefined;
    at += next === "\r" && text[at + 1] === "\n" ? 2 : 1;
    if (record.length > 1 || cell.trim() !== "") records.push(record);
    record = [];
  }
  return records;
}

interface Candidate {
  readonly separator: Separator;
  readonly records: readonly (readonly string[])[];
}

function findCandidates(text: string): Candidate[] {
  return separators.flatMap((separator) => {
    const records = readSample(text, separator) ?? [];
    return (records[0]?.length ?? 0) > 1 ? [{ separator, records }] : [];
  });
}

function isEven({ records }: Candidate): boolean {
  return records.every((record) => record.length === records[0]?.length);
}

/** The separator that gives the first record the most cells that `isHeader` knows; undefined where two give as many. */
function findByHeader(
  candidates: readonly Candidate[],
  isHeader: (cell: string) => boolean,
): Separator | undefined {
  const counted = candidates
    .map(({ separator, records }) => ({
      separator,
      known: records[0]?.filter((cell) => isHeader(cell.trim())).length ?? 0,
    }))
    .toSorted((a, b) => b.known - a.known);
  const [best, second] = counted;
  return best !== undefined && best.known > (second?.known ?? 0) ? best.separator : undefined;
}

export interface Sniffed {
  readonly separator: Separator;
  /** Characters of a first line that only names the separator. */
  readonly skipped: number;
}

/**
 * Finds the separator: as a first line "sep=;" names it, else by the names of columns, else by rows of one width.
 * @throws AppError `bad_request` where two separators fit equally well
 */
export function sniffSeparator(text: string, isHeader: (cell: string) => boolean): Sniffed {
  const [line = "", declared] = DECLARED.exec(text) ?? [];
  const named = separators.find((separator) => separator === declared);
  if (named !== undefined) return { separator: named, skipped: line.length };
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  const whole = findCandidates(sample);
  // A quotation mark in a wrong place further down is named by its line later.
  const candidates = whole.length > 0 ? whole : findCandidates(sample.split(/[\r\n]/u, 1)[0] ?? "");
  const known = findByHeader(candidates, isHeader);
  if (known !== undefined) return { separator: known, skipped: 0 };
  const even = candidates.filter(isEven);
  const fitting = even.length > 0 ? even : candidates;
  // Pipes divide the parts of a cell more often than cells.
  const left = fitting.length > 1 ? fitting.filter(({ separator }) => separator !== "|") : fitting;
  if (left.length > 1)
    throw new AppError(
      "bad_request",
      'The separator of the CSV is not certain. Quote all cells, or write "sep=;" as its first line',
      { details: { reason: "separator" } },
    );
  return { separator: left[0]?.separator ?? ",", skipped: 0 };
}
