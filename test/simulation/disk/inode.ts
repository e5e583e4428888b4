/** A file of the simulated disk: what programs see, and what a power cut would leave of it. */
import type { Random } from "../kernel/random.ts";

const PAGE = 4_096;
const SECTOR = 512;

/** Bytes that grow. */
class Content {
  bytes = new Uint8Array(0);
  size = 0;

  #reserve(size: number): void {
    if (size <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(size, 2 * this.bytes.length, 256));
    grown.set(this.bytes.subarray(0, this.size));
    this.bytes = grown;
  }

  write(offset: number, bytes: Uint8Array): void {
    const end = offset + bytes.length;
    this.#reserve(end);
    if (offset > this.size) this.bytes.fill(0, this.size, offset);
    this.bytes.set(bytes, offset);
    this.size = Math.max(this.size, end);
  }

  truncate(size: number): void {
    this.#reserve(size);
    if (size > this.size) this.bytes.fill(0, this.size, size);
    this.size = size;
  }

  copy(): Content {
    const copied = new Content();
    copied.bytes = this.bytes.slice(0, this.size);
    copied.size = this.size;
    return copied;
  }
}

/** What was done since the last sync. */
type Change = { readonly offset: number; readonly bytes: Uint8Array } | { readonly size: number };

function apply(content: Content, change: Change): void {
  if ("size" in change) content.truncate(change.size);
  else content.write(change.offset, change.bytes);
}

export class FileInode {
  readonly kind = "file";
  mode: number;
  #seen = new Content();
  #durable = new Content();
  #changes: Change[] = [];

  constructor(mode: number) {
    this.mode = mode;
  }

  get size(): number {
    return this.#seen.size;
  }

  /** Bytes that a power cut may take. */
  get isDirty(): boolean {
    return this.#changes.length > 0;
  }

  read(into: Uint8Array, position: number): number {
    const count = Math.max(0, Math.min(into.length, this.#seen.size - position));
    into.set(this.#seen.bytes.subarray(position, position + count));
    return count;
  }

  readAll(): Uint8Array {
    return this.#seen.bytes.slice(0, this.#seen.size);
  }

  /** Returns what makes this write durable, and no other one. */
  write(offset: number, bytes: Uint8Array): () => void {
    const change = { offset, bytes: bytes.slice() };
    this.#seen.write(offset, change.bytes);
    this.#changes.push(change);
    return () => {
      if (!this.#changes.includes(change)) return;
      this.#changes = this.#changes.filter((other) => other !== change);
      apply(this.#durable, change);
    };
  }

  truncate(size: number): void {
    this.#seen.truncate(size);
    this.#changes.push({ size });
  }

  sync(): void {
    for (const change of this.#changes) apply(this.#durable, change);
    this.#changes = [];
  }

  /** A failed sync: some of it is on the disk, and the rest is forgotten though programs still see it. */
  failSync(random: Random): void {
    for (const change of this.#changes) if (random.chance(0.3)) apply(this.#durable, change);
    this.#changes = [];
  }

  /** What the disk has after a power cut: what was synced, and any part of the rest. */
  cutPower(random: Random): void {
    const changes = this.#changes;
    this.#changes = [];
    if (changes.length > 0) {
      if (random.chance(0.5)) this.#keepFirst(changes, random);
      else this.#keepSome(changes, random);
    }
    this.#seen = this.#durable.copy();
  }

  /** In order, the last one torn. */
  #keepFirst(changes: readonly Change[], random: Random): void {
    const count = random.below(changes.length + 1);
    for (const change of changes.slice(0, count)) apply(this.#durable, change);
    const torn = changes[count];
    if (torn === undefined || "size" in torn) return;
    const sectors = Math.floor(torn.bytes.length / SECTOR);
    const kept = random.chance(0.5)
      ? random.below(sectors + 1) * SECTOR
      : random.below(torn.bytes.length + 1);
    this.#durable.write(torn.offset, torn.bytes.subarray(0, kept));
  }

  /** Pages in any order; what was lost of a longer file are zeros. */
  #keepSome(changes: readonly Change[], random: Random): void {
    for (const change of changes) {
      if ("size" in change) {
        if (random.chance(0.5)) this.#durable.truncate(change.size);
        continue;
      }
      const { offset, bytes } = change;
      for (let at = 0; at < bytes.length;) {
        const length = Math.min(PAGE - ((offset + at) % PAGE), bytes.length - at);
        if (random.chance(0.5)) this.#durable.write(offset + at, bytes.subarray(at, at + length));
        at += length;
      }
    }
  }

  /** Bytes that were synced. */
  get durableBytes(): Uint8Array {
    return this.#durable.bytes.subarray(0, this.#durable.size);
  }

  /** Changes a bit of a byte that was synced; the same again changes it back. */
  flip(at: number, bit: number): void {
    for (const content of [this.#durable, this.#seen]) {
      const byte = content.bytes[at];
      if (at < content.size && byte !== undefined) content.bytes[at] = byte ^ (1 << bit);
    }
  }
}
