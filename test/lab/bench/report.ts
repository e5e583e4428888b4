/**
 * What a report costs on its way to disk: parsing, deduplication, history, and rows a second that the sample
 * log makes durable. Medians of several rounds. Run it alone: node --import tsx test/lab/bench/report.ts [folder]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { silentLog } from "../../../src/kit/observe/log.ts";
import { createDedupe } from "../../../src/monitor/ingest/dedupe.ts";
import { createTiers } from "../../../src/monitor/history/tiers.ts";
import { retentionSchema } from "../../../src/monitor/base/schema.ts";
import { createMemoryRollups } from "../../../src/store/series/rollups/memory-rollups.ts";
import { type History, createHistory } from "../../../src/monitor/history/history.ts";
import { metrics } from "../../../src/monitor/base/metric-table.ts";
import { type MetricRow, metricKinds } from "../../../src/monitor/base/metrics.ts";
import { parseReport } from "../../../src/monitor/ingest/report.ts";
import { reportSchema } from "../../../src/monitor/base/report-schema.ts";
import type { CheckpointEntry, SampleLog } from "../../../src/store/series/samples/samples.ts";
import { openSampleLog } from "../../../src/store/series/samples/file-sample-log.ts";

const ROUNDS = 15;
const SERVERS = 3_000;

/** The example of the protocol's documentation. */
const payload = JSON.stringify({
  v: 1,
  intervalMs: 3000,
  uptimeSeconds: 86400,
  host: {
    os: "linux",
    platform: "debian",
    platformVersion: "12",
    kernel: "6.1.0",
    arch: "x86_64",
    virtualization: "kvm",
    cpuModel: "AMD EPYC 7B13",
    cpuCores: 4,
    agentVersion: "1.0.0",
    bootTimeUnixMs: 1754000000000,
  },
  cpu: { usagePercent: 12.3, perCorePercent: [9, 14], iowaitPercent: 0.4, stealPercent: 0 },
  load: { one: 0.12, five: 0.1, fifteen: 0.09 },
  memory: { totalBytes: 8345231360, usedBytes: 3345231360, cacheBytes: 1200000000 },
  swap: { totalBytes: 2147483648, usedBytes: 0 },
  disk: {
    totalBytes: 84345231360,
    usedBytes: 34345231360,
    readBytesPerSecond: 0,
    writeBytesPerSecond: 4096,
    mounts: [{ path: "/", totalBytes: 1, usedBytes: 1 }],
  },
  network: {
    rxBytesPerSecond: 12345,
    txBytesPerSecond: 2345,
    rxTotalBytes: 1234567890,
    txTotalBytes: 987654321,
    interfaces: [{ name: "eth0", rxTotalBytes: 1, txTotalBytes: 1 }],
  },
  connections: { tcp: 123, udp: 12 },
  processes: 145,
  gpus: [{ name: "T4", usagePercent: 3, memoryTotalBytes: 1, memoryUsedBytes: 1, celsius: 41 }],
  temperatures: [{ name: "cpu", celsius: 45 }],
});

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

function say(what: string, figure: string): void {
  process.stdout.write(`${what.padEnd(52)}${figure.padStart(16)}\n`);
}

/** Runs the cases in turn, so that what else the machine does touches all alike. */
function compareCosts(cases: Readonly<Record<string, () => void>>): void {
  const times = new Map<string, number[]>(Object.keys(cases).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, run] of Object.entries(cases)) {
      const started = performance.now();
      for (let index = 0; index < 3_000; index += 1) run();
      times.get(name)?.push((performance.now() - started) / 3);
    }
  }
  for (const [name, values] of times) say(name, `${median(values).toFixed(2)} µs`);
}

/** What is rolled up stays in memory here. */
function createBenchHistory(): History {
  const retention = retentionSchema.parse({});
  return createHistory({
    clock: systemClock,
    log: silentLog,
    retention,
    rollups: createMemoryRollups({ tiers: createTiers(retention), clock: systemClock }),
    createdAt: () => 0,
  });
}

function measureCpu(): MetricRow {
  const now = systemClock.now();
  const times = { collectedAt: now, now };
  const parsed = parseReport(payload, times);
  if (!parsed.ok) throw new Error(parsed.reason);
  const value: unknown = JSON.parse(payload);
  const dedupe = createDedupe();
  for (let index = 0; index < 2_048; index += 1) dedupe.remember(now + 3_000 * index);
  const history = createBenchHistory();
  let at = now;
  let arrived = now + 3_000 * 2_048;
  compareCosts({
    "JSON.parse alone": () => void JSON.parse(payload),
    "parseReport (parse, check, clamp, row)": () => void parseReport(payload, times),
    "zod's check alone, for comparison": () => void reportSchema.safeParse(value),
    "dedupe: newer than all": () => {
      arrived += 3_000;
      void dedupe.claim(arrived);
      dedupe.remember(arrived);
    },
    "dedupe: scan of 2,048 for an old time": () => void dedupe.claim(now - 1),
    "history: insert": () => history.insert("a", { at: (at += 1), values: parsed.row, seq: 1 }),
  });
  return parsed.row;
}

function measureMemory(row: MetricRow): void {
  const history = createBenchHistory();
  const now = systemClock.now();
  for (let server = 0; server < SERVERS; server += 1) {
    for (let index = 0; index < 300; index += 1) {
      const isSteady = (metric: number): boolean => metrics[metric]?.name.endsWith(".totalBytes") ?? false;
      const values = row.map((value, metric) =>
        isSteady(metric) ? value : value + ((index * 7_919 + metric) % 10_007),
      );
      history.insert(`server-${server}`, { at: now - 890_000 + index * 2_900, values, seq: 1 });
    }
  }
  say(`history: ${SERVERS} servers × 300 points`, `${(history.size.bytes / 1e6).toFixed(1)} MB`);
}

async function openLog(
  folder: string,
  checkpoint: () => Iterable<CheckpointEntry> = () => [],
): Promise<SampleLog> {
  return openSampleLog({ folder, columns: metricKinds, checkpoint, clock: systemClock, log: silentLog });
}

async function measureAppends(
  folder: string,
  row: MetricRow,
  options: { callers: number; seconds: number },
): Promise<number> {
  const log = await openLog(folder);
  await log.replay({ onCheckpoint: () => undefined, onRow: () => undefined });
  const perSecond: number[] = [];
  let count = 0;
  let isOver = false;
  const callers = Array.from({ length: options.callers }, async (_, caller) => {
    while (!isOver) {
      const now = systemClock.now();
      await log.append({ key: `server-${caller}`, at: now, receivedAt: now, values: row });
      count += 1;
    }
  });
  for (let second = 0; second < options.seconds; second += 1) {
    const before = { count, at: performance.now() };
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    perSecond.push(((count - before.count) * 1_000) / (performance.now() - before.at));
  }
  isOver = true;
  await Promise.all(callers);
  await log.close();
  say(
    `sample log: durable rows/s, ${options.callers} callers`,
    Math.round(median(perSecond)).toLocaleString("en"),
  );
  return count;
}

/** A quarter of an hour of 3,000 servers that report every 3 s, read back as a restart does. */
async function measureReplay(folder: string, row: MetricRow): Promise<void> {
  const blob = new Uint8Array(4_000);
  const log = await openLog(folder, function* () {
    for (let server = 0; server < SERVERS; server += 1) yield { key: `server-${server}`, blob };
  });
  await log.replay({ onCheckpoint: () => undefined, onRow: () => undefined });
  const now = systemClock.now();
  for (let index = 0; index < 300; index += 1) {
    const at = now - 890_000 + index * 2_900;
    await Promise.all(
      Array.from({ length: SERVERS }, (_, server) =>
        log.append({ key: `server-${server}`, at, receivedAt: at, values: row }),
      ),
    );
  }
  const closing = performance.now();
  await log.close();
  say("checkpoint: 3,000 × 4,000 bytes", `${Math.round(performance.now() - closing)} ms`);
  const history = createBenchHistory();
  const dedupes = new Map<string, ReturnType<typeof createDedupe>>();
  let longestMs = 0;
  let last = performance.now();
  const stalls = setInterval(() => {
    longestMs = Math.max(longestMs, performance.now() - last - 5);
    last = performance.now();
  }, 5);
  const again = await openLog(folder);
  const started = performance.now();
  const summary = await again.replay({
    onCheckpoint: () => undefined,
    onRow: ({ key, at, values }) => {
      let dedupe = dedupes.get(key);
      if (dedupe === undefined) dedupes.set(key, (dedupe = createDedupe()));
      dedupe.remember(at);
      history.insert(key, { at, values, seq: 1 });
    },
  });
  say(
    `replay of ${summary.rows.toLocaleString("en")} rows into history and dedupe`,
    `${Math.round(performance.now() - started)} ms`,
  );
  clearInterval(stalls);
  say("replay: longest stall of the event loop", `${Math.round(longestMs)} ms`);
  await again.close();
}

async function main(): Promise<void> {
  const parent = await mkdtemp(join(process.argv[2] ?? tmpdir(), "trivet-bench-"));
  try {
    process.stdout.write(
      `${cpus()[0]?.model ?? "?"} × ${cpus().length}, ${process.version}, payload ${payload.length} bytes\n`,
    );
    const row = measureCpu();
    measureMemory(row);
    const count = await measureAppends(join(parent, "appends"), row, { callers: 1_000, seconds: 7 });
    say("sample log: rows written in this case", count.toLocaleString("en"));
    await measureAppends(join(parent, "few"), row, { callers: 10, seconds: 5 });
    await measureReplay(join(parent, "replay"), row);
  } finally {
    await rm(parent, { recursive: true });
  }
}

await main();
