/** Every document that a store's files hold, in the order of ids: those of the snapshot with what the journals say since. */
import { crc32 } from "node:zlib";
import type { FileLayer, FileRange, ReadFile } from "../../kit/files/file-layer.ts";
import { formatChecksum } from "../checksum.ts";
import type { Doc } from "../keys.ts";
import { parseKeyBytes, toKeyBytes } from "../btree/key-bytes.ts";
import { withChecks } from "../btree/block-sums.ts";
import type { SortedKey } from "../btree/key-sorter.ts";
import { damaged } from "./line.ts";
import type { Recovered } from "./recovery.ts";
import { type Snapshot, parseDoc, toPlace } from "./snapshot.ts";

/** A document, or its text if it cannot have been edited by hand. */
export type Stored =
  | { readonly doc: Doc; readonly bytes?: undefined }
  | { readonly doc?: undefined; readonly bytes: Buffer };

/** Read in one piece if documents are stored in the requested order. */
const WINDOW_BYTES = 256 * 1024;

/** Reads texts of a file, mostly one after the other. */
class TextReader {
  readonly #file: ReadFile;
  readonly #fileBytes: number;
  #window = Buffer.alloc(0);
  #start = 0;

  constructor(file: ReadFile, fileBytes: number) {
    this.#file = file;
    this.#fileBytes = fileBytes;
  }

  read({ offset, sizeBytes }: FileRange): Buffer {
    const end = this.#start + this.#window.byteLength;
    if (offset < this.#start || offset + sizeBytes > end) {
      const isNear = offset >= this.#start && offset <= end + WINDOW_BYTES;
      const wanted = isNear ? Math.max(sizeBytes, WINDOW_BYTES) : sizeBytes;
      const length = Math.min(wanted, this.#fileBytes - offset);
      // Another one each time: what was taken from the last may still wait to be written.
      this.#window = Buffer.allocUnsafeSlow(length);
      this.#start = offset;
      this.#file.read(this.#window, { offset, sizeBytes: length });
    }
    return this.#window.subarray(offset - this.#start, offset - this.#start + sizeBytes);
  }
}

type Changes = ReadonlyMap<string, Doc | undefined>;

function toSorted(changes: Changes | undefined): [key: Uint8Array, doc: Doc | undefined][] {
  return [...(changes ?? [])]
    .map(([id, doc]): [Uint8Array, Doc | undefined] => [toKeyBytes([id]), doc])
    .sort(([a], [b]) => Buffer.compare(a, b));
}

/** Merges what is in order with changes in the same order. */
function* merge(
  entries: Iterable<SortedKey>,
  changes: Changes | undefined,
  read: (entry: SortedKey) => Stored,
): Generator<Stored> {
  const changed = toSorted(changes);
  let next = 0;
  for (const entry of entries) {
    for (let order = -1; order < 0;) {
      const [key, doc] = changed[next] ?? [];
      order = key === undefined ? 1 : Buffer.compare(key, entry.key);
      if (order > 0) yield read(entry);
      else next += 1;
      if (order <= 0 && doc !== undefined) yield { doc };
    }
  }
  for (const [, doc] of changed.slice(next)) if (doc !== undefined) yield { doc };
}

/** @throws StoreError `store_unavailable` for an id that comes twice */
function* assertDistinct(
  entries: Iterable<SortedKey>,
  { path }: Snapshot,
  name: string,
): Generator<SortedKey> {
  let last = Buffer.alloc(0);
  for (const entry of entries) {
    if (entry.key.equals(last)) {
      const [id] = parseKeyBytes(entry.key, 0, entry.key.byteLength);
      throw damaged(path, `holds two records "${String(id)}" in "${name}"`, "remove one of them");
    }
    last = Buffer.from(entry.key);
    yield entry;
  }
}

/** See the module's header. */
export class Content {
  readonly #recovered: Recovered;
  readonly #file: ReadFile;
  readonly #texts: TextReader;

  private constructor(recovered: Recovered, file: ReadFile, fileBytes: number) {
    this.#recovered = recovered;
    this.#file = file;
    this.#texts = new TextReader(file, fileBytes);
  }

  /** Opens what was recovered. @throws Error when another snapshot has taken its place since */
  static async open(files: FileLayer, recovered: Recovered): Promise<Content> {
    const { path, tail, sums } = recovered.snapshot;
    const file = await files.openRead(path);
    if (file === undefined) throw new Error(`"${path}" is gone`);
    const { offset, bytes } = tail;
    const fileBytes = offset + bytes.byteLength;
    try {
      const found = Buffer.alloc(bytes.byteLength);
      file.read(found, { offset, sizeBytes: bytes.byteLength });
      if (!found.equals(bytes)) throw new Error(`"${path}" has changed while it was read`);
      const remedy = "restore the folder from a backup";
      const checked = sums === undefined ? file : withChecks(file, { sums, remedy });
      return new Content(recovered, checked, fileBytes);
    } catch (error) {
      file.close();
      throw error;
    }
  }

  /** The documents of a collection; one at a time is in memory. */
  async documents(name: string): Promise<Generator<Stored>> {
    const { snapshot, changes } = this.#recovered;
    const entries = (await snapshot.collections.get(name)?.places.sorted()) ?? [];
    return merge(assertDistinct(entries, snapshot, name), changes.get(name), ({ value }) => {
      const bytes = this.#texts.read(toPlace(value));
      return snapshot.edited ? { doc: parseDoc(snapshot, bytes.toString()) } : { bytes };
    });
  }

  close(): void {
    this.#file.close();
  }
}

/** How many documents there are, and a checksum of them alone (not of when they were written), to compare copies. */
export function sumUp(documents: Iterable<Stored>): { count: number; hash: string } {
  let [count, checksum] = [0, 0];
  for (const stored of documents) {
    if (count > 0) checksum = crc32("\n", checksum);
    checksum = crc32(toBytes(stored), checksum);
    count += 1;
  }
  return { count, hash: formatChecksum(checksum) };
}

/** The text of a document as a snapshot has it. */
export function toBytes({ doc, bytes }: Stored): Buffer {
  return bytes ?? Buffer.from(JSON.stringify(doc));
}
