/** Walks a part of what is sorted in either direction: changes in memory over what the snapshot holds. */
import type sortedBtree from "sorted-btree";
import { type Bounds, type Key, compareKeys } from "../keys.ts";
import { toKeyBytes } from "../btree/key-bytes.ts";
import type { PageTree } from "../btree/page-tree.ts";

export type Tree<K, V> = InstanceType<typeof sortedBtree.default<K, V>>;

/** Marks keys of the snapshot that were removed. */
export const GONE = false;
/** A sorted view: the snapshot's part, and a tree of the differences. */
export interface Sorted<K, V> {
  readonly tree: Tree<K, V | typeof GONE>;
  readonly base: PageTree | undefined;
  readonly toKey: (treeKey: K) => Key;
  /** The tree's own key for a place; undefined means the very start (or end). */
  readonly seek: (key: Key) => K | undefined;
}

export interface WalkOptions extends Bounds {
  /** The key to continue after, which may have been deleted. */
  readonly after?: Key | undefined;
  readonly reverse?: boolean;
  /** Keys at most. */
  readonly most: number;
}

/** The remaining bounds of the walk, without `after`. */
function toRest({ low, high, after, reverse }: WalkOptions): Bounds {
  if (after === undefined) return { low, high };
  if (reverse === true) return { low, high: compareKeys(after, high) < 0 ? after : high };
  // No key sorts between a key and itself with one more part.
  return { low: compareKeys(after, low) < 0 ? low : [...after, false], high };
}

/** A place among keys that moves in one direction. */
interface Cursor {
  readonly key: Key | undefined;
  readonly isGone: boolean;
  next(): void;
}

const NOTHING: Cursor = { key: undefined, isGone: false, next: () => undefined };

function walkBase(base: PageTree, { low, high }: Bounds, reverse: boolean): Cursor {
  let rank = reverse ? base.rank(toKeyBytes(high)) - 1 : base.rank(toKeyBytes(low));
  const read = (): Key | undefined => {
    if (rank < 0 || rank >= base.size) return undefined;
    const found = base.keyAt(rank);
    const isBeyond = reverse ? compareKeys(found, low) < 0 : compareKeys(found, high) >= 0;
    return isBeyond ? undefined : found;
  };
  let key = read();
  return {
    isGone: false,
    get key() {
      return key;
    },
    next() {
      rank += reverse ? -1 : 1;
      key = read();
    },
  };
}

function walkTree<K, V>(
  { tree, toKey, seek }: Sorted<K, V>,
  { low, high }: Bounds,
  reverse: boolean,
): Cursor {
  const pairs = reverse ? tree.entriesReversed(seek(high)) : tree.entries(seek(low));
  const isBelow = (key: Key): boolean => compareKeys(key, low) < 0;
  const isAbove = (key: Key): boolean => compareKeys(key, high) >= 0;
  let key: Key | undefined;
  let isGone = false;
  const next = (): void => {
    do {
      const pair = pairs.next();
      key = pair.done === true ? undefined : toKey(pair.value[0]);
      isGone = pair.done !== true && pair.value[1] === GONE;
    } while (key !== undefined && (reverse ? isAbove(key) : isBelow(key)));
    if (key !== undefined && (reverse ? isBelow(key) : isAbove(key))) key = undefined;
  };
  next();
  return {
    get key() {
      return key;
    },
    get isGone() {
      return isGone;
    },
    next,
  };
}

/** Which of two comes first: below 0 the left one; what is not there comes last. */
function compareNext(left: Key | undefined, right: Key | undefined, reverse: boolean): number {
  if (left === undefined || right === undefined)
    return Number(left === undefined) - Number(right === undefined);
  return reverse ? compareKeys(right, left) : compareKeys(left, right);
}

/** The keys within the bounds, in order, `most` of them. */
export function walk<K, V>(sorted: Sorted<K, V>, options: WalkOptions): Key[] {
  const { most, reverse = false } = options;
  const bounds = toRest(options);
  const found: Key[] = [];
  if (compareKeys(bounds.low, bounds.high) >= 0) return found;
  const kept = sorted.base === undefined ? NOTHING : walkBase(sorted.base, bounds, reverse);
  const changed = walkTree(sorted, bounds, reverse);
  while (found.length < most) {
    const order = compareNext(kept.key, changed.key, reverse);
    const key = order < 0 ? kept.key : changed.key;
    if (key === undefined) break;
    if (order < 0 || !changed.isGone) found.push(key);
    if (order <= 0) kept.next();
    if (order >= 0) changed.next();
  }
  return found;
}
