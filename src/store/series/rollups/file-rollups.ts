/** Rollups on files. */
import { basename } from "node:path";
import type { Clock } from "../../../kit/time/clock.ts";
import { type FileLayer, nodeFileLayer } from "../../../kit/files/file-layer.ts";
import { StoreError } from "../../store.ts";
import { textOf } from "../../../kit/thrown.ts";
import { mergeBuckets } from "./bucket.ts";
import { type DataProblem, SCRUB_PIECE_BYTES, type Scrub } from "../../scrub.ts";
import { type Commit, readCommit, writeCommit } from "./commit-file.ts";
import { writeFlush } from "./flush-writer.ts";
import { type Horizon, createHorizon } from "./horizon.ts";
import { planMerge } from "./merge-plan.ts";
import type {
  RollupBucket,
  RollupFlush,
  RollupQuery,
  RollupStore,
  RollupTier,
  RollupView,
  TierSize,
} from "./rollups.ts";
import { type Run, damagedRun, verifyRun } from "./run-file.ts";
import { readRunFolder } from "./run-folder.ts";
import { mergeRuns } from "./run-merge.ts";
import { type RunReader, createRunReader } from "./run-reader.ts";
import { parseRunName } from "./run-name.ts";
import type { RunPlace } from "./run-writer.ts";

export interface FileRollupsOptions {
  /** Lies in a folder that its owner has locked; made when it does not exist. */
  readonly folder: string;
  readonly tiers: readonly RollupTier[];
  readonly clock: Pick<Clock, "now">;
  readonly files?: FileLayer;
  /** See `RollupStore.origin`. Default "alone". */
  readonly origin?: string;
  /** Called at the start for each file that is gone, with what it held. */
  readonly onLost?: (lost: { readonly path: string; readonly problem: string }) => void;
}

/** Runs that a question reads at once: a day has 24, and each read is three waits for another thread. */
const READS_AT_ONCE = 4;

/** Everything that readers see; replaced as a whole. */
interface State {
  readonly commit: Commit;
  readonly runs: readonly Run[];
}

function toUnavailable(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const text = `The history cannot be written: ${textOf(error)}`;
  return new StoreError("store_unavailable", text, { cause: error });
}

/** Dropped keys of which there may still be something. */
function forgetOld(dropped: ReadonlyMap<string, number>, runs: readonly Run[]): ReadonlyMap<string, number> {
  const oldest = runs.reduce((least, { first }) => Math.min(least, first), Infinity);
  return new Map([...dropped].filter(([, flush]) => flush >= oldest));
}

class FileRollups implements RollupStore {
  readonly origin: string;
  readonly #place: RunPlace;
  readonly #horizon: Horizon;
  readonly #reader: RunReader;
  #state: State;
  /** Runs that are written and a commit that may or may not be on the disk: it is written again first of all. */
  #pending: { readonly commit: Commit; readonly added: readonly Run[] } | undefined;
  /** Changes of the commit, one after the other; never rejects. */
  #turn: Promise<unknown> = Promise.resolve();
  #maintaining: Promise<void> | undefined;
  #isClosed = false;

  constructor(place: RunPlace, horizon: Horizon, start: { state: State; origin: string }) {
    this.origin = start.origin;
    this.#place = place;
    this.#horizon = horizon;
    this.#state = start.state;
    this.#reader = createRunReader(place.files);
  }

  get flushedSeq(): number {
    return this.#state.commit.flushedSeq;
  }

  flush(flush: RollupFlush): Promise<void> {
    return this.#inTurn(async () => {
      await this.#finishCommit();
      const { commit } = this.#state;
      if (flush.nextSeq <= commit.flushedSeq) return;
      await this.#removeUncommitted();
      const batch = flush.collect(commit.flushedSeq);
      this.#horizon.note(batch.newestAt);
      const number = commit.flush + 1;
      const added = await writeFlush(this.#place, { batch, flush: number, horizon: this.#horizon });
      const dropped = forgetOld(commit.dropped, this.#state.runs);
      this.#pending = { commit: { flush: number, flushedSeq: flush.nextSeq, dropped }, added };
      await this.#finishCommit();
    });
  }

  async read({ tier, key, from, to }: RollupQuery): Promise<RollupView> {
    const known = this.#horizon.tier(tier);
    for (;;) {
      const state = this.#state;
      const found = await this.#readRuns(state, { tier: known, key, from, to });
      // This run was merged meanwhile: another run has its spans now.
      if (found === undefined) continue;
      const buckets = mergeBuckets(found).filter(
        ({ at }) => at >= from && at < to && this.#horizon.keeps(known, at),
      );
      const { flushedSeq } = state.commit;
      return { buckets, flushedSeq, marks: new Map([[this.origin, flushedSeq]]) };
    }
  }

  drop(key: string): Promise<void> {
    return this.#inTurn(async () => {
      const { commit, runs } = this.#state;
      const { commit: last, added } = this.#pending ?? { commit, added: [] };
      const dropped = new Map([...last.dropped, [key, last.flush] as const]);
      this.#pending = { commit: { ...last, dropped }, added };
      // The file is no longer read, even if the disk writes it later.
      this.#state = { commit: { ...commit, dropped }, runs };
      await this.#finishCommit();
    });
  }

  /** The only owner misses no drop. */
  async keys(): Promise<readonly string[]> {
    return [];
  }

  retain(tier: string, keepMs: number): void {
    this.#horizon.retain(tier, keepMs);
  }

  maintain(): Promise<void> {
    this.#maintaining ??= this.#maintainNow()
      .catch((error: unknown) => {
        throw toUnavailable(error);
      })
      .finally(() => {
        this.#maintaining = undefined;
      });
    return this.#maintaining;
  }

  async sizes(): Promise<ReadonlyMap<string, TierSize>> {
    const sizes = new Map(this.#horizon.tiers.map(({ name }) => [name, { bytes: 0, buckets: 0 }]));
    for (const { tier, sizeBytes, buckets } of this.#state.runs) {
      const size = sizes.get(tier);
      if (size === undefined) continue;
      size.bytes += sizeBytes;
      size.buckets += buckets;
    }
    return sizes;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#turn;
    await this.#maintaining?.catch(() => undefined);
  }

  /** Compares all runs that count, and the commit, with their checksums. */
  readonly scrub = async function* scrub(this: FileRollups): AsyncGenerator<number | DataProblem> {
    const { files, folder } = this.#place;
    try {
      if ((await readCommit(files, folder)) === undefined)
        yield { path: `${folder}/commit`, problem: "is missing; the next flush recreates it" };
    } catch (error) {
      yield { path: `${folder}/commit`, problem: textOf(error) };
    }
    for (const run of this.#state.runs)
      try {
        yield* verifyRun(files, run, SCRUB_PIECE_BYTES);
        if ((await files.sizeBytes(run.path)) === undefined && this.#state.runs.includes(run))
          yield { path: run.path, problem: "is missing; restore it from a backup" };
      } catch (error) {
        // One that was merged away since counts no more.
        if (this.#state.runs.includes(run)) yield { path: run.path, problem: textOf(error) };
      }
  }.bind(this);

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(async () => {
      if (this.#isClosed) throw new StoreError("store_unavailable", "The history is closed");
      try {
        await work();
      } catch (error) {
        throw toUnavailable(error);
      }
    });
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #finishCommit(): Promise<void> {
    if (this.#pending === undefined) return;
    const { commit, added } = this.#pending;
    const runs = [...this.#state.runs, ...added];
    const names = runs.map(({ path }) => basename(path));
    await writeCommit(this.#place.files, this.#place.folder, { ...commit, runs: names });
    this.#pending = undefined;
    // Runs may have been merged while that was written.
    this.#state = { commit, runs: [...this.#state.runs, ...added] };
  }

  /** Files that a failed flush could not remove must not count with the next one, which gets its number. */
  async #removeUncommitted(): Promise<void> {
    const { files, folder } = this.#place;
    const { flush } = this.#state.commit;
    for (const name of await files.list(folder)) {
      const run = parseRunName(name);
      if (run !== undefined && run.last > flush) await files.remove(`${folder}/${name}`);
    }
  }

  async #readRuns(
    { commit, runs }: State,
    query: { tier: RollupTier; key: string; from: number; to: number },
  ): Promise<RollupBucket[] | undefined> {
    const { tier, key } = query;
    const droppedAt = commit.dropped.get(key) ?? 0;
    const asked = runs.filter((run) => {
      const start = run.segment * tier.segmentMs;
      return (
        run.tier === tier.name &&
        start < query.to &&
        start + tier.segmentMs > query.from &&
        run.last > droppedAt
      );
    });
    const found: RollupBucket[] = [];
    for (let first = 0; first < asked.length; first += READS_AT_ONCE) {
      const next = asked.slice(first, first + READS_AT_ONCE);
      const read = await Promise.all(
        next.map(async (run) => ({ run, buckets: await this.#reader.read(run, key) })),
      );
      for (const { run, buckets } of read) {
        if (buckets !== "gone") found.push(...buckets);
        else if (this.#state.runs.includes(run)) throw damagedRun(run.path, "it is gone");
        else return undefined;
      }
    }
    return found;
  }

  async #maintainNow(): Promise<void> {
    await this.#expire();
    while (!this.#isClosed && (await this.#mergeOnce())) await this.#expire();
  }

  async #expire(): Promise<void> {
    const passed = this.#state.runs.filter((run) => {
      const tier = this.#horizon.tiers.find(({ name }) => name === run.tier);
      return tier !== undefined && (run.segment + 1) * tier.segmentMs <= this.#horizon.of(tier);
    });
    await this.#replace(passed, []);
  }

  async #mergeOnce(): Promise<boolean> {
    const sources = planMerge(this.#state.runs);
    if (sources.length === 0) return false;
    const merged = await mergeRuns(this.#place, {
      sources,
      isDropped: (key, run) => run.last <= (this.#state.commit.dropped.get(key) ?? 0),
      isStopped: () => this.#isClosed,
    });
    if (merged === undefined) return false;
    // The sum must be durable before what it was made of goes.
    await this.#place.files.syncFolder(this.#place.folder);
    await this.#replace(sources, [merged]);
    return true;
  }

  async #replace(removed: readonly Run[], added: readonly Run[]): Promise<void> {
    if (removed.length === 0) return;
    const gone = new Set(removed);
    const { commit, runs } = this.#state;
    this.#state = { commit, runs: [...runs.filter((run) => !gone.has(run)), ...added] };
    for (const run of removed) {
      this.#reader.forget(run);
      // One that stays is removed at the next start, as it is covered, or has passed.
      await this.#place.files.remove(run.path).catch(() => undefined);
    }
  }
}

/**
 * Opens the rollups of a folder.
 * @throws StoreError `store_unavailable` with file and remedy when something is damaged
 */
export async function openFileRollups(
  options: FileRollupsOptions,
): Promise<RollupStore & { readonly scrub: Scrub }> {
  const { folder, tiers, clock, files = nodeFileLayer } = options;
  const place = { files, folder };
  await files.makeFolder(folder);
  const found = await readRunFolder(place);
  if (!found.isCommitted) await writeCommit(files, folder, { ...found.commit, runs: [] });
  const horizon = createHorizon(tiers, clock);
  horizon.note(findNewest(tiers, found.runs));
  for (const { tier: name, segment, path } of found.lost) {
    const tier = tiers.find((one) => one.name === name);
    if (tier === undefined || (segment + 1) * tier.segmentMs <= horizon.of(tier)) continue;
    const [from, to] = [segment, segment + 1].map((at) => new Date(at * tier.segmentMs).toISOString());
    options.onLost?.({ path, problem: `is missing: charts have gaps from ${from} to ${to}` });
  }
  return new FileRollups(place, horizon, { state: found, origin: options.origin ?? "alone" });
}

/** At or a little after the newest span: every tier has it, and the finest says best where it is. */
function findNewest(tiers: readonly RollupTier[], runs: readonly Run[]): number {
  let newest = Infinity;
  for (const { name, segmentMs } of tiers) {
    const segments = runs.filter(({ tier }) => tier === name).map(({ segment }) => segment);
    const last = segments.reduce((most, segment) => Math.max(most, segment), -1);
    if (last >= 0) newest = Math.min(newest, (last + 1) * segmentMs);
  }
  return newest === Infinity ? -Infinity : newest;
}
