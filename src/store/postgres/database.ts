/** The connections to one PostgreSQL database. */
import pg from "pg";
import { textOf, toError } from "../../kit/thrown.ts";
import { StoreError } from "../store.ts";
import { isUnavailable, kindOfFailure, toUnavailable } from "./failures.ts";
import { createPool } from "./pool.ts";
import { SilenceWatch } from "./silence.ts";
import { DatabaseUnavailable } from "./unavailable.ts";

/** One SQL statement; with a `name` it is prepared once for each connection. */
export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
  readonly name?: string;
}

export interface Rows {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Rows that a statement returned or changed. */
  readonly count: number;
  /** The server's command tag, such as "COMMIT". */
  readonly command: string;
}

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  /** Connections at most; default 10. */
  readonly poolSize?: number;
  /** How long a connection may take, and how long one is waited for when all are in use; default 2,000. */
  readonly connectTimeoutMs?: number;
  /** How long one statement may run; default 2,000, 0 without limit. */
  readonly statementTimeoutMs?: number;
  /** Called when the database becomes unreachable, and when it answers again. */
  readonly onState?: (state: { readonly reachable: boolean; readonly error?: Error }) => void;
}

/** Beyond the server's own limit: a server that does not answer at all. */
const SILENCE_MS = 500;

function toPoolConfig(options: DatabaseOptions): pg.PoolConfig {
  const { connectTimeoutMs = 2_000, statementTimeoutMs = 2_000 } = options;
  return {
    connectionString: options.url,
    application_name: options.applicationName,
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    // Send statements without waiting for earlier answers: BEGIN costs no extra round trip.
    pipeline: true,
    // A scan of a small table would take its predicate lock on the whole of it, so that transactions that
    // have nothing to do with each other would conflict.
    options: "-c enable_seqscan=off",
    ...(statementTimeoutMs === 0
      ? {}
      : {
          statement_timeout: statementTimeoutMs,
          query_timeout: statementTimeoutMs + SILENCE_MS,
          idle_in_transaction_session_timeout: 10_000,
        }),
  };
}

/**
 * Resolves when a new connection is answered in time, if only with a refusal: the server is no longer silent then.
 * @throws Error when nothing came
 */
async function probe({ connectionString }: pg.PoolConfig, limitMs: number): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: limitMs });
  client.on("error", () => undefined);
  try {
    await client.connect();
  } catch (error) {
    if (/timeout/iu.test(textOf(error))) throw error;
  } finally {
    void client.end().catch(() => undefined);
  }
}

/** A client of the pool while it is in use. */
export class Connection {
  readonly #client: pg.PoolClient;
  readonly #watch: SilenceWatch;
  #broken: Error | undefined;
  // Handles failures between two statements.
  readonly #onError = (error: Error): void => {
    this.#broken = error;
  };

  constructor(client: pg.PoolClient, watch: SilenceWatch) {
    this.#client = client;
    this.#watch = watch;
    client.on("error", this.#onError);
  }

  /** Throws what the driver throws; see `failures.ts`. */
  async query({ text, values, name }: Statement): Promise<Rows> {
    const config: pg.QueryConfig = { text };
    // The driver writes nothing into the list that it is given.
    if (values !== undefined) config.values = values as unknown[];
    if (name !== undefined) config.name = name;
    // Nothing comes back on a connection that is lost: a ROLLBACK would wait as long as what failed.
    if (this.#broken !== undefined) throw this.#broken;
    try {
      const answer = this.#client.query<Record<string, unknown>>(config);
      const result: pg.QueryResult<Record<string, unknown>> = await this.#watch.follow(answer);
      return { rows: result.rows, count: result.rowCount ?? 0, command: result.command };
    } catch (error) {
      if (kindOfFailure(error) === "lost") this.#broken = toError(error);
      throw error;
    }
  }

  /** Returns it to the pool, or discards it when its state is unknown. */
  release(): void {
    this.#client.off("error", this.#onError);
    this.#client.release(this.#broken);
  }
}

export class Database {
  readonly #config: pg.PoolConfig;
  #pool: pg.Pool;
  readonly #onState: NonNullable<DatabaseOptions["onState"]>;
  readonly #watch: SilenceWatch;
  #reachable = true;
  #closing: Promise<void> | undefined;

  constructor(options: DatabaseOptions) {
    this.#config = toPoolConfig(options);
    this.#pool = createPool(this.#config);
    this.#onState = options.onState ?? (() => undefined);
    this.#watch = new SilenceWatch({
      probe: (limitMs) => probe(this.#config, limitMs),
      onChange: (error) => this.#changeState(error),
    });
  }

  /**
   * Runs `work` on one connection, which goes back to the pool, or is thrown away when its state is unknown.
   * @throws StoreError `store_unavailable` when there is no connection in time; else what `work` throws
   */
  async withConnection<R>(work: (connection: Connection) => Promise<R>): Promise<R> {
    const borrowed = new Connection(await this.#connect(), this.#watch);
    try {
      return await work(borrowed);
    } finally {
      borrowed.release();
    }
  }

  /** Runs one statement on any connection. @throws StoreError `store_unavailable`, else what the driver throws */
  async query(statement: Statement): Promise<Rows> {
    return this.withConnection(async (connection) => {
      try {
        return await connection.query(statement);
      } catch (error) {
        throw isUnavailable(error) ? toUnavailable(error) : error;
      }
    });
  }

  /** Finishes what runs and closes every connection. */
  close(): Promise<void> {
    this.#watch.close();
    this.#closing ??= this.#pool.end();
    return this.#closing;
  }

  async #connect(): Promise<pg.PoolClient> {
    if (this.#closing !== undefined) throw new StoreError("store_unavailable", "The store is closed");
    const { silence } = this.#watch;
    if (silence !== undefined) throw toUnavailable(silence);
    try {
      const client = await this.#take(this.#pool);
      this.#note(undefined);
      return client;
    } catch (error) {
      const { totalCount, options } = this.#pool;
      if (totalCount >= (options.max ?? 10) && this.#reachable) {
        throw new DatabaseUnavailable("PostgreSQL is too busy: every connection is in use", error);
      }
      this.#note(toError(error));
      throw toUnavailable(error);
    }
  }

  async #take(pool: pg.Pool): Promise<pg.PoolClient> {
    const taken = pool.connect();
    try {
      return await this.#watch.follow(taken, { isHeard: false });
    } catch (error) {
      // The response may still arrive, but is no longer needed.
      taken.then(
        (client) => client.release(true),
        () => undefined,
      );
      throw error;
    }
  }

  /** Connections from before a silence may stay silent after it: they are left, and new ones made. */
  #changeState(error: Error | undefined): void {
    this.#note(error);
    if (error === undefined) return;
    const left = this.#pool;
    this.#pool = createPool(this.#config);
    void left.end().catch(() => undefined);
  }

  #note(error: Error | undefined): void {
    const reachable = error === undefined;
    if (reachable === this.#reachable) return;
    this.#reachable = reachable;
    this.#onState(error === undefined ? { reachable } : { reachable, error });
  }
}

/** Creates the pool; connects with the first statement. */
export function openDatabase(options: DatabaseOptions): Database {
  return new Database(options);
}
