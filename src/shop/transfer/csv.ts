/** CSV (RFC 4180) that is read in; `kit/files/csv-line.ts` writes it. */
import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { AppError } from "../../kit/errors.ts";

const SLICE_BYTES = 65_536;
const MAX_RECORD_CHARACTERS = 1_048_576;

/** What `toCsvLine` made harmless. */
const QUOTED_FORMULA = /^'+(?:[\t\r\n]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/u;

/** One record with the number of the line that it begins on, from 1. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

async function* toSlices(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    yield bytes.subarray(at, at + SLICE_BYTES);
    // Lets other requests in.
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

/** The record of a parser with `info`, which its types do not declare. */
function isRecord(value: unknown): value is { record: string[]; info: { lines: number } } {
  return typeof value === "object" && value !== null && "record" in value && "info" in value;
}

function assertUtf8(bytes: Uint8Array): void {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppError("bad_request", "The text is not valid UTF-8", { cause });
  }
}

function describe(error: CsvError): string {
  const { lines } = error;
  const where = typeof lines === "number" ? ` at line ${lines}` : "";
  return `The CSV is malformed${where} (${error.code.toLowerCase().replaceAll("_", " ")})`;
}

/**
 * Reads records with their lines; empty lines are left out, and a byte order mark is taken.
 * @throws AppError `bad_request` for what is no CSV in UTF-8
 */
export async function* readCsv(bytes: Uint8Array): AsyncGenerator<CsvRow, void> {
  assertUtf8(bytes);
  const parser = Readable.from(toSlices(bytes), { objectMode: false }).pipe(
    parse({
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: MAX_RECORD_CHARACTERS,
    }),
  );
  let line = 1;
  try {
    for await (const value of parser) {
      const row: unknown = value;
      if (!isRecord(row)) continue;
      yield { line, cells: row.record.map(fromCell) };
      line = row.info.lines + 1;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new AppError("bad_request", describe(error), { cause: error });
  }
}

/** A text as it was before it was made harmless. */
function fromCell(cell: string): string {
  return QUOTED_FORMULA.test(cell) ? cell.slice(1) : cell;
}
