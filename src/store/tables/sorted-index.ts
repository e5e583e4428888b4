/** One index of a collection: keys that end with the id of their document, over those of the snapshot. */
import sortedBtree from "sorted-btree";
import type { IndexValue } from "../store.ts";
import { type Bounds, type Doc, type IndexShape, type Key, compareKeys, keyOf, toBounds } from "../keys.ts";
import type { PageTree } from "../btree/page-tree.ts";
import { toKeyBytes } from "../btree/key-bytes.ts";
import { GONE, type Sorted, type Tree, type WalkOptions, walk } from "./walk.ts";

/** Value of a key that was added; a removed key of the snapshot has `GONE`. */
const ADDED = true;
type Mark = typeof ADDED | typeof GONE;

const asIs = (key: Key): Key => key;

/** A document's key in an index, with its id at the end, which makes keys distinct and the order total. */
export function toEntry(doc: Doc, shape: IndexShape): IndexValue[] | undefined {
  const key = keyOf(doc, shape);
  key?.push(doc.id);
  return key;
}

/** See the module's header. Changes are made in place; a clone shares what stays the same. */
export class SortedIndex implements Sorted<Key, Mark> {
  readonly shape: IndexShape;
  readonly base: PageTree | undefined;
  readonly tree: Tree<Key, Mark>;
  readonly toKey = asIs;
  readonly seek = asIs;
  /** Keys of the snapshot that are gone. */
  #gone: number;

  constructor(
    shape: IndexShape,
    parts: { base?: PageTree | undefined; tree?: Tree<Key, Mark>; gone?: number } = {},
  ) {
    this.shape = shape;
    this.base = parts.base;
    this.tree = parts.tree ?? new sortedBtree.default<Key, Mark>(undefined, compareKeys);
    this.#gone = parts.gone ?? 0;
  }

  clone(): SortedIndex {
    return new SortedIndex(this.shape, { base: this.base, tree: this.tree.clone(), gone: this.#gone });
  }

  get size(): number {
    return (this.base?.size ?? 0) + this.tree.size - 2 * this.#gone;
  }

  add(key: Key): void {
    if (this.tree.set(key, ADDED, false)) return;
    // It is one of the snapshot that had gone.
    this.tree.delete(key);
    this.#gone -= 1;
  }

  remove(key: Key): void {
    if (this.base === undefined || this.tree.get(key) === ADDED) {
      this.tree.delete(key);
      return;
    }
    this.tree.set(key, GONE);
    this.#gone += 1;
  }

  /** The id of the first document whose key begins with these values. */
  holder(values: readonly IndexValue[]): string | undefined {
    const bounds = toBounds({ prefix: values });
    const pair = this.tree.getPairOrNextHigher(bounds.low);
    const isChanged = pair !== undefined && compareKeys(pair[0], bounds.high) < 0;
    if (isChanged && pair[1] !== GONE) return String(pair[0].at(-1));
    if (this.base === undefined) return undefined;
    const [key] = isChanged ? walk(this, { most: 1, ...bounds }) : this.#walkBase(bounds);
    return key === undefined ? undefined : String(key.at(-1));
  }

  #walkBase({ low, high }: Bounds): Key[] {
    const rank = this.base?.rank(toKeyBytes(low)) ?? 0;
    const key = rank < (this.base?.size ?? 0) ? this.base?.keyAt(rank) : undefined;
    return key !== undefined && compareKeys(key, high) < 0 ? [key] : [];
  }

  /** Whether the bounds are empty, the most frequent question: one descent in each tree answers it. */
  #isEmpty({ low, high }: Bounds): boolean {
    const first = this.tree.getPairOrNextHigher(low);
    if (first !== undefined && compareKeys(first[0], high) < 0) return false;
    return this.base?.isEmpty(toKeyBytes(low), toKeyBytes(high)) ?? true;
  }

  /** The keys within the bounds, in order. */
  walk(options: WalkOptions): Key[] {
    return this.#isEmpty(options) ? [] : walk(this, options);
  }

  /** How many keys are within the bounds. */
  count({ low, high }: Bounds): number {
    if (compareKeys(low, high) >= 0 || this.#isEmpty({ low, high })) return 0;
    const { base, tree } = this;
    if (base === undefined) return tree.forRange(low, high, false);
    let count = base.rank(toKeyBytes(high)) - base.rank(toKeyBytes(low));
    tree.forRange(low, high, false, (_key, mark) => {
      count += mark === GONE ? -1 : 1;
    });
    return count;
  }
}
