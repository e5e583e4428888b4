/** Journal lines: `<crc32 hex> <json>\n`, one per transaction. */
import { crc32 } from "node:zlib";
import { StoreError } from "../store.ts";
import { formatChecksum } from "../checksum.ts";
import type { Doc } from "../keys.ts";
import { isDoc } from "../documents.ts";

/** One transaction's change of one document, as an absolute state. */
export type Operation =
  | { readonly kind: "put"; readonly collection: string; readonly doc: Doc }
  | { readonly kind: "remove"; readonly collection: string; readonly id: string };

export interface Entry {
  readonly lsn: number;
  /** The first transaction of the batch that was written and synced together with this one. */
  readonly batch: number;
  readonly operations: readonly Operation[];
}

/** Eight hex digits and a space. */
const CHECKSUM_BYTES = 9;
const NEW_LINE = 0x0a;

/** The checksum of a line or a file, or of the next part of one. */
export function toChecksum(data: string | Uint8Array, previous = 0): string {
  return formatChecksum(crc32(data, previous));
}

/** Encodes the lines of a batch whose first transaction is `firstLsn`; `at` is epoch milliseconds. */
export function toLines(
  transactions: readonly string[],
  options: { firstLsn: number; at: number },
): Uint8Array {
  const { firstLsn, at } = options;
  const texts = transactions.map(
    (operations, index) => `{"lsn":${firstLsn + index},"batch":${firstLsn},"at":${at},"ops":[${operations}]}`,
  );
  // A UTF-16 code unit takes three bytes at most.
  const most = texts.reduce((sum, text) => sum + text.length * 3 + CHECKSUM_BYTES + 1, 0);
  const buffer = Buffer.allocUnsafe(most);
  let offset = 0;
  for (const text of texts) {
    const start = offset + CHECKSUM_BYTES;
    const end = start + buffer.write(text, start);
    buffer.write(`${toChecksum(buffer.subarray(start, end))} `, offset, "latin1");
    buffer[end] = NEW_LINE;
    offset = end + 1;
  }
  return buffer.subarray(0, offset);
}

/** The line that a journal begins with, so that an empty one is known for a loss: a transaction of nothing. */
export function toFirstLine(options: { readonly lsn: number; readonly at: number }): Uint8Array {
  return toLines([""], { firstLsn: options.lsn, at: options.at });
}

function parseOperation(value: unknown): Operation | undefined {
  if (!Array.isArray(value)) return undefined;
  const parts: readonly unknown[] = value;
  const [kind, collection, subject] = parts;
  if (typeof collection !== "string") return undefined;
  if (kind === "put" && isDoc(subject)) return { kind, collection, doc: subject };
  return kind === "remove" && typeof subject === "string" ? { kind, collection, id: subject } : undefined;
}

function parseEntry(json: string): Entry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const lsn: unknown = Reflect.get(value, "lsn");
  const batch: unknown = Reflect.get(value, "batch");
  const ops: unknown = Reflect.get(value, "ops");
  if (!Number.isSafeInteger(lsn) || !Number.isSafeInteger(batch) || !Array.isArray(ops)) return undefined;
  const operations = ops.map(parseOperation);
  if (!operations.every((operation) => operation !== undefined)) return undefined;
  return { lsn: Number(lsn), batch: Number(batch), operations };
}

/** Reads a line without its end; undefined when it is not exactly what was written. */
export function parseLine(line: Uint8Array): Entry | undefined {
  if (line.byteLength < 10 || line[8] !== 0x20) return undefined;
  const body = line.subarray(9);
  const stated = new TextDecoder().decode(line.subarray(0, 8));
  if (stated !== toChecksum(body)) return undefined;
  return parseEntry(new TextDecoder().decode(body));
}

/** A StoreError for a file that cannot be trusted, with what to do about it. */
export function damaged(
  path: string,
  problem: string,
  remedy = "restore the folder from a backup",
): StoreError {
  return new StoreError("store_unavailable", `"${path}" ${problem}; ${remedy}`);
}
