/**
 * One side of the store's benchmark in a process of its own, so that neither pays for the other's memory. Each
 * message is a round in milliseconds; the answer is what it came to. 0 ends it.
 */
import { open } from "node:fs/promises";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { JSONFilePreset } from "lowdb/node";
import { type JournalStore, openJournalStore } from "../../../src/store/journal/journal-store.ts";
import { quantile } from "./measure.ts";
import { CALLERS, records, toFields } from "./store-records.ts";

/** What a round came to. */
export interface Round {
  readonly perSecond: number;
  readonly p99Ms: number;
  readonly cpuMicrosecondsEach: number;
}

function toRecord(index: number): { id: string } & ReturnType<typeof toFields> {
  return { id: `r${index}`, ...toFields(index) };
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

const [kind, folder = "", count = "0"] = process.argv.slice(2);
const opening =
  kind === "ours"
    ? openOurs(folder, Number(count))
    : kind === "lowdb"
      ? openLowdb(folder, Number(count))
      : openBare(folder);
const subject = await opening;

async function answer(milliseconds: number): Promise<void> {
  if (milliseconds > 0) {
    process.send?.(await measureRound(milliseconds, subject.change));
    return;
  }
  await subject.close();
  process.disconnect();
}

process.on("message", (milliseconds) => void answer(Number(milliseconds)));
process.send?.("ready");
