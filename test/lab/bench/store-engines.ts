/**
 * Transactions a second on the JSON store, on PostgreSQL through the adapter, and with the bare driver and the
 * same statements: 10,000 records of 500 bytes, 64 callers, a real server with fsync. Sides take turns.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { openJournalStore } from "../../../src/store/journal/journal-store.ts";
import { openPostgresStore } from "../../../src/store/postgres/postgres-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { startPostgresServer } from "../../support/postgres-server.ts";
import { type BenchRow, type Effort, median } from "./measure.ts";
import { CALLERS, records, toFields } from "./store-records.ts";

const RECORDS = 10_000;
const POOL = 10;

type Case = "get" | "insert" | "change" | "hot";
const cases: Readonly<Record<Case, string>> = {
  get: "read one record",
  insert: "insert one record",
  change: "read one record and replace it",
  hot: "count on one hot record",
};

/** One kind of transaction, `n` tells which record. */
type Side = Readonly<Record<Case, (n: number) => Promise<unknown>>>;

function toSide(store: Store): Side {
  return {
    get: (n) => store.read((tx) => tx.get(records, `r${n % RECORDS}`)),
    insert: (n) => store.transact((tx) => tx.insert(records, { id: `new${n}`, ...toFields(n) })),
    change: (n) =>
      store.transact(async (tx) => {
        const record = await tx.get(records, `r${(n * 7919) % RECORDS}`);
        if (record !== undefined) await tx.put(records, { ...record, hits: record.hits + 1 });
      }),
    hot: () => store.transact((tx) => tx.adjust(records, "r0", { field: "hits", by: 1 })),
  };
}

async function fill(store: Store): Promise<void> {
  for (let start = 0; start < RECORDS; start += 500) {
    await store.transact(async (tx) => {
      for (let n = start; n < start + 500; n += 1) await tx.insert(records, { id: `r${n}`, ...toFields(n) });
    });
  }
}

/** The driver alone: the same isolation, the same tables, a loop that tries again, and nothing else. */
function toBareSide(pool: pg.Pool): Side {
  const table = "bench_records";
  async function run(work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
    const client = await pool.connect();
    try {
      for (;;) {
        try {
          await client.query("BEGIN ISOLATION LEVEL SERIALIZABLE");
          await work(client);
          await client.query("COMMIT");
          return;
        } catch (error) {
          await client.query("ROLLBACK");
          if (!(error instanceof pg.DatabaseError && (error.code === "40001" || error.code === "40P01")))
            throw error;
        }
      }
    } finally {
      client.release();
    }
  }
  const change = (id: string): Promise<void> =>
    run(async (client) => {
      const get = `SELECT id, version, doc FROM ${table} WHERE id = $1`;
      const { rows } = await client.query<{ doc: { hits: number } }>({
        name: "get",
        text: get,
        values: [id],
      });
      const doc = { ...rows[0]?.doc, hits: (rows[0]?.doc.hits ?? 0) + 1 };
      const put = `UPDATE ${table} SET version = version + 1, doc = $2::jsonb WHERE id = $1`;
      await client.query({ name: "put", text: put, values: [id, JSON.stringify(doc)] });
    });
  return {
    get: (n) =>
      pool.query({
        name: "get",
        text: `SELECT id, version, doc FROM ${table} WHERE id = $1`,
        values: [`r${n % RECORDS}`],
      }),
    insert: (n) =>
      run(async (client) => {
        const insert = `INSERT INTO ${table} (id, version, doc) VALUES ($1, 1, $2::jsonb)`;
        await client.query({
          name: "insert",
          text: insert,
          values: [`bare${n}`, JSON.stringify(toFields(n))],
        });
      }),
    change: (n) => change(`r${(n * 7919) % RECORDS}`),
    hot: () => change("r0"),
  };
}

/** Runs one kind of transaction from 64 callers, each waiting for its answer; transactions a second. */
async function measureRate(seconds: number, transaction: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  let done = 0;
  const call = async (): Promise<void> => {
    while (performance.now() - startMs < seconds * 1_000) {
      await transaction();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
  return done / ((performance.now() - startMs) / 1_000);
}

async function measureSides(
  sides: Readonly<Record<"json" | "ours" | "bare", Side>>,
  effort: Effort,
): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  let n = 0;
  for (const [kind, name] of Object.entries(cases) as [Case, string][]) {
    const rates: Record<keyof typeof sides, number[]> = { json: [], ours: [], bare: [] };
    for (let round = 0; round < effort.rounds; round += 1) {
      for (const side of ["json", "ours", "bare"] as const) {
        rates[side].push(await measureRate(effort.seconds / 2, () => sides[side][kind]((n += 1))));
      }
    }
    rows.push({
      name: `store on PostgreSQL: ${name}, ${CALLERS} callers`,
      unit: "/s",
      ours: median(rates.ours),
      other: { name: "bare pg, SERIALIZABLE", value: median(rates.bare) },
      note: `JSON store ${Math.round(median(rates.json)).toLocaleString("en")}/s`,
    });
  }
  return rows;
}

/** The JSON and the PostgreSQL adapter beside the bare driver. */
export async function benchStoreEngines(effort: Effort): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "trivet-bench-"));
  const server = await startPostgresServer();
  const pool = new pg.Pool({ connectionString: server.url, max: POOL });
  pool.on("error", () => undefined); // the server stops a moment after the pool
  try {
    const json = await openJournalStore({ folder, name: "bench", collections: [records] });
    const ours = await openPostgresStore({
      url: server.url,
      name: "bench",
      collections: [records],
      poolSize: POOL,
    });
    await fill(json);
    await fill(ours);
    const rows = await measureSides(
      { json: toSide(json), ours: toSide(ours), bare: toBareSide(pool) },
      effort,
    );
    await json.close();
    await ours.close();
    return rows;
  } finally {
    await pool.end();
    await server.stop();
    await rm(folder, { recursive: true });
  }
}
