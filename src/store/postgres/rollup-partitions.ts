/** Tables of rollups in PostgreSQL: one a tier, partitioned by time. */
import pg from "pg";
import type { Database } from "./database.ts";
import { StoreError } from "../store.ts";
import { isCatalogueRace } from "./failures.ts";
import type { RollupTier, TierSize } from "../series/rollups/rollups.ts";

const DAY_MS = 86_400_000;
const TRIES = 20;

export interface Partition {
  readonly table: string;
  /** Start of the next partition, Unix epoch in milliseconds. */
  readonly endAt: number;
}

export function tierTable(prefix: string, tier: RollupTier): string {
  return `${prefix}_${tier.name}`;
}

/** The table of the owners' marks. */
export function marksTable(prefix: string): string {
  return `${prefix}_marks`;
}

function partitionMs(tier: RollupTier): number {
  return Math.max(tier.segmentMs, DAY_MS);
}

/** Two that make or drop one table at the same moment: one of them fails. */
function isRace(error: unknown): boolean {
  const given = error instanceof StoreError ? error.cause : error;
  if (isCatalogueRace(given)) return true;
  return given instanceof pg.DatabaseError && ["42P01", "55006"].includes(given.code ?? "");
}

async function execute(database: Database, text: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await database.query({ text });
      return;
    } catch (error) {
      if (tries === TRIES || !isRace(error)) throw error;
    }
  }
}

/** Creates the tables that do not exist yet. */
export async function prepareTables(
  database: Database,
  prefix: string,
  tiers: readonly RollupTier[],
): Promise<void> {
  await execute(
    database,
    `CREATE TABLE IF NOT EXISTS ${marksTable(prefix)} (origin text PRIMARY KEY, next_seq bigint NOT NULL)`,
  );
  for (const tier of tiers) {
    // The key leads: a chart is about one key and many times, and without it a year would be read of all.
    await execute(
      database,
      `CREATE TABLE IF NOT EXISTS ${tierTable(prefix, tier)} (key text COLLATE "C" NOT NULL, at bigint NOT NULL,
         origin text COLLATE "C" NOT NULL, data bytea NOT NULL, PRIMARY KEY (key, at, origin)) PARTITION BY RANGE (at)`,
    );
  }
}

/** Creates the partitions that spans of these times need. */
export async function ensurePartitions(
  database: Database,
  place: { readonly prefix: string; readonly tier: RollupTier; readonly known: Set<string> },
  times: Iterable<number>,
): Promise<void> {
  const width = partitionMs(place.tier);
  const table = tierTable(place.prefix, place.tier);
  for (const at of times) {
    const number = Math.floor(at / width);
    const name = `${table}_p${number}`;
    if (place.known.has(name)) continue;
    const bounds = `FROM (${number * width}) TO (${(number + 1) * width})`;
    await execute(database, `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF ${table} FOR VALUES ${bounds}`);
    place.known.add(name);
  }
}

/** The partitions of a tier that there are, with the bytes that they take. */
export async function listPartitions(
  database: Database,
  prefix: string,
  tier: RollupTier,
): Promise<(Partition & TierSize)[]> {
  const { rows } = await database.query({
    text: `SELECT c.relname AS name, pg_total_relation_size(c.oid)::float8 AS bytes,
             greatest(c.reltuples, 0)::float8 AS rows
           FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = to_regclass($1)`,
    values: [tierTable(prefix, tier)],
  });
  return rows.map(({ name, bytes, rows: buckets }) => {
    const number = Number(/_p(\d+)$/u.exec(String(name))?.[1] ?? Number.NaN);
    return {
      table: String(name),
      endAt: (number + 1) * partitionMs(tier),
      bytes: Number(bytes),
      buckets: Number(buckets),
    };
  });
}

export async function dropPartition(database: Database, { table }: Partition): Promise<void> {
  await execute(database, `DROP TABLE IF EXISTS ${table}`);
}
