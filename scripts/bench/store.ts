/**
 * What a durable change costs in the JSON store, beside plain lowdb on the same disk in the same run: 500-byte
 * records, 64 callers, and what either has lost after a power cut. Run alone:
 * node --import tsx scripts/bench/store.ts [--quick] [--folder F]
 */
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { JSONFilePreset } from "lowdb/node";
import { z } from "zod";
import type { JournalStore } from "../../src/store/journal/journal-store.ts";
import { openJournalStore } from "../../src/store/journal/journal-store.ts";
import { defineCollection } from "../../src/store/store.ts";
import type { BenchRow } from "./measure.ts";
import { machineLine, median, quantile, toTable } from "./measure.ts";
import { measurePowerCuts } from "./store-power-cut.ts";

const CALLERS = 64;

const records = defineCollection({
  name: "records",
  revision: 1,
  schema: z.object({
    id: z.string(),
    version: z.number().int(),
    group: z.string(),
    rank: z.number(),
    hits: z.number().int(),
    text: z.string(),
  }),
  ordered: { byGroup: ["group", "rank"] },
});

interface Round {
  readonly perSecond: number;
  readonly p99Ms: number;
  readonly cpuMicrosecondsEach: number;
}

function toRecord(index: number): { id: string; group: string; rank: number; hits: number; text: string } {
  return { id: `r${index}`, group: `g${index % 100}`, rank: index, hits: 0, text: "x".repeat(410) };
}

/** Runs `change` from 64 callers, each waiting for its answer, for a time. */
async function measureRound(milliseconds: number, change: () => Promise<unknown>): Promise<Round> {
  const latencies: number[] = [];
  const started = performance.now();
  const cpu = process.cpuUsage();
  const call = async (): Promise<void> => {
    while (performance.now() - started < milliseconds) {
      const before = performance.now();
      await change();
      latencies.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
  const seconds = (performance.now() - started) / 1000;
  const used = process.cpuUsage(cpu);
  return {
    perSecond: latencies.length / seconds,
    p99Ms: quantile(latencies, 0.99),
    cpuMicrosecondsEach: (used.user + used.system) / latencies.length,
  };
}

interface Subject {
  readonly change: () => Promise<unknown>;
  readonly close: () => Promise<void>;
}

async function openOurs(folder: string, count: number): Promise<Subject> {
  const store: JournalStore = await openJournalStore({ folder, name: "bench", collections: [records] });
  for (let start = 0; start < count; start += 1000) {
    await store.transact(async (tx) => {
      for (let i = start; i < start + 1000; i += 1) await tx.insert(records, toRecord(i));
    });
  }
  let next = 0;
  return {
    change: () => {
      next += 7919; // a prime, so that changes are spread over all records
      const id = `r${next % count}`;
      return store.transact(async (tx) => {
        const record = await tx.get(records, id);
        if (record !== undefined) await tx.put(records, { ...record, hits: record.hits + 1 });
      });
    },
    close: () => store.close(),
  };
}

async function openLowdb(folder: string, count: number): Promise<Subject> {
  const initial = { records: Array.from({ length: count }, (_, i) => ({ ...toRecord(i), version: 1 })) };
  const db = await JSONFilePreset(join(folder, "lowdb.json"), initial);
  await db.write();
  let next = 0;
  return {
    change: async () => {
      next += 7919;
      const record = db.data.records[next % count];
      if (record !== undefined) {
        record.hits += 1;
        record.version += 1;
      }
      await db.write();
    },
    close: () => Promise.resolve(),
  };
}

/** What the disk alone allows: 64 lines, one write, one sync, again and again. */
async function openBare(folder: string): Promise<Subject> {
  const file = await open(join(folder, "bare.log"), "a", 0o600);
  const batch = Buffer.alloc(CALLERS * 600, 0x61);
  let writing: Promise<void> | undefined;
  const write = async (): Promise<void> => {
    await new Promise<void>((resolve) => void setImmediate(resolve));
    await file.write(batch);
    await file.datasync();
    writing = undefined;
  };
  return { change: () => (writing ??= write()), close: () => file.close() };
}

async function measureSize(count: number, options: { quick: boolean; parent: string }): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(options.parent, "trivet-bench-"));
  const subjects = [await openOurs(folder, count), await openLowdb(folder, count), await openBare(folder)];
  const rounds: Round[][] = [[], [], []];
  for (let round = 0; round < (options.quick ? 2 : 7); round += 1) {
    for (const [index, subject] of subjects.entries()) {
      rounds[index]?.push(await measureRound(options.quick ? 300 : 2000, subject.change));
    }
  }
  for (const subject of subjects) await subject.close();
  await rm(folder, { recursive: true });
  const [ours = [], lowdb = [], bare = []] = rounds;
  const of = (list: readonly Round[], key: keyof Round): number => median(list.map((round) => round[key]));
  const target = count > 50_000 ? 35_000 : 45_000;
  const size = count.toLocaleString("en");
  const best = Math.max(...ours.map(({ perSecond }) => perSecond));
  return [
    {
      name: `store: changes/s, ${size} records, ${CALLERS} callers`,
      unit: "/s",
      ours: of(ours, "perSecond"),
      other: { name: "plain lowdb", value: of(lowdb, "perSecond") },
      target: `≥ ${target.toLocaleString("en")}`,
      isReached: of(ours, "perSecond") >= target,
      note: `best round ${Math.round(best).toLocaleString("en")}; bare write + fdatasync ${Math.round(of(bare, "perSecond")).toLocaleString("en")}; ${of(ours, "cpuMicrosecondsEach").toFixed(1)} µs CPU each`,
    },
    {
      name: `store: p99 of a change, ${size} records`,
      unit: "ms",
      ours: of(ours, "p99Ms"),
      other: { name: "plain lowdb", value: of(lowdb, "p99Ms") },
    },
  ];
}

/** All cases of the store. */
export async function benchStore(options: { quick: boolean; folder?: string }): Promise<BenchRow[]> {
  const parent = options.folder ?? tmpdir();
  const sizes = options.quick ? [1000] : [10_000, 100_000];
  const rows: BenchRow[] = [];
  for (const size of sizes) rows.push(...(await measureSize(size, { quick: options.quick, parent })));
  rows.push(await measurePowerCuts(options.quick ? 10 : 100));
  return rows;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { quick: { type: "boolean", default: false }, folder: { type: "string" } },
  });
  const rows = await benchStore({
    quick: values.quick,
    ...(values.folder === undefined ? {} : { folder: values.folder }),
  });
  console.log(`${machineLine()}\n\n${toTable(rows)}`);
}
