/** Sorted entries in a file that never changes, found over a tree of pages. Only pages above the leaves stay in memory. */
import { findFirst } from "../../kit/find-first.ts";
import type { ReadFile } from "../../kit/files/file-layer.ts";
import type { Key } from "../keys.ts";
import type { IndexValue } from "../store.ts";
import { parseKeyBytes, toKeyBytes } from "./key-bytes.ts";
import {
  CHILD_BYTES,
  type Child,
  childAt,
  compareAt,
  countEntries,
  keyBounds,
  rankInPage,
  valueStart,
} from "./page.ts";

export interface Root {
  readonly offset: number;
  readonly sizeBytes: number;
  /** 1 when the root is a leaf. */
  readonly levels: number;
  /** Entries in all. */
  readonly count: number;
  readonly dataOffset: number;
}

/** Leaves that stay in memory, at most twice as many: 4 to 8 MiB. */
const KEPT_LEAVES = 1_024;

/** Reads pages of one file. */
export class PageFile {
  readonly #file: ReadFile;
  readonly #upper = new Map<number, Buffer>();
  #young = new Map<number, Buffer>();
  #old: ReadonlyMap<number, Buffer> = new Map();

  constructor(file: ReadFile) {
    this.#file = file;
  }

  #read(offset: number, sizeBytes: number): Buffer {
    const page = Buffer.allocUnsafeSlow(sizeBytes);
    this.#file.read(page, { offset, sizeBytes });
    return page;
  }

  /** A page above the leaves. */
  upper(offset: number, sizeBytes: number): Buffer {
    const page = this.#upper.get(offset) ?? this.#read(offset, sizeBytes);
    this.#upper.set(offset, page);
    return page;
  }

  leaf(offset: number, sizeBytes: number): Buffer {
    const young = this.#young.get(offset);
    if (young !== undefined) return young;
    const page = this.#old.get(offset) ?? this.#read(offset, sizeBytes);
    if (this.#young.size >= KEPT_LEAVES) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(offset, page);
    return page;
  }
}

/** An entry's place in its leaf. */
export interface Found {
  readonly leaf: Buffer;
  readonly place: number;
  /** Entries of the tree before the leaf. */
  readonly before: number;
  readonly dataOffset: number;
}

/** Not a spread, as it is made many times a request: docs/decisions/078-members-before-the-copy.md. */
function foundIn({ leaf, before, dataOffset }: Omit<Found, "place">, place: number): Found {
  return { leaf, place, before, dataOffset };
}

/** A leaf as it is copied into the next file. */
export interface Leaf {
  readonly page: Buffer;
  readonly dataOffset: number;
  /** The first key of the next leaf; undefined at the end. */
  readonly end: Uint8Array | undefined;
}

/** See the module's header. */
export class PageTree {
  readonly #file: PageFile;
  readonly #root: Root;
  readonly valueBytes: number;
  /** The leaf that was gone down to last: the next one wanted is often the same. */
  #last: Omit<Found, "place"> | undefined;

  constructor(file: PageFile, options: { root: Root; valueBytes: number }) {
    this.#file = file;
    this.#root = options.root;
    this.valueBytes = options.valueBytes;
  }

  get size(): number {
    return this.#root.count;
  }

  /** Goes down to a leaf; `choose` says which child of a page to take. */
  #descend(choose: (page: Buffer, before: number) => number): Omit<Found, "place"> {
    let node: Omit<Child, "before"> = this.#root;
    let before = 0;
    for (let level = this.#root.levels; level > 1; level -= 1) {
      const page = this.#file.upper(node.offset, node.sizeBytes);
      const child = childAt(page, choose(page, before));
      before += child.before;
      node = child;
    }
    const leaf = this.#file.leaf(node.offset, node.sizeBytes);
    this.#last = { leaf, before, dataOffset: node.dataOffset };
    return this.#last;
  }

  /** Where the first entry that does not come before a key is, or would be. */
  seek(key: Uint8Array): Found {
    const last = this.#last;
    if (last !== undefined && this.#isWithin(last, key))
      return foundIn(last, rankInPage(last.leaf, key, this));
    const among = { valueBytes: CHILD_BYTES, orEqual: true };
    const found = this.#descend((page) => Math.max(0, rankInPage(page, key, among) - 1));
    return foundIn(found, rankInPage(found.leaf, key, this));
  }

  /** Whether a key has its place in a leaf: not before its first one, and not after its last one where others follow. */
  #isWithin({ leaf, before }: Omit<Found, "place">, key: Uint8Array): boolean {
    const end = countEntries(leaf);
    if (before + end < this.size && compareAt(leaf, key, { place: end - 1, valueBytes: this.valueBytes }) < 0)
      return false;
    return before === 0 || compareAt(leaf, key, { place: 0, valueBytes: this.valueBytes }) <= 0;
  }

  /** How many entries come before a key. */
  rank(key: Uint8Array): number {
    const { before, place } = this.seek(key);
    return before + place;
  }

  /** Whether nothing is from one key to another, which is no part of the range. */
  isEmpty(low: Uint8Array, high: Uint8Array): boolean {
    const found = this.seek(low);
    // Where the leaf ends, the next entry is the first of another one.
    const rank = found.before + found.place;
    if (rank >= this.size) return true;
    const { leaf, place } = found.place < countEntries(found.leaf) ? found : this.at(rank);
    const [start, end] = keyBounds(leaf, place, this.valueBytes);
    return leaf.compare(high, 0, high.byteLength, start, end) >= 0;
  }

  /** The entry with so many before it, fewer than `size`. */
  at(rank: number): Found {
    const last = this.#last;
    if (last !== undefined && rank >= last.before && rank < last.before + countEntries(last.leaf))
      return foundIn(last, rank - last.before);
    // The last child that begins at this entry or before it.
    const found = this.#descend(
      (page, before) =>
        findFirst(countEntries(page), (place) => before + childAt(page, place).before <= rank) - 1,
    );
    return foundIn(found, rank - found.before);
  }

  /** The key with so many before it. */
  keyAt(rank: number): IndexValue[] {
    const { leaf, place } = this.at(rank);
    return parseKeyBytes(leaf, ...keyBounds(leaf, place, this.valueBytes));
  }

  /** Whether a key is there. */
  has(key: Key): boolean {
    const bytes = toKeyBytes(key);
    return isKeyAt(this.seek(bytes), bytes, this.valueBytes);
  }

  *leaves(): Generator<Leaf> {
    for (let rank = 0; rank < this.size;) {
      const { leaf, dataOffset } = this.at(rank);
      rank += countEntries(leaf);
      yield { page: leaf, dataOffset, end: rank < this.size ? this.#bytesAt(rank) : undefined };
    }
  }

  #bytesAt(rank: number): Uint8Array {
    const { leaf, place } = this.at(rank);
    return Buffer.from(leaf.subarray(...keyBounds(leaf, place, this.valueBytes)));
  }
}

/** Whether a found entry has exactly this key. */
export function isKeyAt({ leaf, place }: Found, key: Uint8Array, valueBytes: number): boolean {
  if (place >= countEntries(leaf)) return false;
  const [start, end] = keyBounds(leaf, place, valueBytes);
  return end - start === key.byteLength && leaf.compare(key, 0, key.byteLength, start, end) === 0;
}

/** The number in a leaf's entry whose values are 32 bits long. */
export function numberAt(leaf: Buffer, place: number): number {
  return leaf.readUInt32LE(valueStart(leaf, place));
}
