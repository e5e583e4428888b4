/**
 * Sorts keys with a value of fixed length each, in bounded memory: as many as it may keep are sorted and go to a file,
 * and the parts are merged when they are read.
 */
import type { AppendFile, FileLayer, FileRange, ReadFile } from "../../kit/files/file-layer.ts";

/** A key and its value; good until the next one is read. */
export interface SortedKey {
  readonly key: Buffer;
  readonly value: Buffer;
}

const LENGTH_BYTES = 4;
/** Bytes of a part to read at once, unless a key is larger. */
const WINDOW_BYTES = 64 * 1024;
const FIRST_BYTES = 64 * 1024;

/** A file for the sorted parts of several sorters. It is made with the first one. */
export class SpillFile {
  readonly #files: FileLayer;
  readonly #path: string;
  #file: AppendFile | undefined;
  #sizeBytes = 0;

  constructor(files: FileLayer, path: string) {
    this.#files = files;
    this.#path = path;
  }

  async append(pieces: Iterable<Uint8Array>): Promise<FileRange> {
    this.#file ??= await this.#files.openAppend(this.#path, { truncate: true });
    const offset = this.#sizeBytes;
    for (const piece of pieces) {
      await this.#file.append(piece);
      this.#sizeBytes += piece.byteLength;
    }
    return { offset, sizeBytes: this.#sizeBytes - offset };
  }

  async openRead(): Promise<ReadFile | undefined> {
    return this.#file && this.#files.openRead(this.#path);
  }

  async remove(): Promise<void> {
    await this.#file?.close();
    if (this.#file !== undefined) await this.#files.remove(this.#path);
    this.#file = undefined;
  }
}

export interface KeySorterOptions {
  readonly valueBytes: number;
  /** Where sorted parts go when there are more than `maxBytes` of keys; without it all stay in memory. */
  readonly spill?: { readonly file: SpillFile; readonly maxBytes: number };
}

/** Compares keys; they mostly differ early, which a call into the runtime takes longer to find. */
function compareBytes(a: Buffer, b: Buffer): number {
  const length = Math.min(a.byteLength, b.byteLength);
  for (let i = 0; i < length; i += 1) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.byteLength - b.byteLength;
}

/** A sorted part in the file, from which entries are taken one by one. */
class Part {
  readonly #file: ReadFile;
  readonly #valueBytes: number;
  #rest: FileRange;
  #window = Buffer.alloc(0);
  #at = 0;
  entry: SortedKey | undefined;

  constructor(file: ReadFile, options: { range: FileRange; valueBytes: number }) {
    this.#file = file;
    this.#valueBytes = options.valueBytes;
    this.#rest = options.range;
    this.next();
  }

  /** Makes sure that so many bytes of the part are in the window. */
  #fill(wantedBytes: number): void {
    const kept = this.#window.subarray(this.#at);
    if (kept.byteLength >= wantedBytes) return;
    const { offset, sizeBytes } = this.#rest;
    const length = Math.min(sizeBytes, Math.max(WINDOW_BYTES, wantedBytes - kept.byteLength));
    const added = Buffer.allocUnsafeSlow(length);
    this.#file.read(added, { offset, sizeBytes: length });
    this.#rest = { offset: offset + length, sizeBytes: sizeBytes - length };
    this.#window = Buffer.concat([kept, added]);
    this.#at = 0;
  }

  next(): void {
    this.#fill(LENGTH_BYTES);
    if (this.#at === this.#window.byteLength) {
      this.entry = undefined;
      return;
    }
    const keyBytes = this.#window.readUInt32LE(this.#at);
    this.#fill(LENGTH_BYTES + keyBytes + this.#valueBytes);
    const start = this.#at + LENGTH_BYTES;
    const end = start + keyBytes;
    this.#at = end + this.#valueBytes;
    this.entry = { key: this.#window.subarray(start, end), value: this.#window.subarray(end, this.#at) };
  }
}

/** Merges the parts in order, with a heap. */
function* merge(parts: readonly Part[]): Generator<SortedKey> {
  const heap = parts.filter(({ entry }) => entry !== undefined);
  const isBefore = (a: Part | undefined, b: Part | undefined): boolean =>
    a?.entry !== undefined && b?.entry !== undefined && compareBytes(a.entry.key, b.entry.key) < 0;
  const sink = (from: number): void => {
    for (let at = from; ;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const least = isBefore(heap[right], heap[left]) ? right : left;
      const [upper, lower] = [heap[at], heap[least]];
      if (upper === undefined || lower === undefined || !isBefore(lower, upper)) return;
      heap[at] = lower;
      heap[least] = upper;
      at = least;
    }
  };
  for (let at = heap.length >> 1; at >= 0; at -= 1) sink(at);
  for (let first = heap[0]; first?.entry !== undefined; first = heap[0]) {
    yield first.entry;
    first.next();
    const last = first.entry === undefined ? heap.pop() : undefined;
    if (last !== undefined && last !== first) heap[0] = last;
    sink(0);
  }
}

/** See the module's header. First all is added, then it is read once. */
export class KeySorter {
  readonly #options: KeySorterOptions;
  readonly #parts: FileRange[] = [];
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #end = 0;
  #starts = new Uint32Array(1024);
  #count = 0;
  #isSorted = true;
  #size = 0;

  constructor(options: KeySorterOptions) {
    this.#options = options;
  }

  /** Keys in all. */
  get size(): number {
    return this.#size;
  }

  add(key: Uint8Array, value: Uint8Array): void {
    const { valueBytes } = this.#options;
    this.#makeRoom(LENGTH_BYTES + key.byteLength + valueBytes);
    const start = this.#end;
    this.#bytes.writeUInt32LE(key.byteLength, start);
    this.#bytes.set(key, start + LENGTH_BYTES);
    this.#bytes.set(value, start + LENGTH_BYTES + key.byteLength);
    this.#end = start + LENGTH_BYTES + key.byteLength + valueBytes;
    this.#isSorted &&= this.#count === 0 || this.#compare(this.#starts[this.#count - 1] ?? 0, start) < 0;
    this.#starts[this.#count] = start;
    this.#count += 1;
    this.#size += 1;
  }

  #makeRoom(wantedBytes: number): void {
    if (this.#end + wantedBytes > this.#bytes.byteLength) {
      const larger = Buffer.allocUnsafeSlow(2 * this.#bytes.byteLength + wantedBytes);
      this.#bytes.copy(larger, 0, 0, this.#end);
      this.#bytes = larger;
    }
    if (this.#count < this.#starts.length) return;
    const starts = new Uint32Array(2 * this.#starts.length);
    starts.set(this.#starts);
    this.#starts = starts;
  }

  #compare(a: number, b: number): number {
    const bytes = this.#bytes;
    const [aBytes, bBytes] = [bytes.readUInt32LE(a), bytes.readUInt32LE(b)];
    const length = Math.min(aBytes, bBytes);
    for (let i = LENGTH_BYTES; i < length + LENGTH_BYTES; i += 1) {
      const difference = (bytes[a + i] ?? 0) - (bytes[b + i] ?? 0);
      if (difference !== 0) return difference;
    }
    return aBytes - bBytes;
  }

  #sort(): Uint32Array {
    const starts = this.#starts.subarray(0, this.#count);
    if (!this.#isSorted) starts.sort((a, b) => this.#compare(a, b));
    return starts;
  }

  *#pieces(): Generator<Uint8Array> {
    let piece: Uint8Array[] = [];
    let pieceBytes = 0;
    for (const start of this.#sort()) {
      const entry = this.#entryBytes(start);
      piece.push(entry);
      pieceBytes += entry.byteLength;
      if (pieceBytes < WINDOW_BYTES) continue;
      yield Buffer.concat(piece);
      [piece, pieceBytes] = [[], 0];
    }
    yield Buffer.concat(piece);
  }

  #entryBytes(start: number): Buffer {
    const keyBytes = this.#bytes.readUInt32LE(start);
    return this.#bytes.subarray(start, start + LENGTH_BYTES + keyBytes + this.#options.valueBytes);
  }

  /** Between two keys: puts a part into the file when there are enough for one. */
  async drain(): Promise<void> {
    const { spill } = this.#options;
    if (spill !== undefined && this.#end >= spill.maxBytes) await this.#spill(spill.file);
  }

  async #spill(file: SpillFile): Promise<void> {
    this.#parts.push(await file.append(this.#pieces()));
    this.#end = 0;
    this.#count = 0;
    this.#isSorted = true;
  }

  *#kept(): Generator<SortedKey> {
    for (const start of this.#sort()) {
      const entry = this.#entryBytes(start);
      const end = entry.byteLength - this.#options.valueBytes;
      yield { key: entry.subarray(LENGTH_BYTES, end), value: entry.subarray(end) };
    }
    this.#free();
  }

  #free(): void {
    this.#bytes = Buffer.alloc(0);
    this.#starts = new Uint32Array();
    this.#count = 0;
  }

  *#merged(file: ReadFile): Generator<SortedKey> {
    const { valueBytes } = this.#options;
    try {
      yield* merge(this.#parts.map((range) => new Part(file, { range, valueBytes })));
    } finally {
      file.close();
    }
  }

  /** All keys in their order. Their memory is free when they have been read. */
  async sorted(): Promise<Generator<SortedKey>> {
    const { spill } = this.#options;
    if (spill === undefined || this.#parts.length === 0) return this.#kept();
    await this.#spill(spill.file);
    this.#free();
    const file = await spill.file.openRead();
    return file === undefined ? this.#kept() : this.#merged(file);
  }
}
