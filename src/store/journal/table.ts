/**
 * One collection in memory: documents by id and one tree per index. The trees are persistent B+trees:
 * a clone costs O(1) and shares nodes, so a published version never changes under a reader.
 */
import sortedBtree from "sorted-btree";
import type { Collection, IndexRange, IndexValue, ListOptions, Page } from "../store.ts";
import { parseCursor, toCursor } from "../cursor.ts";
import {
  type Doc,
  type IndexShape,
  type Key,
  compareIds,
  compareKeys,
  hasSameKey,
  keyOf,
  toBounds,
  toShapes,
} from "../keys.ts";
import { loadDocuments, loadOrdered, loadUnique } from "./bulk.ts";
import { type Tree, countIndex, walk, walkIndex } from "./walk.ts";

interface Index<V> {
  readonly shape: IndexShape;
  readonly tree: Tree<Key, V>;
}

const BTree = sortedBtree.default;

function createIndexes<V>(shapes: readonly IndexShape[]): Index<V>[] {
  return shapes.map((shape) => ({ shape, tree: new BTree<Key, V>(undefined, compareKeys) }));
}

/** Keys of ordered indexes end with the id, which makes them distinct and the order total. */
function orderedKey(doc: Doc, shape: IndexShape): IndexValue[] | undefined {
  const key = keyOf(doc, shape);
  key?.push(doc.id);
  return key;
}

function cloneIndexes<V>(indexes: readonly Index<V>[]): Index<V>[] {
  return indexes.map(({ shape, tree }) => ({ shape, tree: tree.clone() }));
}

interface Trees {
  readonly documents: Tree<string, Doc>;
  readonly unique: readonly Index<string>[];
  readonly ordered: readonly Index<undefined>[];
}

/** Documents and indexes of one collection. */
export class Table {
  readonly collection: Collection;
  readonly #documents: Tree<string, Doc>;
  readonly #unique: readonly Index<string>[];
  readonly #ordered: readonly Index<undefined>[];

  constructor(collection: Collection, trees?: Trees) {
    this.collection = collection;
    this.#documents = trees?.documents ?? new BTree<string, Doc>(undefined, compareIds);
    this.#unique = trees?.unique ?? createIndexes(toShapes(collection.unique));
    this.#ordered = trees?.ordered ?? createIndexes(toShapes(collection.ordered));
  }

  /**
   * A table that holds documents, which are frozen already. Throws {@link DuplicateKey}.
   * @throws StoreError `invalid_record` when an index cannot hold a document
   */
  static of(collection: Collection, docs: readonly Doc[]): Table {
    const { tree: documents, sorted } = loadDocuments(docs);
    return new Table(collection, {
      documents,
      unique: toShapes(collection.unique).map((shape) => ({ shape, tree: loadUnique(sorted, shape) })),
      ordered: toShapes(collection.ordered).map((shape) => ({ shape, tree: loadOrdered(sorted, shape) })),
    });
  }

  /** A table that changes apart from this one, at once, by sharing all that stays the same. */
  clone(): Table {
    return new Table(this.collection, {
      documents: this.#documents.clone(),
      unique: cloneIndexes(this.#unique),
      ordered: cloneIndexes(this.#ordered),
    });
  }

  get size(): number {
    return this.#documents.size;
  }

  get(id: string): Doc | undefined {
    return this.#documents.get(id);
  }

  documents(): IterableIterator<Doc> {
    return this.#documents.values();
  }

  by(index: string, key: readonly IndexValue[]): Doc | undefined {
    const { shape, tree } = this.#find(this.#unique, index);
    if (key.length !== shape.paths.length)
      throw new RangeError(`Index "${index}" has ${shape.paths.length} fields`);
    const id = tree.get(key);
    return id === undefined ? undefined : this.#documents.get(id);
  }

  /**
   * The unique index in which another document already holds this one's key; `before` is what the table holds of it.
   * @throws StoreError `invalid_record` when an index cannot hold the document, so that `replace` never stops halfway
   */
  violated(doc: Doc, before?: Doc): string | undefined {
    for (const { shape } of this.#ordered) if (!hasSameKey(before, doc, shape)) keyOf(doc, shape);
    for (const { shape, tree } of this.#unique) {
      if (hasSameKey(before, doc, shape)) continue;
      const key = keyOf(doc, shape);
      const holder = key === undefined ? undefined : tree.get(key);
      if (holder !== undefined && holder !== doc.id) return shape.name;
    }
    return undefined;
  }

  /** Replaces `before` by `after`; undefined stands for "none". Both are documents of one id. */
  replace(before: Doc | undefined, after: Doc | undefined): void {
    for (const { shape, tree } of this.#unique) {
      if (hasSameKey(before, after, shape)) continue;
      const old = before && keyOf(before, shape);
      const next = after && keyOf(after, shape);
      if (old !== undefined && next !== undefined && compareKeys(old, next) === 0) continue;
      if (old !== undefined) tree.delete(old);
      if (next !== undefined && after !== undefined) tree.set(next, after.id);
    }
    for (const { shape, tree } of this.#ordered) {
      if (hasSameKey(before, after, shape)) continue;
      const old = before && orderedKey(before, shape);
      const next = after && orderedKey(after, shape);
      if (old !== undefined && next !== undefined && compareKeys(old, next) === 0) continue;
      if (old !== undefined) tree.delete(old);
      if (next !== undefined) tree.set(next, undefined);
    }
    if (after !== undefined) this.#documents.set(after.id, after);
    else if (before !== undefined) this.#documents.delete(before.id);
  }

  list(index: string, options: ListOptions): Page<Doc> {
    const { limit } = options;
    if (!Number.isInteger(limit) || limit < 1 || limit > 1000)
      throw new RangeError("limit must be 1 to 1000");
    const keys = this.#keys(index, options, limit + 1);
    const items: Doc[] = [];
    for (const key of keys.slice(0, limit)) {
      const doc = this.#documents.get(String(key.at(-1)));
      if (doc !== undefined) items.push(doc);
    }
    const last = keys.length > limit ? keys[limit - 1] : undefined;
    return last === undefined ? { items } : { items, nextCursor: toCursor(index, last) };
  }

  count(index: string, range: IndexRange | undefined): number {
    if (range === undefined) return index === "id" ? this.size : this.#find(this.#ordered, index).tree.size;
    const { low, high } = toBounds(range);
    if (compareKeys(low, high) >= 0) return 0;
    if (index !== "id") return countIndex(this.#find(this.#ordered, index).tree, { low, high });
    let count = 0;
    for (const id of this.#documents.keys(idOf(low))) {
      if (compareKeys([id], high) >= 0) break;
      count += 1;
    }
    return count;
  }

  #find<V>(indexes: readonly Index<V>[], name: string): Index<V> {
    const found = indexes.find(({ shape }) => shape.name === name);
    if (found === undefined) throw new RangeError(`"${this.collection.name}" has no such index: "${name}"`);
    return found;
  }

  #keys(index: string, options: ListOptions, most: number): readonly Key[] {
    const reverse = options.reverse === true;
    if (index === "id") {
      const after =
        options.cursor === undefined ? undefined : parseCursor(options.cursor, { index, length: 1 });
      const toKey = (id: string): Key => [id];
      return walk(this.#documents, { ...toBounds(options), after, most, reverse, toKey, seek: idOf });
    }
    const { shape, tree } = this.#find(this.#ordered, index);
    const length = shape.paths.length + 1;
    const after = options.cursor === undefined ? undefined : parseCursor(options.cursor, { index, length });
    return walkIndex(tree, { ...toBounds(options), after, most, reverse });
  }
}

function idOf(key: Key): string | undefined {
  return typeof key[0] === "string" ? key[0] : undefined;
}
