/**
 * One collection: what the snapshot holds, and in memory what differs from it now, as one tree of documents and one for
 * each index. The trees are persistent B+trees: a clone costs O(1) and shares nodes, so a published version never
 * changes under a reader.
 */
import sortedBtree from "sorted-btree";
import type { Collection, IndexRange, IndexValue, ListOptions, Page } from "../store.ts";
import { parseCursor, toCursor } from "../cursor.ts";
import {
  type Doc,
  type Key,
  compareIds,
  compareKeys,
  hasSameKey,
  keyOf,
  toBounds,
  toShapes,
} from "../keys.ts";
import type { BaseCollection } from "../btree/base.ts";
import { SortedIndex, toEntry } from "./sorted-index.ts";
import { GONE, type Tree, walk } from "./walk.ts";

const BTree = sortedBtree.default;

/** Documents that are not as the snapshot holds them; `GONE` for those that it holds and that are no more. */
type Documents = Tree<string, Doc | typeof GONE>;

/** Lists of more records do not push others out of those that stay parsed. */
const SCAN_RECORDS = 100;

interface Parts {
  readonly base?: BaseCollection | undefined;
  readonly documents?: Documents;
  readonly unique?: readonly SortedIndex[];
  readonly ordered?: readonly SortedIndex[];
  readonly size?: number;
}

/** The name of an index in the snapshot's index file. */
export function toIndexName(kind: "unique" | "ordered", name: string): string {
  return `${kind} ${name}`;
}

function createIndexes(
  kind: "unique" | "ordered",
  { collection, base }: { collection: Collection; base: BaseCollection | undefined },
): SortedIndex[] {
  return toShapes(collection[kind]).map(
    (shape) => new SortedIndex(shape, { base: base?.index(toIndexName(kind, shape.name)) }),
  );
}

/** Documents and indexes of one collection. */
export class Table {
  readonly collection: Collection;
  readonly base: BaseCollection | undefined;
  readonly unique: readonly SortedIndex[];
  readonly ordered: readonly SortedIndex[];
  readonly #documents: Documents;
  #size: number;

  constructor(collection: Collection, parts: Parts = {}) {
    const { base } = parts;
    this.collection = collection;
    this.base = base;
    this.#documents = parts.documents ?? new BTree<string, Doc | typeof GONE>(undefined, compareIds);
    this.unique = parts.unique ?? createIndexes("unique", { collection, base });
    this.ordered = parts.ordered ?? createIndexes("ordered", { collection, base });
    this.#size = parts.size ?? base?.size ?? 0;
  }

  /** A table that changes apart from this one, at once, by sharing all that stays the same. */
  clone(): Table {
    return new Table(this.collection, {
      base: this.base,
      documents: this.#documents.clone(),
      unique: this.unique.map((index) => index.clone()),
      ordered: this.ordered.map((index) => index.clone()),
      size: this.#size,
    });
  }

  get size(): number {
    return this.#size;
  }

  get(id: string, options?: { readonly isScan: boolean }): Doc | undefined {
    const changed = this.#documents.get(id);
    if (changed === undefined) return this.base?.get(id, options);
    return changed === GONE ? undefined : changed;
  }

  /** Documents that are not as the snapshot holds them, by id; undefined for those that are gone. */
  *changes(): Generator<readonly [id: string, doc: Doc | undefined]> {
    for (const [id, doc] of this.#documents.entries()) yield [id, doc === GONE ? undefined : doc];
  }

  by(index: string, key: readonly IndexValue[]): Doc | undefined {
    const found = this.#find(this.unique, index);
    if (key.length !== found.shape.paths.length)
      throw new RangeError(`Index "${index}" has ${found.shape.paths.length} fields`);
    const id = found.holder(key);
    return id === undefined ? undefined : this.get(id);
  }

  /**
   * The unique index in which another document already holds this one's key; `before` is what the table holds of it.
   * @throws StoreError `invalid_record` when an index cannot hold the document, so that `replace` never stops halfway
   */
  violated(doc: Doc, before?: Doc): string | undefined {
    for (const { shape } of this.ordered) if (!hasSameKey(before, doc, shape)) keyOf(doc, shape);
    for (const index of this.unique) {
      if (hasSameKey(before, doc, index.shape)) continue;
      const key = keyOf(doc, index.shape);
      const holder = key === undefined ? undefined : index.holder(key);
      if (holder !== undefined && holder !== doc.id) return index.shape.name;
    }
    return undefined;
  }

  /** Replaces `before` by `after`; undefined means "none". Both have the same ID. */
  replace(before: Doc | undefined, after: Doc | undefined): void {
    for (const index of this.unique) moveKey(index, before, after);
    for (const index of this.ordered) moveKey(index, before, after);
    this.#size += Number(after !== undefined) - Number(before !== undefined);
    if (after !== undefined) this.#documents.set(after.id, after);
    else if (before !== undefined && this.base?.has(before.id) === true) this.#documents.set(before.id, GONE);
    else if (before !== undefined) this.#documents.delete(before.id);
  }

  list(index: string, options: ListOptions): Page<Doc> {
    const { limit } = options;
    if (!Number.isInteger(limit) || limit < 1 || limit > 1000)
      throw new RangeError("limit must be 1 to 1000");
    const keys = this.#keys(index, options, limit + 1);
    const items: Doc[] = [];
    // A reader of this many keys scans on and does not return to them.
    const isScan = keys.length > SCAN_RECORDS;
    for (const key of keys.slice(0, limit)) {
      const doc = this.get(String(key.at(-1)), { isScan });
      if (doc !== undefined) items.push(doc);
    }
    const last = keys.length > limit ? keys[limit - 1] : undefined;
    return last === undefined ? { items } : { items, nextCursor: toCursor(index, last) };
  }

  count(index: string, range: IndexRange | undefined): number {
    if (range === undefined) return index === "id" ? this.size : this.#find(this.ordered, index).size;
    const bounds = toBounds(range);
    if (index !== "id") return this.#find(this.ordered, index).count(bounds);
    return this.#walkIds({ most: Number.POSITIVE_INFINITY, ...bounds }).length;
  }

  #find(indexes: readonly SortedIndex[], name: string): SortedIndex {
    const found = indexes.find(({ shape }) => shape.name === name);
    if (found === undefined) throw new RangeError(`"${this.collection.name}" has no such index: "${name}"`);
    return found;
  }

  #walkIds(options: Parameters<typeof walk>[1]): Key[] {
    const toKey = (id: string): Key => [id];
    return walk({ tree: this.#documents, base: this.base?.documents, toKey, seek: idOf }, options);
  }

  #keys(name: string, options: ListOptions, most: number): readonly Key[] {
    const { cursor, reverse } = options;
    const index = name === "id" ? undefined : this.#find(this.ordered, name);
    const length = (index?.shape.paths.length ?? 0) + 1;
    const after = cursor === undefined ? undefined : parseCursor(cursor, { index: name, length });
    const range = { after, most, reverse, ...toBounds(options) };
    return index === undefined ? this.#walkIds(range) : index.walk(range);
  }
}

/** Replaces a document's key in an index; most changes leave most keys as they are. */
function moveKey(index: SortedIndex, before: Doc | undefined, after: Doc | undefined): void {
  if (hasSameKey(before, after, index.shape)) return;
  const old = before && toEntry(before, index.shape);
  const next = after && toEntry(after, index.shape);
  if (old !== undefined && next !== undefined && compareKeys(old, next) === 0) return;
  if (old !== undefined) index.remove(old);
  if (next !== undefined) index.add(next);
}

function idOf(key: Key): string | undefined {
  return typeof key[0] === "string" ? key[0] : undefined;
}
