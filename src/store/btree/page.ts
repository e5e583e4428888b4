/**
 * A page of a sorted file: `count`, the end of each entry (16 bits each), then the entries, each a value of fixed
 * length and a key. Values of leaves say where a document ends, or nothing; those of other pages are children.
 */
import { findFirst } from "../../kit/find-first.ts";

/** Bytes of a page after which the next one begins. */
export const PAGE_BYTES = 4096;
/** Size of a child's value: offset, length, entries before it, start of its documents. */
export const CHILD_BYTES = 24;
const HEAD_BYTES = 2;
const END_BYTES = 2;

/** A page below another one. */
export interface Child {
  readonly offset: number;
  readonly sizeBytes: number;
  /** Entries of all its elder siblings under the same parent. */
  readonly before: number;
  /** Offset of its first document in the snapshot; 0 in indexes. */
  readonly dataOffset: number;
}

/** An entry as a writer has it. */
export interface Entry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** Bytes that an entry takes in a page. */
export function sizeOf({ key, value }: Entry): number {
  return END_BYTES + key.byteLength + value.byteLength;
}

/** Lays entries out as a page. */
export function toPage(entries: readonly Entry[]): Buffer {
  const page = Buffer.allocUnsafe(entries.reduce((sum, entry) => sum + sizeOf(entry), HEAD_BYTES));
  page.writeUInt16LE(entries.length, 0);
  let end = HEAD_BYTES + END_BYTES * entries.length;
  entries.forEach(({ key, value }, place) => {
    page.set(value, end);
    page.set(key, end + value.byteLength);
    end += key.byteLength + value.byteLength;
    page.writeUInt16LE(end, HEAD_BYTES + END_BYTES * place);
  });
  return page;
}

/** Writes a child as the value of its entry. */
export function toChildValue({ offset, sizeBytes, before, dataOffset }: Child): Uint8Array {
  const value = Buffer.allocUnsafe(CHILD_BYTES);
  value.writeDoubleLE(offset, 0);
  value.writeUInt32LE(sizeBytes, 8);
  value.writeUInt32LE(before, 12);
  value.writeDoubleLE(dataOffset, 16);
  return value;
}

/** How many entries a page has. */
export function countEntries(page: Buffer): number {
  return (page[0] ?? 0) + ((page[1] ?? 0) << 8);
}

function endOf(page: Buffer, place: number): number {
  if (place < 0) return HEAD_BYTES + END_BYTES * countEntries(page);
  const at = HEAD_BYTES + END_BYTES * place;
  return (page[at] ?? 0) + ((page[at + 1] ?? 0) << 8);
}

/** Where an entry's value begins. */
export function valueStart(page: Buffer, place: number): number {
  return endOf(page, place - 1);
}

/** Where an entry's key begins and ends. */
export function keyBounds(page: Buffer, place: number, valueBytes: number): [start: number, end: number] {
  return [endOf(page, place - 1) + valueBytes, endOf(page, place)];
}

export function childAt(page: Buffer, place: number): Child {
  const start = valueStart(page, place);
  return {
    offset: page.readDoubleLE(start),
    sizeBytes: page.readUInt32LE(start + 8),
    before: page.readUInt32LE(start + 12),
    dataOffset: page.readDoubleLE(start + 16),
  };
}

/**
 * Orders the key of an entry and another one: below 0 when the entry's comes first. Byte by byte, since most keys differ
 * in one of their first bytes: a call of `Buffer.compare` takes longer than that.
 */
export function compareAt(
  page: Buffer,
  key: Uint8Array,
  { place, valueBytes }: { readonly place: number; readonly valueBytes: number },
): number {
  const start = endOf(page, place - 1) + valueBytes;
  const length = endOf(page, place) - start;
  const common = length < key.byteLength ? length : key.byteLength;
  for (let i = 0; i < common; i += 1) {
    const difference = (page[start + i] ?? 0) - (key[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return length - key.byteLength;
}

/** How many entries of a page come before a key, or are it. */
export function rankInPage(
  page: Buffer,
  key: Uint8Array,
  { valueBytes, orEqual = false }: { valueBytes: number; orEqual?: boolean },
): number {
  const end = orEqual ? 1 : 0;
  return findFirst(countEntries(page), (place) => compareAt(page, key, { place, valueBytes }) < end);
}
