/**
 * The snapshot's format `trivet-store/1`: one JSON document that people can read, one stored document a line, with a
 * checksum at the end.
 */
import type { Doc } from "../keys.ts";
import { isDoc } from "../documents.ts";
import { damaged, toChecksum } from "./line.ts";

interface SnapshotCollection {
  readonly revision: number;
  readonly documents: readonly Doc[];
}

/** A snapshot as it was read: everything a store held after the transaction `lsn`. */
export interface Snapshot {
  readonly service: string;
  readonly lsn: number;
  /** Generation of the journal that goes on after it, and has to be there; absent in what older programs wrote. */
  readonly journal?: number | undefined;
  readonly collections: ReadonlyMap<string, SnapshotCollection>;
  /** True when it has no checksum: somebody edited it, so nothing in it is taken on trust. */
  readonly edited: boolean;
}

export const FORMAT = "trivet-store/1";
const EDIT_REMEDY =
  'if you edited it on purpose, remove the line with "checksum", else restore the folder from a backup';
/** `,"checksum": "crc32:00000000"\n}\n`: removing that line leaves valid JSON, hence the leading comma. */
const TAIL = /\n,"checksum": "crc32:([0-9a-f]{8})"\n\}\n?$/u;
const TAIL_BYTES = 64;

/** The line that ends a snapshot. */
export function toSnapshotEnd(checksum: string): string {
  return `,"checksum": "crc32:${checksum}"\n}\n`;
}

/** @throws StoreError `store_unavailable` naming file, line and remedy when the bytes are no intact snapshot */
export function parseSnapshot(path: string, bytes: Buffer): Snapshot {
  const tail = TAIL.exec(bytes.subarray(-TAIL_BYTES).toString("latin1"));
  if (tail === null) return parseEdited(path, bytes);
  const end = bytes.byteLength - tail[0].length + 1;
  if (toChecksum(bytes.subarray(0, end)) !== tail[1])
    throw damaged(path, "does not match its checksum", EDIT_REMEDY);
  return parseLines(path, bytes.subarray(0, end));
}

/** Reads the layout of `writeSnapshot` line by line, so that no text longer than a document is made. */
function parseLines(path: string, bytes: Buffer): Snapshot {
  const collections = new Map<string, Doc[]>();
  let header = "";
  let documents: Doc[] | undefined;
  let lineNumber = 0;
  for (let start = 0; start < bytes.byteLength;) {
    const found = bytes.indexOf(0x0a, start);
    const end = found < 0 ? bytes.byteLength : found;
    const comma = bytes[end - 1] === 0x2c;
    const text = bytes.toString("utf8", start, comma ? end - 1 : end);
    start = end + 1;
    lineNumber += 1;
    if (documents !== undefined) {
      if (text === "]") documents = undefined;
      else documents.push(toDoc(path, parseText(path, text, lineNumber), lineNumber));
    } else if (collections.size > 0 || header.endsWith('"collections": {')) {
      if (text === "}") break;
      documents = [];
      collections.set(String(parseText(path, text.slice(0, -": [".length), lineNumber)), documents);
    } else {
      header += comma ? `${text},` : text;
    }
  }
  return toSnapshot(path, { header: parseText(path, `${header}}}`, 1), collections, edited: false });
}

function parseEdited(path: string, bytes: Buffer): Snapshot {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw damaged(path, "is not valid UTF-8");
  }
  const value = parseText(path, text, 1);
  if (typeof value !== "object" || value === null) throw damaged(path, "is not a snapshot at line 1");
  if (Object.hasOwn(value, "checksum")) throw damaged(path, "does not match its checksum", EDIT_REMEDY);
  const lists: unknown = Reflect.get(value, "collections");
  if (typeof lists !== "object" || lists === null) throw damaged(path, 'has no "collections"');
  const collections = new Map<string, Doc[]>();
  for (const [name, list] of Object.entries(lists)) {
    if (!Array.isArray(list)) throw damaged(path, `holds no list in "${name}"`);
    collections.set(
      name,
      list.map((item: unknown, index) => toDoc(path, item, `${index + 1} of "${name}"`)),
    );
  }
  return toSnapshot(path, { header: value, collections, edited: true });
}

function toSnapshot(
  path: string,
  parts: { header: unknown; collections: ReadonlyMap<string, Doc[]>; edited: boolean },
): Snapshot {
  const { header, edited } = parts;
  if (typeof header !== "object" || header === null) throw damaged(path, "has no header at line 1");
  const format: unknown = Reflect.get(header, "format");
  const service: unknown = Reflect.get(header, "service");
  const lsn: unknown = Reflect.get(header, "lsn");
  const journal: unknown = Reflect.get(header, "journal");
  const revisions: unknown = Reflect.get(header, "revisions");
  if (format !== FORMAT)
    throw damaged(path, `has a format that this program does not know: ${JSON.stringify(format)}`);
  if (typeof service !== "string" || typeof lsn !== "number" || !Number.isSafeInteger(lsn) || lsn < 0) {
    throw damaged(path, 'has no valid "service" and "lsn" in its header');
  }
  if (journal !== undefined && (typeof journal !== "number" || !Number.isSafeInteger(journal)))
    throw damaged(path, 'has no valid "journal" in its header');
  const known = new Map<string, unknown>(Object.entries(revisions ?? {}));
  const collections = new Map<string, SnapshotCollection>();
  for (const [name, documents] of parts.collections) {
    const revision = known.get(name);
    if (typeof revision !== "number") throw damaged(path, `has no revision for "${name}" in its header`);
    collections.set(name, { revision, documents });
  }
  return { service, lsn, journal, collections, edited };
}

function toDoc(path: string, value: unknown, place: number | string): Doc {
  if (isDoc(value)) return value;
  const where = typeof place === "number" ? `line ${place}` : `record ${place}`;
  throw damaged(path, `holds a record without a valid id and version at ${where}`);
}

function parseText(path: string, text: string, firstLine: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw damaged(path, `is not valid JSON at line ${firstLine + findBadLine(text.split("\n"))}`);
  }
}

/** True when the text could become valid by going on: its error is that it ends. */
function endsEarly(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    const position = /position (\d+)/u.exec(message)?.[1];
    return /end of JSON|Unterminated/u.test(message) || Number(position) >= text.length;
  }
}

/** Index of the line that breaks the JSON, by halving: not every engine gives the position. */
function findBadLine(lines: readonly string[]): number {
  let good = 0;
  let bad = lines.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (endsEarly(lines.slice(0, middle).join("\n"))) good = middle;
    else bad = middle;
  }
  return bad - 1;
}
