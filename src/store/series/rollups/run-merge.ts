/** Merges runs of one segment into one, key by key. */
import type { FileLayer } from "../../../kit/files/file-layer.ts";
import { mergeBuckets } from "./bucket.ts";
import { createPacer } from "./pacer.ts";
import {
  type Run,
  type RunBlock,
  type RunIndex,
  compareKeys,
  damagedRun,
  decodeBlock,
  readRunIndex,
} from "./run-file.ts";
import { type RunPlace, type RunWriter, createRunWriter } from "./run-writer.ts";

const WINDOW_BYTES = 256 * 1024;

/** The blocks of a run, one after the other. */
class RunCursor {
  readonly #files: FileLayer;
  readonly run: Run;
  readonly #index: RunIndex;
  #next = 0;
  #window: Uint8Array = new Uint8Array(0);
  #windowStart = 0;
  head: (RunBlock & { readonly hash: number }) | undefined;

  constructor(files: FileLayer, run: Run, index: RunIndex) {
    this.#files = files;
    this.run = run;
    this.#index = index;
  }

  /** Puts the next block into `head`; undefined at the end. */
  async advance(): Promise<void> {
    const { hashes, offsets } = this.#index;
    const hash = hashes[this.#next];
    if (hash === undefined) {
      this.head = undefined;
      return;
    }
    const start = offsets[this.#next] ?? 0;
    const end = offsets[this.#next + 1] ?? 0;
    if (end > this.#windowStart + this.#window.length) await this.#load(start, end - start);
    const bytes = this.#window.subarray(start - this.#windowStart, end - this.#windowStart);
    this.head = { hash, ...decodeBlock(this.run.path, bytes) };
    this.#next += 1;
  }

  async #load(offset: number, atLeast: number): Promise<void> {
    const sizeBytes = Math.max(atLeast, WINDOW_BYTES);
    const window = await this.#files.readRange(this.run.path, { offset, sizeBytes });
    if (window === undefined || window.length < atLeast) throw damagedRun(this.run.path, "a block");
    this.#window = window;
    this.#windowStart = offset;
  }
}

async function openCursors(files: FileLayer, runs: readonly Run[]): Promise<RunCursor[]> {
  const cursors: RunCursor[] = [];
  for (const run of runs) {
    const index = await readRunIndex(files, run);
    if (index === undefined) throw damagedRun(run.path, "it is gone");
    const cursor = new RunCursor(files, run, index);
    await cursor.advance();
    cursors.push(cursor);
  }
  return cursors;
}

/** The cursors whose next key is the first of all. */
function findFirst(cursors: readonly RunCursor[]): RunCursor[] {
  let first: RunCursor[] = [];
  for (const cursor of cursors) {
    if (cursor.head === undefined) continue;
    const order = first[0]?.head === undefined ? -1 : compareKeys(cursor.head, first[0].head);
    if (order < 0) first = [cursor];
    else if (order === 0) first.push(cursor);
  }
  return first;
}

export interface MergeOptions {
  /** Runs of one tier and segment, consecutive in the order of their flushes. */
  readonly sources: readonly Run[];
  /** Whether what `run` holds of the key was dropped. */
  readonly isDropped: (key: string, run: Run) => boolean;
  /** Asked between keys; the merge is given up when it says so. */
  readonly isStopped: () => boolean;
}

async function writeMerged(
  writer: RunWriter,
  cursors: readonly RunCursor[],
  options: MergeOptions,
): Promise<boolean> {
  const pace = createPacer();
  for (let first = findFirst(cursors); first.length > 0; first = findFirst(cursors)) {
    if (options.isStopped()) return false;
    const key = first[0]?.head?.key ?? "";
    const kept = first.filter(({ run }) => !options.isDropped(key, run));
    const buckets = mergeBuckets(kept.flatMap(({ head }) => head?.buckets ?? []));
    if (buckets.length > 0) await writer.add(key, buckets);
    for (const cursor of first) await cursor.advance();
    await pace();
  }
  return true;
}

/** Writes the sum of the sources beside them; undefined when it was stopped. The folder is not synced yet. */
export async function mergeRuns(place: RunPlace, options: MergeOptions): Promise<Run | undefined> {
  const [oldest] = options.sources;
  const newest = options.sources.at(-1);
  if (oldest === undefined || newest === undefined) return undefined;
  const cursors = await openCursors(place.files, options.sources);
  const { tier, segment, first } = oldest;
  const writer = await createRunWriter(place, { tier, segment, first, last: newest.last });
  try {
    if (await writeMerged(writer, cursors, options)) return await writer.finish();
  } catch (error) {
    await writer.abort();
    throw error;
  }
  await writer.abort();
  return undefined;
}
