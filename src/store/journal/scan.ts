/** Reads one journal file line by line. */
import type { FileLayer } from "../../kit/files/file-layer.ts";
import { type Entry, damaged, parseLine } from "./line.ts";

export interface Scan {
  /** Bytes up to the end of the last good line. */
  readonly goodBytes: number;
  /** Bytes after it, which were dropped: a batch that never became durable. */
  readonly tornBytes: number;
  /** Good lines. */
  readonly lines: number;
}

export interface Line {
  readonly bytes: Uint8Array;
  readonly number: number;
  readonly offset: number;
  /** False for what follows the last line end. */
  readonly ended: boolean;
}

const NEW_LINE = 0x0a;

export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let rest: Uint8Array = new Uint8Array();
  let number = 0;
  let offset = 0;
  for await (const chunk of chunks) {
    const whole = rest.byteLength === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = whole.indexOf(NEW_LINE); end >= 0; end = whole.indexOf(NEW_LINE, start)) {
      number += 1;
      yield { bytes: whole.subarray(start, end), number, offset, ended: true };
      offset += end + 1 - start;
      start = end + 1;
    }
    rest = whole.subarray(start);
  }
  if (rest.byteLength > 0) yield { bytes: rest, number: number + 1, offset, ended: false };
}

/**
 * Judges a bad line and what follows it. One last bad line is a torn write. More than that is one only
 * when the bad part holds zero bytes (pages of the file that never reached the disk) and every good
 * line behind belongs to the same batch, so that none of it was reported as stored.
 */
class Tail {
  readonly #path: string;
  readonly #first: Line;
  #badLines = 1;
  #hasZeros: boolean;

  constructor(path: string, first: Line) {
    this.#path = path;
    this.#first = first;
    this.#hasZeros = first.bytes.includes(0);
  }

  follow(line: Line, expectedLsn: number): void {
    const entry = parseLine(line.bytes);
    if (entry === undefined) {
      this.#badLines += 1;
      this.#hasZeros ||= line.bytes.includes(0);
    } else if (!this.#hasZeros || entry.batch > expectedLsn) {
      throw this.#error();
    }
  }

  finish(): void {
    if (this.#badLines > 1 && !this.#hasZeros) throw this.#error();
  }

  #error(): Error {
    return damaged(this.#path, `is damaged at line ${this.#first.number} (bad checksum or JSON)`);
  }
}

/**
 * Hands every entry of a journal to `apply`, in order. Entries must be contiguous.
 * @throws StoreError `store_unavailable` naming file, line and remedy when the file is damaged
 */
export async function scanJournal(
  files: FileLayer,
  path: string,
  options: {
    /** The transaction that comes next after all that was read before this file. */
    readonly expectedLsn: number;
    readonly apply: (entry: Entry, lineNumber: number) => void;
  },
): Promise<Scan> {
  const chunks = await files.readChunks(path);
  let goodBytes = 0;
  let lines = 0;
  let totalBytes = 0;
  let nextLsn = options.expectedLsn;
  let tail: Tail | undefined;
  for await (const line of splitLines(chunks ?? noChunks())) {
    totalBytes = line.offset + line.bytes.byteLength + (line.ended ? 1 : 0);
    if (tail !== undefined) {
      tail.follow(line, nextLsn);
      continue;
    }
    const entry = line.ended ? parseLine(line.bytes) : undefined;
    if (entry === undefined) {
      tail = new Tail(path, line);
      continue;
    }
    if (lines > 0 && entry.lsn !== nextLsn) {
      throw damaged(path, `lacks transactions ${nextLsn} to ${entry.lsn - 1} at line ${line.number}`);
    }
    options.apply(entry, line.number);
    nextLsn = entry.lsn + 1;
    goodBytes = totalBytes;
    lines += 1;
  }
  tail?.finish();
  return { goodBytes, tornBytes: totalBytes - goodBytes, lines };
}

async function* noChunks(): AsyncGenerator<Uint8Array> {}
