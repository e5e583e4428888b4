/** CSV that is read in, as spreadsheets save it anywhere; `csv-line.ts` writes it. */
import { Readable, pipeline } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { AppError } from "../errors.ts";
import { type Separator, sniffSeparator } from "./csv-separator.ts";
import { type Encoding, decodeStream, decodeText, detectEncoding } from "./decode-text.ts";

const SLICE_BYTES = 65_536;
const MAX_RECORD_CHARACTERS = 1_048_576;

/** Escaped by `toCsvLine`. */
const QUOTED_FORMULA = /^'+(?:[\t\r\n]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/u;

/** One record with the number of the line that it begins on, from 1. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** A CSV with what was found out about it. */
export interface CsvFile {
  readonly encoding: Encoding;
  readonly separator: Separator;
  /** Its first word with a letter outside ASCII, by which people see whether the encoding is right. */
  readonly sample: string | undefined;
  /** Records with their lines; empty ones are left out. @throws AppError `bad_request` for what is no CSV */
  readonly rows: AsyncGenerator<CsvRow, void>;
}

/** Parts of a text as UTF-8, of any length. */
async function* toSlices(parts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const part of parts) {
    const bytes = encoder.encode(part);
    for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
      yield bytes.subarray(at, at + SLICE_BYTES);
      // Lets other requests in.
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  }
}

async function* toParts(text: string): AsyncGenerator<string> {
  yield text;
}

/** The record of a parser with `info`, which its types do not declare. */
function isRecord(value: unknown): value is { record: string[]; info: { lines: number } } {
  return typeof value === "object" && value !== null && "record" in value && "info" in value;
}

const QUOTE_WORDS =
  "a quotation mark is misplaced: quote the whole cell, and double the quotation marks inside";
const words: Readonly<Record<string, string>> = {
  INVALID_OPENING_QUOTE: QUOTE_WORDS,
  CSV_INVALID_CLOSING_QUOTE: QUOTE_WORDS,
  CSV_QUOTE_NOT_CLOSED: "a quoted cell is not closed",
  CSV_MAX_RECORD_SIZE: `a row has more than ${MAX_RECORD_CHARACTERS} characters`,
};

/** The first word with a letter outside ASCII. */
function findSample(text: string): string | undefined {
  const at = text.search(/[^\P{L}\u0000-\u007f]/u);
  if (at < 0) return undefined;
  const before = /[\p{L}\p{N}]{0,30}$/u.exec(text.slice(Math.max(0, at - 30), at))?.[0] ?? "";
  return before + (/^[\p{L}\p{N}]{0,30}/u.exec(text.slice(at, at + 60))?.[0] ?? "");
}

function describe(error: CsvError, line: number | undefined): string {
  const where = line === undefined ? "" : ` at line ${line}`;
  return `The CSV is malformed${where}: ${words[error.code] ?? error.code.toLowerCase().replaceAll("_", " ")}`;
}

async function* readRows(
  parts: AsyncIterable<string>,
  { delimiter, firstLine }: { delimiter: Separator; firstLine: number },
): AsyncGenerator<CsvRow, void> {
  const parser = parse({
    delimiter,
    info: true,
    // A spreadsheet writes its own ends of lines; those inside cells may be others.
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    max_record_size: MAX_RECORD_CHARACTERS,
  });
  // What fails in the source ends the parser, whose reader learns of it; `pipe` would end the process.
  pipeline(Readable.from(toSlices(parts), { objectMode: false }), parser, () => undefined);
  let line = firstLine;
  try {
    for await (const value of parser) {
      const row: unknown = value;
      if (!isRecord(row)) continue;
      if (row.record.some((cell) => cell.trim() !== "")) yield { line, cells: row.record.map(fromCell) };
      line = row.info.lines + firstLine;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines, code } = error;
    const at = typeof lines === "number" ? lines + firstLine - 1 : undefined;
    const reason = code === "CSV_QUOTE_NOT_CLOSED" ? "open_quote" : "quote";
    throw new AppError("bad_request", describe(error, at), { cause: error, details: { reason, line: at } });
  }
}

/** A text as it was before it was made harmless. */
function fromCell(cell: string): string {
  return QUOTED_FORMULA.test(cell) ? cell.slice(1) : cell;
}

/**
 * Reads a CSV with commas, semicolons, tabs or pipes, in an encoding that {@link decodeText} recognizes or that is
 * named. `isHeader` knows the names of columns, by which the separator is certain.
 * @throws AppError `bad_request` where encoding or separator are not certain
 */
export function readCsv(
  bytes: Uint8Array,
  {
    encoding: named,
    isHeader = () => false,
  }: { encoding?: Encoding | undefined; isHeader?: (cell: string) => boolean } = {},
): CsvFile {
  const { text, encoding } = decodeText(bytes, named);
  const { separator, skipped } = sniffSeparator(text, isHeader);
  const sample = findSample(text);
  return {
    encoding,
    separator,
    sample,
    rows: readRows(toParts(text.slice(skipped)), { delimiter: separator, firstLine: skipped > 0 ? 2 : 1 }),
  };
}

/** Characters by which the separator and the sample are found in a text that is never in memory as a whole. */
const HEAD_CHARACTERS = 262_144;

async function readHead(parts: AsyncIterable<string>): Promise<string> {
  let head = "";
  for await (const part of parts) {
    head += part;
    if (head.length >= HEAD_CHARACTERS) break;
  }
  return head.slice(0, HEAD_CHARACTERS);
}

async function* skipStart(parts: AsyncIterable<string>, length: number): AsyncGenerator<string> {
  let left = length;
  for await (const part of parts) {
    yield part.slice(left);
    left = Math.max(0, left - part.length);
  }
}

/** A CSV of any size; `rows` reads it from its start each time. */
export interface CsvSource extends Pick<CsvFile, "encoding" | "separator" | "sample"> {
  readonly rows: () => AsyncGenerator<CsvRow, void>;
}

/** {@link readCsv} of a file that is read in parts, several times. */
export async function openCsv(
  open: () => AsyncIterable<Uint8Array>,
  {
    encoding: named,
    isHeader = () => false,
  }: { encoding?: Encoding | undefined; isHeader?: (cell: string) => boolean } = {},
): Promise<CsvSource> {
  const encoding = await detectEncoding(open, named);
  const head = await readHead(decodeStream(open(), encoding));
  if (head.includes("\0"))
    throw new AppError("bad_request", 'The file is not a text file. Save it as "CSV UTF-8"', {
      details: { reason: "encoding" },
    });
  const { separator, skipped } = sniffSeparator(head, isHeader);
  const options = { delimiter: separator, firstLine: skipped > 0 ? 2 : 1 };
  return {
    encoding,
    separator,
    sample: findSample(head),
    rows: () => readRows(skipStart(decodeStream(open(), encoding), skipped), options),
  };
}
