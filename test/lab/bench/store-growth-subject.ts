/** A process of store-growth.ts: fills a folder, or opens it and measures. Arguments: part, folder, records. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import process from "node:process";
import { nodeFileLayer } from "../../../src/kit/files/file-layer.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { openJournalStore } from "../../../src/store/journal/journal-store.ts";
import { moveOver } from "../../../src/store/journal/load.ts";
import { createSnapshotFile, findBase } from "../../../src/store/journal/snapshot-adapter.ts";
import { Table } from "../../../src/store/tables/table.ts";
import { toParts } from "../../../src/store/tables/write-table.ts";
import { median } from "./measure.ts";
import { records, toFields } from "./store-records.ts";

/** What was measured. */
export interface Growth {
  readonly openMs: number;
  readonly openCpuMs: number;
  readonly rssMib: number;
  readonly heapMib: number;
  readonly readMicroseconds: number;
  readonly writeMs: number;
  readonly snapshotMs: number;
  readonly pauseMs: number;
}

const READS = 20_000;
const WRITES = 300;
const MIB = 1024 ** 2;
const [, , part, folder = "", countText] = process.argv;
const count = Number(countText);
const place = { files: nodeFileLayer, folder, name: "bench", clock: systemClock };
const toId = (n: number): string => `record-${String(n).padStart(9, "0")}`;
const open = () => openJournalStore({ folder, name: "bench", collections: [records] });

async function seed(): Promise<void> {
  const table = new Table(records);
  for (let n = 0; n < count; n += 1) table.replace(undefined, { id: toId(n), version: 1, ...toFields(n) });
  await createSnapshotFile(place).write({
    service: "bench",
    lsn: 1,
    parts: toParts(new Map([["records", table]])),
  });
  await (await open()).close();
}

/** Rewrites the whole snapshot, as a compaction does, and measures how long it blocks the process. */
async function measureSnapshot(): Promise<Pick<Growth, "snapshotMs" | "pauseMs">> {
  const base = await findBase(place);
  if (base === undefined) throw new Error(`"${folder}" has no index file`);
  const tables = moveOver(new Map([["records", new Table(records)]]), base);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const startedMs = performance.now();
  await createSnapshotFile(place).write({
    service: "bench",
    lsn: base.contents.lsn,
    journal: 9,
    parts: toParts(tables),
  });
  delay.disable();
  return { snapshotMs: performance.now() - startedMs, pauseMs: delay.max / 1_000_000 };
}

async function measure(): Promise<Growth> {
  const cpu = process.cpuUsage();
  const openedMs = performance.now();
  const store = await open();
  const openMs = performance.now() - openedMs;
  const { user, system } = process.cpuUsage(cpu);
  const { rss, heapUsed } = process.memoryUsage();
  const readFromMs = performance.now();
  for (let n = 0; n < READS; n += 1)
    await store.read((tx) => tx.get(records, toId(Math.floor(Math.random() * count))));
  const readMicroseconds = ((performance.now() - readFromMs) / READS) * 1_000;
  const writes: number[] = [];
  for (let n = 0; n < WRITES; n += 1) {
    const startedMs = performance.now();
    await store.transact((tx) => tx.insert(records, { id: toId(count + n), ...toFields(n) }));
    writes.push(performance.now() - startedMs);
  }
  await store.close();
  return {
    openMs,
    openCpuMs: (user + system) / 1_000,
    rssMib: rss / MIB,
    heapMib: heapUsed / MIB,
    readMicroseconds,
    writeMs: median(writes),
    ...(await measureSnapshot()),
  };
}

const answer = part === "seed" ? await seed() : await measure();
process.send?.(answer ?? {});
process.once("disconnect", () => process.exit(0));
