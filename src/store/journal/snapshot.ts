/**
 * The snapshot's format `trivet-store/1`: one JSON document that people can read, one stored document a line,
 * with a checksum at the end. It is read in pieces: only the positions of documents stay in memory.
 */
import type { FileLayer } from "../../kit/files/file-layer.ts";
import { isDoc } from "../documents.ts";
import type { Doc } from "../keys.ts";
import { formatChecksum } from "../checksum.ts";
import { type BlockSums, sumUpFile } from "../btree/block-sums.ts";
import { toKeyBytes } from "../btree/key-bytes.ts";
import { KeySorter, type SpillFile } from "../btree/key-sorter.ts";
import { BrokenJson, JsonReader, type JsonValue } from "./json-reader.ts";
import { damaged } from "./line.ts";

export interface SnapshotCollection {
  /** The revision that its documents were written with. */
  readonly revision: number;
  /** Positions of documents by ID; the values are those of `toPlace`. */
  readonly places: KeySorter;
}

/** A snapshot as it was read: what a store held after the transaction `lsn`. */
export interface Snapshot {
  readonly path: string;
  readonly service: string;
  readonly lsn: number;
  /** Generation of the journal that goes on after it, and has to be there; absent in what older programs wrote. */
  readonly journal?: number | undefined;
  readonly collections: ReadonlyMap<string, SnapshotCollection>;
  /** True if it has no checksum: it was edited by hand, so its content is not trusted. */
  readonly edited: boolean;
  /** Its block sums when its checksum was compared; absent without a checksum. */
  readonly sums?: BlockSums | undefined;
  /** Its last bytes: no other snapshot has the same. */
  readonly tail: { readonly offset: number; readonly bytes: Buffer };
}

export const FORMAT = "trivet-store/1";
const EDIT_REMEDY =
  'if you edited it on purpose, remove the line with "checksum", else restore the folder from a backup';
/** `,"checksum": "crc32:00000000"\n}\n`: removing that line leaves valid JSON, hence the leading comma. */
const TAIL = /\n,"checksum": "crc32:([0-9a-f]{8})"\n\}\n?$/u;
const TAIL_BYTES = 64;
/** Memory for positions of documents before they go to a file. */
const PLACES_BYTES = 32 * 1024 * 1024;

/** The line that ends a snapshot. */
export function toSnapshotEnd(checksum: string): string {
  return `,"checksum": "crc32:${checksum}"\n}\n`;
}

/** Position of a document in the file. */
export interface Place {
  readonly offset: number;
  readonly sizeBytes: number;
}

const PLACE_BYTES = 12;

function toPlaceValue({ offset, sizeBytes }: Place): Uint8Array {
  const value = Buffer.allocUnsafe(PLACE_BYTES);
  value.writeDoubleLE(offset, 0);
  value.writeUInt32LE(sizeBytes, 8);
  return value;
}

/** Decodes a value of `places`. */
export function toPlace(value: Buffer): Place {
  return { offset: value.readDoubleLE(0), sizeBytes: value.readUInt32LE(8) };
}

/** The last bytes of a file. */
async function readTail(files: FileLayer, path: string): Promise<Snapshot["tail"]> {
  const offset = Math.max(0, ((await files.sizeBytes(path)) ?? 0) - TAIL_BYTES);
  const bytes = Buffer.from((await files.readRange(path, { offset, sizeBytes: TAIL_BYTES })) ?? []);
  return { offset, bytes };
}

/**
 * The sums of a file that ends with the checksum of everything before it; undefined without one. @throws
 * StoreError on a mismatch
 */
async function readSums(
  files: FileLayer,
  path: string,
  tail: Snapshot["tail"],
): Promise<BlockSums | undefined> {
  const found = TAIL.exec(tail.bytes.toString("latin1"));
  if (found === null) return undefined;
  const checkedBytes = tail.offset + tail.bytes.byteLength - found[0].length + 1;
  const { checksum, sums } = await sumUpFile(files, path, checkedBytes);
  if (formatChecksum(checksum) === found[1]) return sums;
  throw damaged(path, "does not match its checksum", EDIT_REMEDY);
}

/** Number of the line that contains a byte of a file, from 1. */
async function lineAt(files: FileLayer, path: string, offset: number): Promise<number> {
  let line = 1;
  let left = offset;
  for await (const chunk of (await files.readChunks(path)) ?? []) {
    for (const byte of chunk.subarray(0, left)) if (byte === 0x0a) line += 1;
    left -= Math.min(left, chunk.byteLength);
  }
  return line;
}

/** Reads one snapshot; see the module's header. */
class SnapshotReader {
  readonly #files: FileLayer;
  readonly #path: string;
  readonly #edited: boolean;
  readonly #spill: SpillFile | undefined;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  readonly #header = new Map<string, unknown>();
  /** Undefined for a member that is no list. */
  readonly #places = new Map<string, KeySorter | undefined>();

  constructor(files: FileLayer, options: { path: string; edited: boolean; spill: SpillFile | undefined }) {
    this.#files = files;
    this.#path = options.path;
    this.#edited = options.edited;
    this.#spill = options.spill;
  }

  async read(chunks: AsyncIterable<Uint8Array>): Promise<Omit<Snapshot, "tail" | "sums">> {
    const json = new JsonReader(chunks);
    try {
      await this.#walk(json);
    } catch (error) {
      if (error instanceof BrokenJson) throw await this.#brokenAt(error);
      throw error;
    } finally {
      await json.close();
    }
    return this.#toSnapshot();
  }

  async #walk(json: JsonReader): Promise<void> {
    await json.skipMark();
    const first = await json.peek();
    if (first !== undefined && !(await json.isObject()))
      throw damaged(this.#path, "is not a snapshot at line 1");
    for await (const member of json.members()) {
      const name = String(await this.#parse(member));
      if (name === "collections" && (await json.isObject())) await this.#readCollections(json);
      else this.#header.set(name, await this.#parse(await json.value()));
    }
    await json.end();
  }

  async #readCollections(json: JsonReader): Promise<void> {
    this.#header.set("collections", "read");
    this.#places.clear();
    for await (const member of json.members()) {
      const name = String(await this.#parse(member));
      const places = (await json.isList()) ? await this.#readPlaces(json, name) : undefined;
      if (places === undefined) await this.#parse(await json.value());
      this.#places.set(name, places);
    }
  }

  async #readPlaces(json: JsonReader, name: string): Promise<KeySorter> {
    const spill = this.#spill && { file: this.#spill, maxBytes: PLACES_BYTES };
    const places = new KeySorter({ valueBytes: PLACE_BYTES, spill });
    for await (const { offset, bytes } of json.items({ isLines: !this.#edited })) {
      const id = (this.#edited ? undefined : findId(bytes)) ?? (await this.#readId({ offset, bytes }));
      if (id === undefined) {
        const number = places.size + 1;
        throw damaged(
          this.#path,
          `holds a record without a valid id and version at record ${number} of "${name}"`,
        );
      }
      places.add(toKeyBytes([id]), toPlaceValue({ offset, sizeBytes: bytes.byteLength }));
      await places.drain();
    }
    return places;
  }

  async #readId(value: JsonValue): Promise<string | undefined> {
    const doc = await this.#parse(value);
    return isDoc(doc) ? doc.id : undefined;
  }

  async #parse({ offset, bytes }: JsonValue): Promise<unknown> {
    let text: string;
    try {
      text = this.#decoder.decode(bytes);
    } catch {
      throw damaged(this.#path, "is not valid UTF-8");
    }
    try {
      return JSON.parse(text);
    } catch {
      throw new BrokenJson(offset, Buffer.from(bytes));
    }
  }

  async #brokenAt({ offset, rest }: BrokenJson): Promise<Error> {
    const line = await lineAt(this.#files, this.#path, offset);
    const bad = findBadLine(rest.toString().split("\n"));
    return damaged(this.#path, `is not valid JSON at line ${line + bad}`);
  }

  #toSnapshot(): Omit<Snapshot, "tail" | "sums"> {
    const [path, header, edited] = [this.#path, this.#header, this.#edited];
    if (edited && header.has("checksum")) throw damaged(path, "does not match its checksum", EDIT_REMEDY);
    if (header.get("collections") !== "read") throw damaged(path, 'has no "collections"');
    const [format, service] = [header.get("format"), header.get("service")];
    const [lsn, journal] = [header.get("lsn"), header.get("journal")];
    if (format !== FORMAT)
      throw damaged(path, `has a format that this program does not know: ${JSON.stringify(format)}`);
    if (typeof service !== "string" || typeof lsn !== "number" || !Number.isSafeInteger(lsn) || lsn < 0)
      throw damaged(path, 'has no valid "service" and "lsn" in its header');
    if (journal !== undefined && (typeof journal !== "number" || !Number.isSafeInteger(journal)))
      throw damaged(path, 'has no valid "journal" in its header');
    const known = new Map<string, unknown>(Object.entries(header.get("revisions") ?? {}));
    const collections = new Map<string, SnapshotCollection>();
    for (const [name, places] of this.#places) {
      const revision = known.get(name);
      if (places === undefined) throw damaged(path, `holds no list in "${name}"`);
      if (typeof revision !== "number") throw damaged(path, `has no revision for "${name}" in its header`);
      collections.set(name, { revision, places });
    }
    return { path, service, lsn, journal, collections, edited };
  }
}

const ID_START = Buffer.from('{"id":"');

/** The id of a document as programs write it, without parsing all of it; undefined when it does not begin with it. */
function findId(bytes: Buffer): string | undefined {
  if (!bytes.subarray(0, ID_START.length).equals(ID_START)) return undefined;
  const id = bytes.toString("utf8", ID_START.length, bytes.indexOf(0x22, ID_START.length));
  return id.includes("\\") ? undefined : id;
}

/**
 * Reads a snapshot; undefined when there is none. `spill` takes what does not fit into memory.
 * @throws StoreError `store_unavailable` naming file, line and remedy when it is not intact
 */
export async function readSnapshot(
  files: FileLayer,
  { path, spill }: { readonly path: string; readonly spill?: SpillFile | undefined },
): Promise<Snapshot | undefined> {
  const chunks = await files.readChunks(path);
  if (chunks === undefined) return undefined;
  const tail = await readTail(files, path);
  const sums = await readSums(files, path, tail);
  const reader = new SnapshotReader(files, { path, edited: sums === undefined, spill });
  return { ...(await reader.read(chunks)), sums, tail };
}

/** A document of a snapshot from its text. @throws StoreError `store_unavailable` when it is none */
export function parseDoc({ path }: Snapshot, text: string): Doc {
  try {
    const doc: unknown = JSON.parse(text);
    if (isDoc(doc)) return doc;
  } catch {
    // Told below: either way no program wrote it.
  }
  throw damaged(path, `holds a record without a valid id and version: ${text.slice(0, 80)}`);
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
