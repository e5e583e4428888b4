/**
 * Transactions over versions of the tables. `head` is what transactions see and change, one at a time; `durable` is
 * the last version whose changes are all on disk, and what readers see.
 */
import { textOf } from "../../kit/thrown.ts";
import { type ReadTx, type Store, type Tx, StoreError } from "../store.ts";
import { type Commit, type Version, Head, replay } from "./head.ts";
import { toOperations, Transaction, View } from "./transaction.ts";

/** Many transactions that become durable with one write. */
export interface Batch {
  readonly firstLsn: number;
  /** Operations of each transaction, in order, beginning with `firstLsn`. */
  readonly transactions: readonly string[];
  /** The tables after the last of them. */
  readonly version: Version;
}

export interface EngineOptions {
  readonly start: Version;
  /** Writes a batch durably. When it throws, the engine refuses writes until `revive`. */
  readonly persist: (batch: Batch) => Promise<void>;
  /** Resolves when every transaction that could join a batch has run. */
  readonly gather: () => Promise<void>;
  readonly forceReruns?: boolean;
  readonly onFailure?: (failure: StoreError) => void;
}

/** Transactions that may wait for the disk, and the text they may hold; more are refused. */
const MAX_WAITING = 20_000;
const MAX_WAITING_CHARACTERS = 64 * 1024 * 1024;

/** A queued transaction, and the result of its work. */
interface Job {
  readonly work: (tx: Tx) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  outcome: { readonly ok: boolean; readonly value: unknown } | undefined;
}

function settle({ outcome, resolve, reject }: Job): void {
  if (outcome?.ok === true) resolve(outcome.value);
  else reject(outcome?.value);
}

/** Runs transactions and reads; see the module's header. */
export class Engine implements Pick<Store, "transact" | "read"> {
  readonly #options: EngineOptions;
  readonly #head: Head;
  #durable: Version;
  #failure: StoreError | undefined;
  #closed = false;
  /** Asked for, not yet run. */
  #jobs: Job[] = [];
  /** Run, and waiting for the batch that is being gathered. */
  #waiting: Job[] = [];
  /** Run, and waiting for the batch that is being written. */
  #inFlight: Job[] = [];
  /** Commits after the durable version, or after the one of which a snapshot is being made. */
  #commits: Commit[] = [];
  /** Set while a snapshot is being written: its version's number. */
  #keptFrom: number | undefined;
  /** The same content over a newer snapshot, to be taken up between two batches. */
  #newer: Version | undefined;
  /** The operations of the batch that is being gathered. */
  #operations: string[] = [];
  #characters = 0;
  #working: Promise<void> | undefined;
  #flushing: Promise<void> | undefined;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#durable = options.start;
    this.#head = new Head(options.start);
  }

  get durable(): Version {
    return this.#durable;
  }

  get failure(): StoreError | undefined {
    return this.#failure;
  }

  transact<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    if (this.#closed) return Promise.reject(new StoreError("store_unavailable", "The store is closed"));
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return new Promise<R>((resolve, reject) => {
      // `as R`: the queue holds jobs of every type; each is settled with its own work's result.
      this.#jobs.push({ work, resolve: (value) => resolve(value as R), reject, outcome: undefined });
      this.#working ??= this.#runAll();
    });
  }

  async read<R>(work: (tx: ReadTx) => Promise<R>): Promise<R> {
    const { tables, base } = this.#durable;
    const view = new View(tables);
    base?.use();
    try {
      return await work(view);
    } finally {
      view.end();
      base?.release();
    }
  }

  /** Accepts writes again, from the durable version, or from an equal one over a newer snapshot. */
  revive(durable = this.#durable): void {
    if (durable.base !== this.#durable.base) this.#durable.base?.release();
    this.#durable = durable;
    this.#forget();
    this.#failure = undefined;
  }

  /** From now on a snapshot is made of the version `lsn`, which is durable. */
  keepFrom(lsn: number): void {
    this.#keptFrom = lsn;
  }

  /** The snapshot is there (its content as a version over it), or it came to nothing. */
  moveTo(newer: Version | undefined): void {
    this.#newer = newer;
    if (newer === undefined) this.#keptFrom = undefined;
    if (this.#flushing === undefined) this.#move();
  }

  /** Between two batches: all that committed is durable or in `head`. */
  #move(): void {
    const newer = this.#newer;
    if (newer === undefined) return;
    this.#newer = undefined;
    this.#keptFrom = undefined;
    const { lsn, base } = this.#durable;
    this.#durable = replay(newer, { lsn, commits: this.#commits });
    this.#dropCommits();
    this.#head.move(this.#durable, this.#commits);
    base?.release();
  }

  /** Forgets what is durable and not needed for a snapshot that is being made. */
  #dropCommits(): void {
    const from = this.#keptFrom ?? this.#durable.lsn;
    if ((this.#commits[0]?.lsn ?? Infinity) <= from)
      this.#commits = this.#commits.filter(({ lsn }) => lsn > from);
  }

  /** Refuses new transactions and resolves when all that were accepted are settled. */
  async drain(): Promise<void> {
    this.#closed = true;
    while (this.#working !== undefined || this.#flushing !== undefined) {
      await Promise.all([this.#working, this.#flushing]);
    }
  }

  async #runAll(): Promise<void> {
    while (this.#jobs.length > 0) {
      const turn = this.#jobs;
      this.#jobs = [];
      for (const job of turn) await this.#run(job);
    }
    this.#working = undefined;
  }

  async #run(job: Job): Promise<void> {
    if (this.#waiting.length >= MAX_WAITING || this.#characters >= MAX_WAITING_CHARACTERS) {
      job.reject(new StoreError("store_unavailable", "Too many changes wait for the disk"));
      return;
    }
    const runs = this.#options.forceReruns === true ? 2 : 1;
    for (let run = 1; run <= runs; run += 1) {
      if (this.#failure !== undefined) {
        job.reject(this.#failure);
        return;
      }
      await this.#attempt(job, run === runs);
    }
  }

  async #attempt(job: Job, counts: boolean): Promise<void> {
    const { epoch } = this.#head;
    const tx = new Transaction(this.#head.tables);
    this.#head.begin(tx.changes);
    try {
      job.outcome = { ok: true, value: await job.work(tx) };
    } catch (error) {
      job.outcome = { ok: false, value: error };
    }
    tx.end();
    if (epoch !== this.#head.epoch) {
      // The store failed meanwhile: what this work saw may never have become durable.
      if (counts) job.reject(this.#failure ?? new StoreError("store_unavailable", "The store has failed"));
      return;
    }
    if (job.outcome.ok && counts) this.#commit();
    else this.#head.rollBack();
    if (counts) this.#settleWhenDurable(job);
  }

  #commit(): void {
    const commit = this.#head.commit();
    if (commit === undefined) return;
    this.#commits.push(commit);
    const text = toOperations(commit.changes);
    this.#operations.push(text);
    this.#characters += text.length;
    this.#flushing ??= this.#flush();
  }

  /** Settles the job once everything that is in `head` now is durable: that is all it can have seen. */
  #settleWhenDurable(job: Job): void {
    if (this.#operations.length > 0) this.#waiting.push(job);
    else if (this.#head.lsn > this.#durable.lsn) this.#inFlight.push(job);
    else settle(job);
  }

  async #flush(): Promise<void> {
    while (this.#operations.length > 0) {
      await this.#options.gather();
      this.#move();
      const transactions = this.#operations;
      this.#inFlight = this.#waiting;
      this.#operations = [];
      this.#characters = 0;
      this.#waiting = [];
      const version = this.#head.seal();
      try {
        await this.#options.persist({
          firstLsn: version.lsn - transactions.length + 1,
          transactions,
          version,
        });
      } catch (error) {
        this.#fail(error);
        break;
      }
      this.#durable = version;
      this.#dropCommits();
      const settled = this.#inFlight;
      this.#inFlight = [];
      for (const job of settled) settle(job);
    }
    this.#flushing = undefined;
    this.#move();
  }

  #fail(cause: unknown): void {
    const text = textOf(cause);
    const failure = new StoreError("store_unavailable", `The store cannot write: ${text}`, { cause });
    this.#failure = failure;
    const lost = [...this.#inFlight, ...this.#waiting];
    this.#forget();
    for (const job of lost) job.reject(failure);
    this.#options.onFailure?.(failure);
  }

  /** Drops everything that is not durable. */
  #forget(): void {
    this.#head.reset(this.#durable);
    this.#commits = this.#commits.filter(({ lsn }) => lsn <= this.#durable.lsn);
    this.#operations = [];
    this.#characters = 0;
    this.#waiting = [];
    this.#inFlight = [];
  }
}
