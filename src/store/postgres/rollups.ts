/** Rollups on PostgreSQL. */
import { Buffer } from "node:buffer";
import type { Clock } from "../../kit/time/clock.ts";
import { createByteReader, createByteWriter } from "../../kit/text/varint.ts";
import { type Connection, type Database, type Rows, openDatabase } from "./database.ts";
import { isUnavailable, kindOfFailure, toUnavailable } from "./failures.ts";
import { StoreError } from "../store.ts";
import { mergeBuckets } from "../series/rollups/bucket.ts";
import { readBuckets, writeBuckets } from "../series/rollups/bucket-codec.ts";
import { type Horizon, createHorizon } from "../series/rollups/horizon.ts";
import { createPacer } from "../series/rollups/pacer.ts";
import {
  dropPartition,
  ensurePartitions,
  listPartitions,
  marksTable,
  prepareTables,
  tierTable,
} from "./rollup-partitions.ts";
import type {
  RollupBatch,
  RollupBucket,
  RollupFlush,
  RollupQuery,
  RollupStore,
  RollupTier,
  RollupView,
  TierSize,
} from "../series/rollups/rollups.ts";

export interface PostgresRollupsOptions {
  readonly url: string;
  /** Prefix of the tables' names: lowercase letters and `_`. */
  readonly prefix: string;
  readonly tiers: readonly RollupTier[];
  /** Distinguishes this owner of a mark from others on the same database; stays the same over restarts. */
  readonly origin: string;
  readonly clock: Pick<Clock, "now">;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
}

/** Spans that one statement writes. */
const BATCH = 1_000;
const STATEMENT_TIMEOUT_MS = 15_000;

const writer = createByteWriter(1_024);

function encode(bucket: RollupBucket): Buffer {
  writer.clear();
  writeBuckets(writer, [bucket]);
  return Buffer.from(writer.take());
}

function decode(data: unknown): RollupBucket[] {
  if (!(data instanceof Uint8Array)) throw new TypeError("Not the bytes of a span");
  return readBuckets(createByteReader(data));
}

function fail(error: unknown): never {
  throw isUnavailable(error) || kindOfFailure(error) === "retry" ? toUnavailable(error) : error;
}

interface Row {
  readonly key: string;
  readonly bucket: RollupBucket;
}

class PostgresRollups implements RollupStore {
  readonly #database: Database;
  readonly #horizon: Horizon;
  readonly #options: PostgresRollupsOptions;
  readonly origin: string;
  /** Partitions that are known to exist. */
  readonly #known = new Set<string>();
  #turn: Promise<unknown> = Promise.resolve();
  flushedSeq: number;

  constructor(
    database: Database,
    horizon: Horizon,
    start: { options: PostgresRollupsOptions; mark: number },
  ) {
    this.#database = database;
    this.#horizon = horizon;
    this.#options = start.options;
    this.origin = start.options.origin;
    this.flushedSeq = start.mark;
  }

  flush(flush: RollupFlush): Promise<void> {
    const done = this.#turn.then(() => this.#flushNow(flush));
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async read({ tier, key, from, to }: RollupQuery): Promise<RollupView> {
    const known = this.#horizon.tier(tier);
    const { prefix, origin } = this.#options;
    // One statement is one snapshot: the marks fit the spans.
    const { rows } = await this.#database
      .query({
        name: `rollups_${tier}`,
        text: `SELECT origin, next_seq::float8 AS mark, NULL::bytea AS data FROM ${marksTable(prefix)}
               UNION ALL SELECT NULL, NULL, b.data FROM ${tierTable(prefix, known)} AS b
               WHERE b.key = $1 AND b.at >= $2 AND b.at < $3`,
        values: [key, toInteger(from), toInteger(to)],
      })
      .catch(fail);
    const marks = new Map<string, number>();
    const found: RollupBucket[] = [];
    for (const { origin: whose, mark, data } of rows) {
      if (typeof whose === "string") marks.set(whose, Number(mark));
      else found.push(...decode(data));
    }
    const buckets = mergeBuckets(found).filter(({ at }) => this.#horizon.keeps(known, at));
    return { buckets, flushedSeq: marks.get(origin) ?? 0, marks };
  }

  async drop(key: string): Promise<void> {
    for (const tier of this.#horizon.tiers) {
      const text = `DELETE FROM ${tierTable(this.#options.prefix, tier)} WHERE key = $1`;
      await this.#database.query({ text, values: [key] }).catch(fail);
    }
  }

  async keys(): Promise<readonly string[]> {
    const keys = new Set<string>();
    for (const tier of this.#horizon.tiers) {
      const table = tierTable(this.#options.prefix, tier);
      // From each key to the next by the index: a tier has millions of rows and some thousand keys.
      const text = `WITH RECURSIVE found AS (SELECT min(key) AS key FROM ${table}
        UNION ALL SELECT (SELECT min(t.key) FROM ${table} AS t WHERE t.key > found.key) FROM found WHERE found.key IS NOT NULL)
        SELECT key FROM found WHERE key IS NOT NULL`;
      const { rows } = await this.#database.query({ text }).catch(fail);
      for (const { key } of rows) keys.add(String(key));
    }
    return [...keys];
  }

  retain(tier: string, keepMs: number): void {
    this.#horizon.retain(tier, keepMs);
  }

  async maintain(): Promise<void> {
    // Rows of other processes count for the newest time too.
    this.#horizon.note(await findNewest(this.#database, this.#options));
    for (const tier of this.#horizon.tiers) {
      for (const partition of await listPartitions(this.#database, this.#options.prefix, tier)) {
        if (partition.endAt <= this.#horizon.of(tier)) {
          this.#known.delete(partition.table);
          await dropPartition(this.#database, partition);
        }
      }
    }
  }

  async sizes(): Promise<ReadonlyMap<string, TierSize>> {
    const sizes = new Map<string, TierSize>();
    for (const tier of this.#horizon.tiers) {
      const partitions = await listPartitions(this.#database, this.#options.prefix, tier);
      sizes.set(tier.name, {
        bytes: partitions.reduce((sum, { bytes }) => sum + bytes, 0),
        buckets: partitions.reduce((sum, { buckets }) => sum + buckets, 0),
      });
    }
    return sizes;
  }

  async close(): Promise<void> {
    await this.#turn;
    await this.#database.close();
  }

  async #flushNow(flush: RollupFlush): Promise<void> {
    if (flush.nextSeq <= this.flushedSeq) return;
    try {
      // Tables are made before the transaction: making one locks the whole tier for a moment.
      await this.#preparePartitions(flush.collect(this.flushedSeq));
      this.flushedSeq = await this.#database.withConnection((connection) => this.#write(connection, flush));
    } catch (error) {
      // Another process may have dropped one: they are looked at again.
      this.#known.clear();
      fail(error);
    }
  }

  async #preparePartitions(batch: RollupBatch): Promise<void> {
    this.#horizon.note(batch.newestAt);
    const { prefix } = this.#options;
    for (const tier of this.#horizon.tiers) {
      const times = new Set<number>();
      for (const row of this.#rowsOf(batch, tier)) times.add(row.bucket.at);
      await ensurePartitions(this.#database, { prefix, tier, known: this.#known }, times);
    }
  }

  *#rowsOf(batch: RollupBatch, tier: RollupTier): Generator<Row> {
    for (const key of batch.keys) {
      for (const bucket of batch.read(tier, key))
        if (bucket.at >= 0 && this.#horizon.keeps(tier, bucket.at)) yield { key, bucket };
    }
  }

  /** Returns the committed mark. */
  async #write(connection: Connection, { nextSeq, collect }: RollupFlush): Promise<number> {
    const { prefix, origin } = this.#options;
    const marks = marksTable(prefix);
    await connection.query({ text: "BEGIN ISOLATION LEVEL READ COMMITTED" });
    try {
      const { rows } = await connection.query({
        text: `SELECT next_seq::float8 AS mark FROM ${marks} WHERE origin = $1 FOR UPDATE`,
        values: [origin],
      });
      // Not what this process remembers: a commit whose answer was lost may have counted.
      const mark = Number(rows[0]?.["mark"] ?? 0);
      if (mark < nextSeq) {
        const batch = collect(mark);
        for (const tier of this.#horizon.tiers) await this.#writeTier(connection, tier, batch);
        await connection.query({
          text: `INSERT INTO ${marks} (origin, next_seq) VALUES ($1, $2)
                 ON CONFLICT (origin) DO UPDATE SET next_seq = excluded.next_seq`,
          values: [origin, nextSeq],
        });
      }
      await commit(connection);
      return Math.max(mark, nextSeq);
    } catch (error) {
      await connection.query({ text: "ROLLBACK" }).catch(() => undefined);
      throw error;
    }
  }

  async #writeTier(connection: Connection, tier: RollupTier, batch: RollupBatch): Promise<void> {
    const pace = createPacer();
    let rows: Row[] = [];
    for (const row of this.#rowsOf(batch, tier)) {
      rows.push(row);
      if (rows.length === BATCH) {
        await this.#writeRows(connection, tier, rows);
        rows = [];
      }
      await pace();
    }
    if (rows.length > 0) await this.#writeRows(connection, tier, rows);
  }

  async #writeRows(connection: Connection, tier: RollupTier, rows: readonly Row[]): Promise<void> {
    const table = tierTable(this.#options.prefix, tier);
    const { origin } = this.#options;
    const keys = rows.map(({ key }) => key);
    const times = rows.map(({ bucket }) => bucket.at);
    const present = await connection.query({
      text: `SELECT w.place::float8 AS place, b.data
             FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS w (key, at, place)
             JOIN ${table} AS b ON b.key = w.key AND b.at = w.at AND b.origin = $3`,
      values: [keys, times, origin],
    });
    const before = new Map(present.rows.map(({ place, data }) => [Number(place) - 1, decode(data)]));
    const data = rows.map(({ bucket }, place) => {
      const [sum = bucket] = mergeBuckets([...(before.get(place) ?? []), bucket]);
      return encode(sum);
    });
    await connection.query({
      text: `INSERT INTO ${table} (key, at, origin, data)
             SELECT w.key, w.at, $3, w.data FROM unnest($1::text[], $2::bigint[], $4::bytea[]) AS w (key, at, data)
             ON CONFLICT (key, at, origin) DO UPDATE SET data = excluded.data`,
      values: [keys, times, origin, data],
    });
  }
}

async function commit(connection: Connection): Promise<void> {
  const { command }: Rows = await connection.query({ text: "COMMIT" });
  if (command !== "COMMIT") throw new StoreError("store_unavailable", "PostgreSQL rolled back a flush");
}

function toInteger(time: number): number {
  return Math.max(0, Math.min(Number.MAX_SAFE_INTEGER, Math.ceil(time)));
}

/** At or a little after the newest span that any process wrote. */
async function findNewest(database: Database, options: PostgresRollupsOptions): Promise<number> {
  let newest = Infinity;
  for (const tier of options.tiers) {
    const partitions = await listPartitions(database, options.prefix, tier);
    if (partitions.length > 0) newest = Math.min(newest, Math.max(...partitions.map(({ endAt }) => endAt)));
  }
  return newest === Infinity ? -Infinity : newest;
}

/**
 * Opens the rollups in a database and makes the tables that are missing.
 * @throws StoreError `store_unavailable` when the server cannot be used
 */
export async function openPostgresRollups(options: PostgresRollupsOptions): Promise<RollupStore> {
  const database = openDatabase({
    url: options.url,
    applicationName: options.applicationName,
    poolSize: 2,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
  try {
    await prepareTables(database, options.prefix, options.tiers);
    const { rows } = await database.query({
      text: `SELECT next_seq::float8 AS mark FROM ${marksTable(options.prefix)} WHERE origin = $1`,
      values: [options.origin],
    });
    const horizon = createHorizon(options.tiers, options.clock);
    horizon.note(await findNewest(database, options));
    return new PostgresRollups(database, horizon, { options, mark: Number(rows[0]?.["mark"] ?? 0) });
  } catch (error) {
    await database.close();
    return fail(error);
  }
}
