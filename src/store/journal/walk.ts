/** Walks a part of a tree in either direction. */
import type sortedBtree from "sorted-btree";
import { type Bounds, type Key, compareKeys } from "../keys.ts";

export type Tree<K, V> = InstanceType<typeof sortedBtree.default<K, V>>;

export interface WalkOptions<K> extends Bounds {
  /** The key to go on after, which need not exist any more. */
  readonly after: Key | undefined;
  readonly reverse: boolean;
  /** Keys at most. */
  readonly most: number;
  readonly toKey: (treeKey: K) => Key;
  /** The tree's own key for a place; undefined walks from the very start (or end). */
  readonly seek: (key: Key) => K | undefined;
}

function startOf<K>(options: WalkOptions<K>): Key {
  const { low, high, after, reverse } = options;
  const edge = reverse ? high : low;
  if (after === undefined) return edge;
  const beyond = compareKeys(after, edge);
  return (reverse ? beyond < 0 : beyond > 0) ? after : edge;
}

/** Whether a tree holds nothing within the bounds: one way down, without what an iterator is made of. */
function isEmpty<V>(tree: Tree<Key, V>, { low, high }: Bounds): boolean {
  const first = tree.getPairOrNextHigher(low);
  return first === undefined || compareKeys(first[0], high) >= 0;
}

/** How many keys a tree has within the bounds. */
export function countIndex<V>(tree: Tree<Key, V>, bounds: Bounds): number {
  return isEmpty(tree, bounds) ? 0 : tree.forRange(bounds.low, bounds.high, false);
}

/** The keys of an index within the bounds, in order, `most` of them; ranges that hold nothing are asked for most often. */
export function walkIndex<V>(
  tree: Tree<Key, V>,
  options: Omit<WalkOptions<Key>, "toKey" | "seek">,
): readonly Key[] {
  return isEmpty(tree, options) ? [] : walk(tree, { ...options, toKey: asIs, seek: asIs });
}

function asIs(key: Key): Key {
  return key;
}

/** The keys of a tree within the bounds, in order, `most` of them. */
export function walk<K, V>(tree: Tree<K, V>, options: WalkOptions<K>): Key[] {
  const { low, high, reverse, most, after } = options;
  const found: Key[] = [];
  const start = options.seek(startOf(options));
  for (const [treeKey] of reverse ? tree.entriesReversed(start) : tree.entries(start)) {
    const key = options.toKey(treeKey);
    const belowLow = compareKeys(key, low) < 0;
    const atHigh = compareKeys(key, high) >= 0;
    if (found.length === most || (reverse ? belowLow : atHigh)) break;
    const seen =
      after !== undefined && (reverse ? compareKeys(key, after) >= 0 : compareKeys(key, after) <= 0);
    if (!belowLow && !atHigh && !seen) found.push(key);
  }
  return found;
}
