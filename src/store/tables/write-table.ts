/**
 * Writes a table as a part of the next snapshot and its index file. What did not change since the last ones is copied
 * as bytes, a leaf at a time.
 */
import type { Doc, Key } from "../keys.ts";
import { type CollectionContents, END_VALUE_BYTES, dataBounds, dataBytes } from "../btree/base.ts";
import type { ByteSink } from "../btree/byte-sink.ts";
import { toKeyBytes } from "../btree/key-bytes.ts";
import { type Leaf, type PageTree } from "../btree/page-tree.ts";
import { TreeWriter } from "../btree/page-writer.ts";
import { countEntries, keyBounds } from "../btree/page.ts";
import type { SortedIndex } from "./sorted-index.ts";
import { type Table, toIndexName } from "./table.ts";
import { GONE } from "./walk.ts";

/** The two files that are being written. */
export interface Sinks {
  readonly snapshot: ByteSink;
  readonly index: ByteSink;
}

/** A collection that can be written. */
export interface Part {
  readonly revision: number;
  /** Writes the documents and their indexes; returns the position in the index file. */
  write(sinks: Sinks): Promise<CollectionContents>;
}

/** Tables as they are to be written. */
export function toParts(tables: ReadonlyMap<string, Table>): Map<string, Part> {
  return new Map(
    [...tables].map(([name, table]) => [
      name,
      { revision: table.collection.revision, write: (sinks) => writeTable(table, sinks) },
    ]),
  );
}

/** A difference from the entries of the last file. */
interface Change<T> {
  readonly key: Uint8Array;
  /** Undefined when the entry is gone. */
  readonly value: T | undefined;
}

/** Where merged entries go. */
interface Target<T> {
  /** Whether a leaf in which nothing changed was taken whole. */
  leaf(leaf: Leaf): boolean;
  /** An entry that did not change. */
  keep(leaf: Leaf, place: number): void;
  add(change: Change<T>): void;
  /** Between two entries: hands on what has gathered. */
  drain(): Promise<void>;
}

function comesBefore<T>(change: Change<T>, key: Uint8Array | undefined): boolean {
  return key === undefined || Buffer.compare(change.key, key) < 0;
}

/** Merges sorted changes into the leaves of a tree. */
async function merge<T>(
  base: PageTree | undefined,
  changes: Iterator<Change<T>>,
  target: Target<T>,
): Promise<void> {
  let next = changes.next();
  const addUntil = async (key: Uint8Array | undefined): Promise<void> => {
    while (next.done !== true && comesBefore(next.value, key)) {
      if (next.value.value !== undefined) target.add(next.value);
      next = changes.next();
      await target.drain();
    }
  };
  for (const leaf of base?.leaves() ?? []) {
    const isTouched = next.done !== true && comesBefore(next.value, leaf.end);
    if (isTouched || !target.leaf(leaf)) {
      for (let place = 0; place < countEntries(leaf.page); place += 1) {
        const key = leaf.page.subarray(...keyBounds(leaf.page, place, base?.valueBytes ?? 0));
        await addUntil(key);
        if (next.done === true || Buffer.compare(next.value.key, key) !== 0) target.keep(leaf, place);
      }
      await addUntil(leaf.end);
    }
    await target.drain();
  }
  await addUntil(undefined);
}

function* documentChanges(table: Table): Generator<Change<Doc>> {
  for (const [id, value] of table.changes()) yield { key: toKeyBytes([id]), value };
}

/** Writes documents, one a line, and the tree that finds them. */
export class DocumentWriter {
  readonly #snapshot: ByteSink;
  readonly #tree: TreeWriter;
  #separator = "\n";

  constructor({ snapshot, index }: Sinks) {
    this.#snapshot = snapshot;
    this.#tree = new TreeWriter(index, END_VALUE_BYTES);
  }

  #write(bytes: Uint8Array): number {
    this.#snapshot.write(this.#separator);
    this.#separator = ",\n";
    const { offset } = this.#snapshot;
    this.#snapshot.write(bytes);
    return offset;
  }

  /** Adds a document; they come in the order of their keys. */
  add(key: Uint8Array, bytes: Uint8Array): void {
    this.#tree.add(key, { offset: this.#write(bytes), sizeBytes: bytes.byteLength });
  }

  /** Adds those of a leaf of another file, unless that would leave small leaves. `read` gives their bytes. */
  addLeaf(page: Buffer, read: () => Uint8Array): boolean {
    if (!this.#tree.takes(page)) return false;
    this.#tree.addLeaf(page, this.#write(read()));
    return true;
  }

  end(): CollectionContents["documents"] {
    return this.#tree.end();
  }
}

async function writeDocuments(table: Table, sinks: Sinks): Promise<CollectionContents["documents"]> {
  const base = table.base;
  const writer = new DocumentWriter(sinks);
  let data: { readonly of: Leaf; readonly bytes: Buffer } | undefined;
  const readData = (leaf: Leaf): Buffer => {
    if (data?.of !== leaf && base !== undefined)
      data = { of: leaf, bytes: base.readData({ offset: leaf.dataOffset, sizeBytes: dataBytes(leaf.page) }) };
    return data?.bytes ?? Buffer.alloc(0);
  };
  await merge<Doc>(base?.documents, documentChanges(table), {
    leaf: (leaf) => writer.addLeaf(leaf.page, () => readData(leaf)),
    keep: (leaf, place) => {
      const key = leaf.page.subarray(...keyBounds(leaf.page, place, END_VALUE_BYTES));
      writer.add(key, readData(leaf).subarray(...dataBounds(leaf.page, place)));
    },
    add: ({ key, value }) => writer.add(key, Buffer.from(JSON.stringify(value))),
    drain: () => drain(sinks),
  });
  return writer.end();
}

/** Hands on what has gathered. */
export async function drain({ snapshot, index }: Sinks): Promise<void> {
  await snapshot.drain();
  await index.drain();
}

function* keyChanges({ tree }: SortedIndex): Generator<Change<Key>> {
  for (const [key, mark] of tree.entries())
    yield { key: toKeyBytes(key), value: mark === GONE ? undefined : key };
}

async function writeIndex(index: SortedIndex, sinks: Sinks): Promise<CollectionContents["documents"]> {
  const tree = new TreeWriter(sinks.index, 0);
  await merge<Key>(index.base, keyChanges(index), {
    leaf: ({ page }) => {
      if (!tree.takes(page)) return false;
      tree.addLeaf(page, 0);
      return true;
    },
    keep: ({ page }, place) => tree.add(page.subarray(...keyBounds(page, place, 0))),
    add: ({ key }) => tree.add(key),
    drain: () => drain(sinks),
  });
  return tree.end();
}

async function writeTable(table: Table, sinks: Sinks): Promise<CollectionContents> {
  const { collection } = table;
  const documents = await writeDocuments(table, sinks);
  const indexes: CollectionContents["indexes"] = {};
  for (const kind of ["unique", "ordered"] as const)
    for (const index of table[kind]) {
      const fields = collection[kind][index.shape.name] ?? [];
      indexes[toIndexName(kind, index.shape.name)] = {
        fields: [...fields],
        root: await writeIndex(index, sinks),
      };
    }
  return { revision: collection.revision, documents, indexes };
}
