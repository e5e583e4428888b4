/** The store on PostgreSQL: a table a collection, SERIALIZABLE transactions. */
import type { Log } from "../../kit/observe/log.ts";
import { textOf } from "../../kit/thrown.ts";
import { type Collection, type ReadTx, type Store, type Tx, StoreError } from "../store.ts";
import { type AttemptFailure, type AttemptMode, Attempt } from "./attempt.ts";
import { type Database, openDatabase } from "./database.ts";
import { toUnavailable } from "./failures.ts";
import { prepareDatabase, readDatabaseShape } from "./schema.ts";
import { Statements } from "./statements.ts";
import { type Tables, PostgresTransaction, PostgresView } from "./transaction.ts";
import { type Turn, createTurns } from "./turns.ts";

export interface PostgresStoreOptions {
  readonly url: string;
  /** The service's name; its tables' names begin with it. */
  readonly name: string;
  readonly collections: readonly Collection[];
  readonly poolSize?: number;
  /** Shown in `pg_stat_activity`; by `trivet-<name>`, by default, a service is known to run on the database. */
  readonly applicationName?: string;
  /** How long a transaction may be tried until it is refused; default 5,000. */
  readonly patienceMs?: number;
  /** Only to be read: the tables are taken as they are, and have to be of this version. */
  readonly isReadOnly?: boolean;
  readonly log?: Log;
  /** Runs each transaction's work twice and counts the second run, to find work that keeps state outside. */
  readonly forceReruns?: boolean;
}

/** After a restart of the server each connection in the pool is dead and costs one attempt; a pool has 10. */
const LOST_TRIES = 12;
/** Conflicts after which a transaction queues with the other losers of this process. */
const CONFLICTS_UNTIL_QUEUE = 3;
const LOSERS = "losers";
const MAX_PAUSE_MS = 50;

/** The outcome of one run. */
type Outcome<R> =
  | { readonly done: true; readonly result: R }
  | { readonly done: false; readonly failure: AttemptFailure; readonly wanted: ReadonlySet<string> };

class PostgresStore implements Store {
  readonly #database: Database;
  readonly #tables: Tables;
  readonly #turns = createTurns();
  readonly #patienceMs: number;
  readonly #forceReruns: boolean;
  /** Reads nothing, and fails where a table is missing. */
  readonly #touchTables: string;

  constructor(database: Database, tables: Tables, options: PostgresStoreOptions) {
    this.#database = database;
    this.#tables = tables;
    this.#patienceMs = options.patienceMs ?? 5_000;
    this.#forceReruns = options.forceReruns === true;
    this.#touchTables = [...tables.values()]
      .map(({ shape }) => `(SELECT id FROM ${shape.table} LIMIT 0)`)
      .join(" UNION ALL ");
  }

  async transact<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    if (this.#forceReruns) await this.#rehearse(work);
    const wanted = new Set<string>();
    const patience = new Patience(this.#patienceMs);
    const retries = new Retries();
    for (;;) {
      const outcome = await this.#inTurn(wanted, patience, (turn) =>
        this.#attempt("transaction", (attempt) => work(new PostgresTransaction(this.#tables, attempt)), turn),
      );
      if (outcome.done) return outcome.result;
      for (const key of outcome.wanted) wanted.add(key);
      await retries.next(outcome.failure, patience, wanted);
    }
  }

  async read<R>(work: (tx: ReadTx) => Promise<R>): Promise<R> {
    const patience = new Patience(this.#patienceMs);
    const retries = new Retries();
    // Most views are one statement, which needs neither BEGIN nor COMMIT.
    let mode: AttemptMode = "single";
    for (;;) {
      const outcome = await this.#attempt(mode, (attempt) => work(new PostgresView(this.#tables, attempt)));
      if (outcome.done) return outcome.result;
      if (outcome.failure.kind === "widen") mode = "view";
      else await retries.next(outcome.failure, patience, new Set());
    }
  }

  async check(): Promise<void> {
    const { rows } = await this.#database.query({ text: "SHOW transaction_read_only" });
    if (rows[0]?.["transaction_read_only"] === "on") {
      throw new StoreError(
        "store_unavailable",
        "PostgreSQL does not accept writes: it is a standby or read-only",
      );
    }
    await this.#database.query({ text: this.#touchTables, name: "touch-tables" });
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  async #inTurn<R>(
    wanted: ReadonlySet<string>,
    patience: Patience,
    run: (turn: Turn) => Promise<Outcome<R>>,
  ): Promise<Outcome<R>> {
    let turn: Turn;
    try {
      turn = await this.#turns.take(wanted, () => patience.signal());
    } catch (cause) {
      throw new StoreError("store_unavailable", "Too many concurrent changes of one record", {
        cause,
      });
    }
    try {
      return await run(turn);
    } finally {
      turn.release();
    }
  }

  #attempt<R>(mode: AttemptMode, run: (attempt: Attempt) => Promise<R>, turn?: Turn): Promise<Outcome<R>> {
    return this.#database.withConnection(async (connection) => {
      const attempt = new Attempt(connection, turn === undefined ? { mode } : { mode, turn });
      let settled: { readonly result: R } | { readonly error: unknown };
      try {
        settled = { result: await run(attempt) };
      } catch (error) {
        settled = { error };
      }
      await attempt.end("result" in settled);
      const { failure, wanted } = attempt;
      // The result of a failed attempt does not count: it saw errors that were not its own.
      if (failure !== undefined) return { done: false, failure, wanted };
      if ("error" in settled) throw settled.error;
      return { done: true, result: settled.result };
    });
  }

  /** Runs the work and takes it back. What it throws, it throws again in the run that counts. */
  async #rehearse<R>(work: (tx: Tx) => Promise<R>): Promise<void> {
    await this.#database.withConnection(async (connection) => {
      const attempt = new Attempt(connection, { mode: "transaction" });
      await work(new PostgresTransaction(this.#tables, attempt)).catch(() => undefined);
      await attempt.end(false);
    });
  }
}

/** How long a transaction may be tried. A timer is made only for one that has to queue. */
class Patience {
  readonly #endMs: number;

  constructor(milliseconds: number) {
    this.#endMs = performance.now() + milliseconds;
  }

  get isOver(): boolean {
    return performance.now() >= this.#endMs;
  }

  signal(): AbortSignal {
    return AbortSignal.timeout(Math.max(0, Math.ceil(this.#endMs - performance.now())));
  }
}

/** Counts what went wrong with one transaction and decides whether it is tried again. */
class Retries {
  #conflicts = 0;
  #lost = 0;

  /** Resolves when the next attempt may begin. @throws StoreError when there should be none */
  async next(failure: AttemptFailure, patience: Patience, wanted: Set<string>): Promise<void> {
    switch (failure.kind) {
      case "turn":
      case "widen":
        return;
      case "busy":
      case "missing":
      case "disk":
        throw toUnavailable(failure.error);
      case "lost":
        this.#lost += 1;
        if (this.#lost >= LOST_TRIES || isSilence(failure.error)) throw toUnavailable(failure.error);
        return;
      case "retry":
      case "duplicate":
        break;
      default:
        failure satisfies never;
    }
    this.#conflicts += 1;
    if (patience.isOver) {
      const message = `Too many transactions conflict: given up after ${this.#conflicts} attempts`;
      throw new StoreError("store_unavailable", message, { cause: failure.error });
    }
    if (this.#conflicts >= CONFLICTS_UNTIL_QUEUE) wanted.add(LOSERS);
    if (this.#conflicts === 1) return;
    const pauseMs = Math.random() * Math.min(MAX_PAUSE_MS, 2 ** this.#conflicts);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** A server that does not answer at all: the next connection would wait as long. */
function isSilence(error: unknown): boolean {
  return /timeout/iu.test(textOf(error));
}

/**
 * Opens the store of a service on a database, which is brought to the declared shape first.
 * @throws StoreError `store_unavailable` when the server cannot be used or holds data of a newer version
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { url, name, collections, log } = options;
  const findShapes = options.isReadOnly === true ? readDatabaseShape : prepareDatabase;
  const shapes = await findShapes({ url, name, collections });
  const tables = new Map(
    shapes.map((shape) => [shape.collection.name, { shape, statements: new Statements(shape) }]),
  );
  const database = openDatabase({
    url,
    applicationName: options.applicationName ?? `trivet-${name}`,
    poolSize: options.poolSize,
    onState: ({ reachable, error }) => {
      if (reachable) log?.info("PostgreSQL is available again");
      else
        log?.warn("PostgreSQL cannot be reached; reads and writes fail until it is available", {
          error: textOf(error),
        });
    },
  });
  return new PostgresStore(database, tables, options);
}
