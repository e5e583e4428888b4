/**
 * Creates a snapshot and its index file from a store's files if no index file matches: restored, edited, or written by an
 * older program. Documents pass through the schema when their revision is older or a hand has edited them.
 */
import { assertChecks, toDocument } from "../documents.ts";
import { type Doc, type IndexShape, keyOf, toShapes } from "../keys.ts";
import type { CollectionContents, Prepared } from "../btree/base.ts";
import { parseKeyBytes, toKeyBytes } from "../btree/key-bytes.ts";
import { KeySorter, SpillFile } from "../btree/key-sorter.ts";
import { TreeWriter } from "../btree/page-writer.ts";
import { type Collection, StoreError } from "../store.ts";
import { Table, toIndexName } from "../tables/table.ts";
import { DocumentWriter, type Part, type Sinks, drain } from "../tables/write-table.ts";
import { Content, type Stored, toBytes } from "./content.ts";
import { damaged } from "./line.ts";
import { refuse, toExtra } from "./load.ts";
import { toWorkPaths } from "./place.ts";
import { type JournalFile, type Recovered, recover } from "./recovery.ts";
import { parseDoc } from "./snapshot.ts";
import { type SnapshotFileOptions, prepareSnapshot } from "./snapshot-adapter.ts";

/** Memory for the keys of all indexes of a collection. */
const KEYS_BYTES = 32 * 1024 * 1024;
/** So many documents are written between two looks at what has gathered. */
const DRAIN_EVERY = 16;
/** With each key: how many of its bytes come before the id. */
const PREFIX_BYTES = 4;

export interface RebuildOptions extends SnapshotFileOptions {
  readonly collections: readonly Collection[];
}

/** A snapshot that is ready to take the place of the files. */
export interface Rebuilt {
  readonly prepared: Prepared;
  readonly journals: readonly JournalFile[];
  /** Collections in the files that are not declared, to be read from the new snapshot. */
  readonly extras: ReadonlyMap<string, Table>;
}

function toChecked(collection: Collection, candidate: Doc): { doc: Doc; bytes: Buffer } {
  const { doc, text } = toDocument(collection, candidate);
  if (doc.id !== candidate.id)
    throw new StoreError("invalid_record", `The schema changed the id "${candidate.id}"`);
  assertChecks(collection, doc);
  return { doc, bytes: Buffer.from(text) };
}

/** One index that is being made. */
interface KeyList {
  readonly kind: "unique" | "ordered";
  readonly shape: IndexShape;
  readonly keys: KeySorter;
}

interface WriterOptions {
  readonly recovered: Recovered;
  readonly spill: SpillFile;
  /** Whether documents pass through the schema. */
  readonly isChecked: boolean;
}

/** Writes one collection of what was recovered. */
class CollectionWriter {
  readonly #collection: Collection;
  readonly #recovered: Recovered;
  readonly #lists: readonly KeyList[];
  readonly #isChecked: boolean;

  constructor(collection: Collection, { recovered, spill, isChecked }: WriterOptions) {
    this.#collection = collection;
    this.#recovered = recovered;
    this.#isChecked = isChecked;
    const shapes = (["unique", "ordered"] as const).flatMap((kind) =>
      toShapes(collection[kind]).map((shape) => ({ kind, shape })),
    );
    const maxBytes = KEYS_BYTES / Math.max(1, shapes.length);
    this.#lists = shapes.map((list) => ({
      ...list,
      keys: new KeySorter({ valueBytes: PREFIX_BYTES, spill: { file: spill, maxBytes } }),
    }));
  }

  #addKeys(doc: Doc): void {
    for (const { shape, keys } of this.#lists) {
      const key = keyOf(doc, shape);
      if (key === undefined) continue;
      const prefix = Buffer.allocUnsafe(PREFIX_BYTES);
      prefix.writeUInt32LE(toKeyBytes(key).byteLength);
      keys.add(toKeyBytes([...key, doc.id]), prefix);
    }
  }

  /** Notes the keys of a document; its id as it is sorted by, and its text. */
  #take(stored: Stored): [key: Uint8Array, bytes: Buffer] {
    const { snapshot } = this.#recovered;
    const found = stored.doc ?? parseDoc(snapshot, stored.bytes.toString());
    try {
      const { doc, bytes } = this.#isChecked
        ? toChecked(this.#collection, found)
        : { doc: found, bytes: toBytes(stored) };
      this.#addKeys(doc);
      return [toKeyBytes([doc.id]), bytes];
    } catch (error) {
      throw refuse(snapshot.path, this.#collection, { id: found.id, error });
    }
  }

  async #writeDocuments(content: Content, sinks: Sinks): Promise<CollectionContents["documents"]> {
    const writer = new DocumentWriter(sinks);
    let count = 0;
    for (const stored of await content.documents(this.#collection.name)) {
      writer.add(...this.#take(stored));
      count += 1;
      if (count % DRAIN_EVERY !== 0) continue;
      await drain(sinks);
      for (const { keys } of this.#lists) await keys.drain();
    }
    return writer.end();
  }

  async #writeKeys({ kind, shape, keys }: KeyList, sinks: Sinks): Promise<CollectionContents["documents"]> {
    const tree = new TreeWriter(sinks.index, 0);
    let last = Buffer.alloc(0);
    let count = 0;
    for (const { key, value } of await keys.sorted()) {
      const copy = Buffer.from(key);
      const prefix = copy.subarray(0, value.readUInt32LE());
      if (kind === "unique" && count > 0 && prefix.equals(last)) {
        const id = String(parseKeyBytes(copy, 0, copy.byteLength).at(-1));
        throw refuse(this.#recovered.snapshot.path, this.#collection, {
          id,
          error: new Error(`another record has this value of "${shape.name}"`),
        });
      }
      tree.add(copy);
      last = prefix;
      count += 1;
      if (count % DRAIN_EVERY === 0) await drain(sinks);
    }
    return tree.end();
  }

  async write(content: Content, sinks: Sinks): Promise<CollectionContents> {
    const { revision, ...declared } = this.#collection;
    const documents = await this.#writeDocuments(content, sinks);
    const indexes: CollectionContents["indexes"] = {};
    for (const list of this.#lists)
      indexes[toIndexName(list.kind, list.shape.name)] = {
        fields: [...(declared[list.kind][list.shape.name] ?? [])],
        root: await this.#writeKeys(list, sinks),
      };
    return { revision, documents, indexes };
  }
}

/** @throws StoreError `store_unavailable` when a newer program wrote a collection */
function assertKnown(collections: readonly Collection[], { snapshot }: Recovered): void {
  for (const { name, revision } of collections) {
    const stored = snapshot.collections.get(name)?.revision ?? revision;
    if (stored <= revision) continue;
    throw damaged(
      snapshot.path,
      `holds "${name}" in revision ${stored}, newer than ${revision}`,
      "start the newer version",
    );
  }
}

function findExtras(collections: readonly Collection[], { snapshot }: Recovered): Collection[] {
  return [...snapshot.collections]
    .filter(([name]) => !collections.some((declared) => declared.name === name))
    .map(([name, { revision }]) => toExtra(name, revision));
}

/**
 * Prepares a snapshot of all that the files hold, in bounded memory; undefined when there is no store yet. The files
 * stay as they are.
 * @throws StoreError `store_unavailable` when they are damaged, or a record cannot be taken
 */
export async function rebuild(options: RebuildOptions): Promise<Rebuilt | undefined> {
  const { files, name: service, collections } = options;
  const spill = new SpillFile(files, toWorkPaths(options)[1]);
  let content: Content | undefined;
  try {
    const recovered = await recover(options, spill);
    if (recovered === undefined) return undefined;
    assertKnown(collections, recovered);
    const extras = findExtras(collections, recovered);
    const opened = await Content.open(files, recovered);
    content = opened;
    const { snapshot } = recovered;
    const toPart = (collection: Collection): Part => {
      const { name, revision } = collection;
      const isOlder = snapshot.collections.get(name)?.revision !== revision;
      // The expected values of undeclared collections are unknown.
      const isChecked = (snapshot.edited || isOlder) && !extras.includes(collection);
      const writer = (): CollectionWriter =>
        new CollectionWriter(collection, { recovered, spill, isChecked });
      return { revision, write: (sinks) => writer().write(opened, sinks) };
    };
    const parts = new Map([...collections, ...extras].map((each) => [each.name, toPart(each)]));
    const { lsn, journals } = recovered;
    const journal = (journals.at(-1)?.generation ?? 0) + 1;
    const prepared = await prepareSnapshot(options, { service, lsn, journal, parts });
    const tables = extras.map((extra): [string, Table] => [extra.name, new Table(extra)]);
    return { prepared, journals, extras: new Map(tables) };
  } finally {
    content?.close();
    await spill.remove();
  }
}
