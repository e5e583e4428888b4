/**
 * 1,000 servers with 20 parts each beside 1,000 without, in one run: reports a second through parsing and the history
 * of parts, memory, and what a day takes on disk. `npm run bench -- monitor-parts`
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { silentLog } from "../../../src/kit/observe/log.ts";
import { monitorCollections } from "../../../src/monitor/app/records.ts";
import { retentionSchema } from "../../../src/monitor/base/schema.ts";
import { parseReport } from "../../../src/monitor/ingest/report.ts";
import { createPartHistory, createPartTiers } from "../../../src/monitor/parts/part-history.ts";
import { Parts } from "../../../src/monitor/parts/parts.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import { openFileRollups } from "../../../src/store/series/rollups/file-rollups.ts";
import type { Bench, BenchRow } from "./measure.ts";

const SERVERS = 1_000;
const MINUTES = 30;
const EVERY_MS = 3_000;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
const retention = retentionSchema.parse({});

/** A report at a step of three seconds; with its lists of containers every tenth time, as agents send them. */
function makePayload(server: number, step: number, hasParts: boolean): string {
  const wander = (part: number): number => ((server * 31 + step * 7 + part * 104_729) % 997) / 10;
  const base = {
    v: 1,
    intervalMs: EVERY_MS,
    cpu: { usagePercent: wander(0) },
    memory: { totalBytes: 8e9, usedBytes: 3e9 },
  };
  if (!hasParts) return JSON.stringify(base);
  const list = <T>(count: number, toItem: (part: number) => T): T[] =>
    Array.from({ length: count }, (_, part) => toItem(part));
  const containers = list(6, (part) => ({
    name: `service-${part}`,
    state: "running",
    cpuPercent: wander(part),
    memoryUsedBytes: Math.round(1e8 + wander(part) * 1e6),
    rxBytesPerSecond: Math.round(wander(part) * 1e4),
    txBytesPerSecond: Math.round(wander(part) * 1e3),
    restarts: 0,
  }));
  return JSON.stringify({
    ...base,
    disk: {
      mounts: list(5, (part) => ({ path: `/srv/${part}`, totalBytes: 1e12, usedBytes: 5e11 + step * 4_096 })),
    },
    network: {
      interfaces: list(4, (part) => ({
        name: `eth${part}`,
        rxBytesPerSecond: Math.round(wander(part) * 1e5),
        txBytesPerSecond: Math.round(wander(part) * 1e4),
      })),
    },
    temperatures: list(5, (part) => ({ name: `core ${part}`, celsius: Math.round(400 + wander(part)) / 10 })),
    ...(step % 10 === 0 ? { details: { containers } } : {}),
  });
}

/** Bytes in use after a full collection. */
function measureMemory(): number {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function run(folder: string, hasParts: boolean) {
  let now = Date.UTC(2026, 0, 1);
  const clock = { now: () => now, monotonic: () => now };
  const rollups = await openFileRollups({ folder, tiers: createPartTiers(retention), clock });
  const history = createPartHistory({ clock, log: silentLog, rollups, retention, createdAt: () => 0 });
  const store = createMemoryStore({ collections: monitorCollections });
  const parts = new Parts({ store, clock, log: silentLog, history });
  const ids = Array.from({ length: SERVERS }, (_, server) => `server-${server}`);
  for (const id of ids) await parts.open({ id, createdAt: 0 });
  let reports = 0;
  let ms = 0;
  for (let step = 0; step < (MINUTES * MINUTE_MS) / EVERY_MS; step += 1) {
    now += EVERY_MS;
    const payloads = ids.map((_, server) => makePayload(server, step, hasParts));
    const started = performance.now();
    for (const [server, payload] of payloads.entries()) {
      const parsed = parseReport(payload, { collectedAt: now, now });
      if (!parsed.ok || parsed.report === undefined) throw new Error("A report was rejected");
      const id = ids[server] ?? "";
      const readings = parts.read(id, parsed.report, now);
      if (readings !== undefined) parts.insert(id, readings, now);
      reports += 1;
    }
    ms += performance.now() - started;
    if ((step * EVERY_MS) % 20_000 === 0) await parts.maintain();
  }
  const memory = measureMemory();
  await parts.close();
  const sizes = [...(await rollups.sizes()).values()];
  const bytes = sizes.reduce((sum, size) => sum + size.bytes, 0);
  const spans = sizes.reduce((sum, size) => sum + size.buckets, 0);
  const querying = performance.now();
  if (hasParts)
    await parts.query(
      { id: "server-7", createdAt: 0 },
      {
        kind: "mount",
        name: "/srv/0",
        metrics: ["usedPercent"],
        from: now - 365 * 86_400_000,
        to: now,
        points: 1_000,
      },
    );
  const queryMs = performance.now() - querying;
  await rollups.close();
  return { perSecond: (reports * 1_000) / ms, memory, bytes, spans, queryMs };
}

export const benchParts: Bench = async () => {
  const folder = await mkdtemp(join(tmpdir(), "trivet-bench-parts-"));
  try {
    const bare = await run(join(folder, "without"), false);
    const ours = await run(join(folder, "with"), true);
    const kept = createPartTiers(retention).reduce((sum, { keepMs, stepMs }) => sum + keepMs / stepMs, 0);
    const spanBytes = ours.bytes / ours.spans;
    const rows: BenchRow[] = [
      {
        name: `${SERVERS} servers with 20 parts: reports parsed and counted`,
        unit: "reports/s",
        ours: ours.perSecond,
        other: { name: "without parts", value: bare.perSecond },
        note: `a fleet with a report every 3 s sends ${Math.round(SERVERS / 3)}/s`,
      },
      {
        name: `${SERVERS} servers with 20 parts: memory in use`,
        unit: "MiB",
        ours: ours.memory / 1_048_576,
        other: { name: "without parts", value: bare.memory / 1_048_576 },
      },
      {
        name: `${SERVERS} servers with 20 parts: disk once every tier is full`,
        unit: "MB",
        ours: (kept * spanBytes * SERVERS * 20) / 1e6,
        note: `${spanBytes.toFixed(0)} bytes a span; ${(((ours.bytes / MINUTES) * DAY_MINUTES) / 1e6).toFixed(0)} MB a day at the rate of the first ${MINUTES} minutes; chart of a year ${ours.queryMs.toFixed(1)} ms`,
      },
    ];
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
