/**
 * The snapshot with its index file: the content of a store at its last compaction, read from disk on demand.
 * The index file can always be rebuilt from the snapshot, and is valid only for the snapshot it was built from.
 */
import { z } from "zod";
import type { FileLayer, FileRange, ReadFile } from "../../kit/files/file-layer.ts";
import { textOf } from "../../kit/thrown.ts";
import { formatChecksum } from "../checksum.ts";
import { deepFreeze, isDoc } from "../documents.ts";
import type { Doc } from "../keys.ts";
import { type DataProblem, SCRUB_PIECE_BYTES } from "../scrub.ts";
import { DamagedError, StoreError } from "../store.ts";
import {
  type BlockSums,
  type CheckedFile,
  type CheckedReadOptions,
  sumUpFile,
  withChecks,
} from "./block-sums.ts";
import type { ByteSink } from "./byte-sink.ts";
import { CacheBudget, DocumentCache } from "./document-cache.ts";
import { toKeyBytes } from "./key-bytes.ts";
import { isKeyAt, numberAt, PageFile, PageTree } from "./page-tree.ts";
import { countEntries } from "./page.ts";

/** Text of documents that stays parsed, in bytes. */
const CACHE_BYTES = 32 * 1024 * 1024;
/** In the tree of documents: where a document ends, counted from the first one of its leaf. */
export const END_VALUE_BYTES = 4;
/** `,` and the line end between two documents of a snapshot. */
const BETWEEN_BYTES = 2;

/** An index file ends with where its contents begin, and the CRC-32 of all before this line. */
const END = /^(\d{16}) ([0-9a-f]{8})\n$/u;
const END_BYTES = 26;

const rootSchema = z.object({
  offset: z.number(),
  sizeBytes: z.number(),
  levels: z.number(),
  count: z.number(),
  dataOffset: z.number(),
});

const collectionSchema = z.object({
  revision: z.number(),
  documents: rootSchema,
  /** By kind and name. The fields say whether the declaration is still the same. */
  indexes: z.record(z.string(), z.object({ fields: z.array(z.string()), root: rootSchema })),
});

/** An index file's description of itself and of its snapshot. */
const contentsSchema = z.object({
  format: z.literal("trivet-index/1"),
  service: z.string(),
  snapshot: z.object({ sizeBytes: z.number(), checksum: z.string() }),
  lsn: z.number(),
  /** Generation of the journal that goes on after the snapshot. */
  journal: z.number().optional(),
  collections: z.record(z.string(), collectionSchema),
});

export type Contents = z.infer<typeof contentsSchema>;
export type CollectionContents = z.infer<typeof collectionSchema>;

/** An index file's description, with the sums of both files. */
export interface Prepared {
  readonly contents: Contents;
  readonly sums: { readonly snapshot: BlockSums; readonly index: BlockSums };
}

/** Ends an index file. */
export async function writeContents(sink: ByteSink, contents: Contents): Promise<BlockSums> {
  const { offset } = sink;
  sink.write(JSON.stringify(contents));
  await sink.flush();
  sink.write(`${String(offset).padStart(16, "0")} ${sink.checksum}\n`);
  return sink.end();
}

/** An index file's description; undefined if it is missing or incomplete. */
export async function readContents(
  files: FileLayer,
  path: string,
): Promise<{ readonly contents: Contents; readonly sums: BlockSums } | undefined> {
  const sizeBytes = (await files.sizeBytes(path)) ?? 0;
  if (sizeBytes < END_BYTES) return undefined;
  const wholeBytes = sizeBytes - END_BYTES;
  const read = async (offset: number, length: number): Promise<string> =>
    Buffer.from((await files.readRange(path, { offset, sizeBytes: length })) ?? []).toString();
  const [, offset, checksum] = END.exec(await read(wholeBytes, END_BYTES)) ?? [];
  const { checksum: found, sums } = await sumUpFile(files, path, wholeBytes);
  if (offset === undefined || formatChecksum(found) !== checksum) return undefined;
  const text = await read(Number(offset), wholeBytes - Number(offset));
  const contents = contentsSchema.safeParse(JSON.parse(text)).data;
  return contents && { contents, sums };
}

/** Position of a document in the snapshot. */
interface Span extends FileRange {
  /** Offset of the first document of its leaf. */
  readonly leafOffset: number;
  /** Bytes of all documents of the leaf. */
  readonly leafBytes: number;
}

/** One collection of a snapshot. */
export class BaseCollection {
  readonly revision: number;
  readonly documents: PageTree;
  readonly #indexes: ReadonlyMap<string, PageTree>;
  readonly #snapshot: ReadFile;
  readonly #cache: DocumentCache;
  /** The leaf of the document that was read last, and once there was a second one, all that it finds. */
  #near: { readonly leafOffset: number; bytes: Buffer | undefined } = { leafOffset: -1, bytes: undefined };

  constructor(
    contents: CollectionContents,
    files: { snapshot: ReadFile; pages: PageFile; budget: CacheBudget },
  ) {
    const { snapshot, pages, budget } = files;
    this.revision = contents.revision;
    this.documents = new PageTree(pages, { root: contents.documents, valueBytes: END_VALUE_BYTES });
    this.#indexes = new Map(
      Object.entries(contents.indexes).map(([name, { root }]) => [
        name,
        new PageTree(pages, { root, valueBytes: 0 }),
      ]),
    );
    this.#snapshot = snapshot;
    this.#cache = new DocumentCache(budget);
  }

  get size(): number {
    return this.documents.size;
  }

  index(name: string): PageTree | undefined {
    return this.#indexes.get(name);
  }

  has(id: string): boolean {
    return this.#find(id) !== undefined;
  }

  /** A document; with `isScan` it takes no place among those that stay parsed. */
  get(id: string, { isScan = false } = {}): Doc | undefined {
    const known = this.#cache.get(id);
    if (known !== undefined) return known;
    const span = this.#find(id);
    if (span === undefined) return undefined;
    const doc = this.#parse(this.#readNear(span));
    if (!isScan) this.#cache.set(doc, span.sizeBytes);
    return doc;
  }

  /** A document's bytes. The second one of a leaf in turn is read with all of that leaf: lists go on like that. */
  #readNear({ leafOffset, leafBytes, offset, sizeBytes }: Span): Buffer {
    if (this.#near.leafOffset !== leafOffset) {
      this.#near = { leafOffset, bytes: undefined };
      return this.readData({ offset, sizeBytes });
    }
    try {
      this.#near.bytes ??= this.readData({ offset: leafOffset, sizeBytes: leafBytes });
    } catch (error) {
      // Another document of the leaf may be the damaged one.
      if (error instanceof DamagedError) return this.readData({ offset, sizeBytes });
      throw error;
    }
    return this.#near.bytes.subarray(offset - leafOffset, offset - leafOffset + sizeBytes);
  }

  /** Bytes of the snapshot. @throws StoreError `store_unavailable` when they cannot be read */
  readData({ offset, sizeBytes }: FileRange): Buffer {
    const bytes = Buffer.allocUnsafe(sizeBytes);
    this.#snapshot.read(bytes, { offset, sizeBytes });
    return bytes;
  }

  #parse(bytes: Buffer): Doc {
    const doc: unknown = JSON.parse(bytes.toString());
    if (!isDoc(doc)) throw new DamagedError(`"${this.#snapshot.path}" holds no record where one was written`);
    return deepFreeze(doc);
  }

  #find(id: string): Span | undefined {
    const key = toKeyBytes([id]);
    const found = this.documents.seek(key);
    if (!isKeyAt(found, key, END_VALUE_BYTES)) return undefined;
    const { leaf, place, dataOffset: leafOffset } = found;
    const [start, end] = dataBounds(leaf, place);
    return { leafOffset, leafBytes: dataBytes(leaf), offset: leafOffset + start, sizeBytes: end - start };
  }
}

/** Where a document of a leaf begins and ends, counted from the first one. */
export function dataBounds(leaf: Buffer, place: number): [start: number, end: number] {
  return [place === 0 ? 0 : numberAt(leaf, place - 1) + BETWEEN_BYTES, numberAt(leaf, place)];
}

/** Bytes that the documents of a leaf take in the snapshot. */
export function dataBytes(leaf: Buffer): number {
  return numberAt(leaf, countEntries(leaf) - 1);
}

/** A file whose errors say that the store cannot be read. */
function withRefusals(file: ReadFile): ReadFile {
  return {
    ...file,
    read: (into, range) => {
      try {
        file.read(into, range);
      } catch (error) {
        if (error instanceof StoreError) throw error;
        const message = `The store cannot read "${file.path}": ${textOf(error)}`;
        throw new StoreError("store_unavailable", message, { cause: error });
      }
    },
  };
}

/** The two open files. They are closed after they are retired and the last reader has finished. */
export class Base {
  readonly contents: Contents;
  readonly collections: ReadonlyMap<string, BaseCollection>;
  readonly #files: readonly CheckedFile[];
  #users = 1;

  constructor(contents: Contents, files: { readonly snapshot: CheckedFile; readonly index: CheckedFile }) {
    this.contents = contents;
    this.#files = [files.snapshot, files.index];
    const snapshot = withRefusals(files.snapshot);
    const pages = new PageFile(withRefusals(files.index));
    const budget = new CacheBudget(CACHE_BYTES);
    this.collections = new Map(
      Object.entries(contents.collections).map(([name, collection]) => [
        name,
        new BaseCollection(collection, { snapshot, pages, budget }),
      ]),
    );
  }

  /**
   * Keeps the files open until `release`.
   * @throws StoreError `store_unavailable` when they are closed: their descriptors may belong to other files by then
   */
  use(): void {
    if (this.#users === 0) throw new StoreError("store_unavailable", "The store is closed");
    this.#users += 1;
  }

  /** Reads both files piece by piece; the caller keeps them open during that time. */
  *scrub(): Generator<number | DataProblem> {
    const piece = Buffer.allocUnsafeSlow(SCRUB_PIECE_BYTES);
    for (const file of this.#files)
      for (let offset = 0; offset < file.sizeBytes; offset += SCRUB_PIECE_BYTES) {
        const sizeBytes = Math.min(SCRUB_PIECE_BYTES, file.sizeBytes - offset);
        try {
          file.read(piece, { offset, sizeBytes });
        } catch (error) {
          if (!(error instanceof DamagedError)) throw error;
          yield { path: file.path, problem: error.message };
        }
        yield sizeBytes;
      }
  }

  /** Ends a use, or the one that it begins with. */
  release(): void {
    this.#users -= 1;
    if (this.#users === 0) for (const file of this.#files) file.close();
  }
}

/** Where the two files are, and who hears of what is damaged in them. */
export interface BasePlace extends Pick<CheckedReadOptions, "onDamage"> {
  readonly files: FileLayer;
  readonly snapshot: string;
  readonly index: string;
}

const SNAPSHOT_REMEDY = "restore the folder from a backup; until then all that is not in this part is served";
const INDEX_REMEDY = "restart the service, which rebuilds this file";

/** Opens both files; undefined when one of them is not there. */
export async function openBase(
  { files, onDamage, ...paths }: BasePlace,
  { contents, sums }: Prepared,
): Promise<Base | undefined> {
  const snapshot = await files.openRead(paths.snapshot);
  const index = await files.openRead(paths.index);
  if (snapshot !== undefined && index !== undefined)
    return new Base(contents, {
      snapshot: withChecks(snapshot, { sums: sums.snapshot, remedy: SNAPSHOT_REMEDY, onDamage }),
      index: withChecks(index, { sums: sums.index, remedy: INDEX_REMEDY, onDamage }),
    });
  snapshot?.close();
  index?.close();
  return undefined;
}
