/** Writes sorted entries as a tree of pages, from the leaves up. */
import type { ByteSink } from "./byte-sink.ts";
import {
  type Child,
  type Entry,
  PAGE_BYTES,
  countEntries,
  keyBounds,
  sizeOf,
  toChildValue,
  toPage,
} from "./page.ts";
import type { Root } from "./page-tree.ts";

/** Documents of one leaf take so many bytes at most, but for a single larger one. */
const LEAF_DATA_BYTES = 256 * 1024;
/** A leaf with fewer entries joins its neighbours when it is copied. */
const FEW_ENTRIES = 16;

interface Written extends Child {
  readonly firstKey: Uint8Array;
  readonly count: number;
}

/** Writes one tree. Entries come in the order of their keys. */
export class TreeWriter {
  readonly #sink: ByteSink;
  readonly #valueBytes: number;
  readonly #leaves: Written[] = [];
  #entries: Entry[] = [];
  #pageBytes = 0;
  #dataBytes = 0;
  #dataOffset = 0;
  #count = 0;

  constructor(sink: ByteSink, valueBytes: number) {
    this.#sink = sink;
    this.#valueBytes = valueBytes;
  }

  /** Adds an entry; `data` is the position of its document. */
  add(key: Uint8Array, data = { offset: 0, sizeBytes: 0 }): void {
    const entry = { key, value: Buffer.alloc(this.#valueBytes) };
    const isFull =
      this.#pageBytes + sizeOf(entry) > PAGE_BYTES || this.#dataBytes + data.sizeBytes > LEAF_DATA_BYTES;
    if (isFull) this.#endLeaf();
    if (this.#entries.length === 0) this.#dataOffset = data.offset;
    this.#entries.push(entry);
    this.#pageBytes += sizeOf(entry);
    this.#dataBytes = data.offset + data.sizeBytes - this.#dataOffset;
    if (this.#valueBytes > 0) entry.value.writeUInt32LE(this.#dataBytes);
  }

  /** Whether a leaf of another file can be taken as it is, without leaving small ones behind. */
  takes(page: Buffer): boolean {
    const isEven = this.#entries.length === 0 || this.#entries.length >= FEW_ENTRIES;
    return isEven && countEntries(page) >= FEW_ENTRIES;
  }

  addLeaf(page: Buffer, dataOffset: number): void {
    this.#endLeaf();
    const firstKey = page.subarray(...keyBounds(page, 0, this.#valueBytes));
    this.#write(page, { firstKey, count: countEntries(page), dataOffset });
  }

  #endLeaf(): void {
    const [first] = this.#entries;
    if (first !== undefined) {
      const count = this.#entries.length;
      this.#write(toPage(this.#entries), { firstKey: first.key, count, dataOffset: this.#dataOffset });
    }
    this.#entries = [];
    this.#pageBytes = 0;
    this.#dataBytes = 0;
  }

  #write(page: Buffer, of: Pick<Written, "firstKey" | "count" | "dataOffset">): void {
    this.#leaves.push({
      // A copy: the key may be a part of a whole page.
      firstKey: Buffer.from(of.firstKey),
      offset: this.#sink.offset,
      sizeBytes: page.byteLength,
      count: of.count,
      before: 0,
      dataOffset: of.dataOffset,
    });
    this.#count += of.count;
    this.#sink.write(page);
  }

  /** Writes what is left and the pages above; the tree's root. */
  end(): Root {
    this.#endLeaf();
    if (this.#leaves.length === 0)
      this.#write(toPage([]), { firstKey: new Uint8Array(), count: 0, dataOffset: 0 });
    let level = this.#leaves;
    let levels = 1;
    for (; level.length > 1; levels += 1) level = this.#writeAbove(level);
    const [{ offset, sizeBytes, dataOffset } = { offset: 0, sizeBytes: 0, dataOffset: 0 }] = level;
    return { offset, sizeBytes, dataOffset, levels, count: this.#count };
  }

  #writeAbove(children: readonly Written[]): Written[] {
    const parents: Written[] = [];
    let entries: Entry[] = [];
    let [bytes, count] = [0, 0];
    const endPage = (): void => {
      const page = toPage(entries);
      const firstKey = entries[0]?.key ?? new Uint8Array();
      parents.push({
        firstKey,
        offset: this.#sink.offset,
        sizeBytes: page.byteLength,
        count,
        before: 0,
        dataOffset: 0,
      });
      this.#sink.write(page);
      [entries, bytes, count] = [[], 0, 0];
    };
    for (const child of children) {
      const entry = { key: child.firstKey, value: toChildValue({ ...child, before: count }) };
      if (entries.length > 1 && bytes + sizeOf(entry) > PAGE_BYTES) {
        endPage();
        entry.value = toChildValue({ ...child, before: 0 });
      }
      entries.push(entry);
      bytes += sizeOf(entry);
      count += child.count;
    }
    endPage();
    return parents;
  }
}
