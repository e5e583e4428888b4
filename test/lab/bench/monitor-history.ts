/**
 * Charts over a day, 80 days and a year of 1,000 servers whose history lies on files, seeded through the store
 * of rollups itself. `npm run bench -- monitor-history`
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { silentLog } from "../../../src/kit/observe/log.ts";
import { type History, createHistory } from "../../../src/monitor/history/history.ts";
import { createTiers } from "../../../src/monitor/history/tiers.ts";
import { metrics } from "../../../src/monitor/base/metric-table.ts";
import type { MetricName } from "../../../src/monitor/base/metrics.ts";
import { retentionSchema } from "../../../src/monitor/base/schema.ts";
import { addValues, createStats } from "../../../src/store/series/rollups/bucket.ts";
import { openFileRollups } from "../../../src/store/series/rollups/file-rollups.ts";
import type { RollupBucket, RollupStore, RollupTier } from "../../../src/store/series/rollups/rollups.ts";
import { type Bench, type BenchRow, median, quantile } from "./measure.ts";

const SERVERS = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TARGET_MS = 200;
const CHARTED: readonly MetricName[] = [
  "cpu.usagePercent",
  "memory.usedPercent",
  "network.rxBytesPerSecond",
  "network.txBytesPerSecond",
];
const retention = retentionSchema.parse({});

/** Values like those of a busy machine: sizes are constant, the others vary. */
function makeValues(seed: number): number[] {
  return metrics.map(({ name, kind }, metric) => {
    if (name.endsWith("totalBytes") && !name.startsWith("network")) return 8_345_231_360;
    const wander = ((seed * 7_919 + metric * 104_729) % 10_007) / 100;
    return kind === "fraction" ? wander : Math.round(3_000_000_000 + wander * 12_345_678);
  });
}

function makeBucket(at: number, seed: number): RollupBucket {
  const stats = createStats(metrics.length);
  for (let row = 0; row < 4; row += 1) addValues(stats, makeValues(seed + row));
  return { at, stats };
}

/** Fills the tiers as two years of reports would; the finest only for what a chart of it needs. */
async function seed(rollups: RollupStore, tiers: readonly RollupTier[], now: number): Promise<void> {
  const keys = Array.from({ length: SERVERS }, (_, server) => `server-${server}.0`);
  for (const [index, tier] of tiers.entries()) {
    if (tier.name === "10m") continue;
    const parts = 3;
    for (let part = 0; part < parts; part += 1) {
      const read = (asked: RollupTier, key: string): RollupBucket[] => {
        if (asked.name !== tier.name) return [];
        const count = Math.floor(tier.keepMs / tier.stepMs);
        const first = Math.floor((now - tier.keepMs) / tier.stepMs) + 1;
        // Each part has every third span and those of its own third of time, so that runs lie over each other.
        return Array.from({ length: count }, (_, span) => span)
          .filter((span) => span % parts === part)
          .map((span) => makeBucket((first + span) * tier.stepMs, key.length * 31 + span));
      };
      const nextSeq = index * parts + part + 1;
      await rollups.flush({ nextSeq, collect: () => ({ keys, newestAt: now, read }) });
    }
    await rollups.maintain();
  }
}

interface Chart {
  readonly name: string;
  readonly rangeMs: number;
  readonly tier: string;
}

const charts: readonly Chart[] = [
  { name: "a day", rangeMs: DAY_MS - HOUR_MS, tier: "1m" },
  { name: "80 days", rangeMs: 80 * DAY_MS, tier: "1h" },
  { name: "a year", rangeMs: 365 * DAY_MS, tier: "1d" },
];

async function measureChart(history: History, chart: Chart, now: number): Promise<number[]> {
  const times: number[] = [];
  for (let query = 0; query < 200; query += 1) {
    const serverId = `server-${(query * 7_919) % SERVERS}`;
    const started = performance.now();
    const request = { serverId, metrics: CHARTED, from: now - chart.rangeMs, to: now, points: 1_000 };
    const series = await history.query(request);
    times.push(performance.now() - started);
    const [first] = series;
    if (first?.tier !== chart.tier || first.points.length < 300)
      throw new Error(`${chart.name}: ${first?.points.length} points of ${first?.tier}`);
  }
  return times;
}

async function openHistory(folder: string): Promise<{ history: History; rollups: RollupStore }> {
  const rollups = await openFileRollups({ folder, tiers: createTiers(retention), clock: systemClock });
  const history = createHistory({
    clock: systemClock,
    log: silentLog,
    rollups,
    retention,
    createdAt: () => 0,
  });
  return { history, rollups };
}

/** Seeds a folder, then measures each chart after a start, as the first one finds nothing in memory. */
export const benchHistory: Bench = async () => {
  const folder = await mkdtemp(join(tmpdir(), "trivet-bench-history-"));
  try {
    const now = systemClock.now();
    const seeding = performance.now();
    const first = await openHistory(folder);
    await seed(first.rollups, createTiers(retention), now);
    const sizes = [...(await first.rollups.sizes()).values()];
    const buckets = sizes.reduce((sum, size) => sum + size.buckets, 0);
    const bytes = sizes.reduce((sum, size) => sum + size.bytes, 0);
    await first.rollups.close();
    const note = `${SERVERS} servers, ${Math.round(bytes / 1e6)} MB, ${Math.round(bytes / buckets)} bytes a span, seeded in ${Math.round((performance.now() - seeding) / 1_000)} s`;
    const rows: BenchRow[] = [];
    for (const chart of charts) {
      const { history, rollups } = await openHistory(folder);
      const times = await measureChart(history, chart, now);
      await rollups.close();
      const [cold = Number.NaN] = times;
      const p99 = quantile(times, 0.99);
      rows.push({
        name: `history: 4 metrics over ${chart.name}`,
        unit: "ms",
        ours: median(times),
        ...(chart.tier === "1d"
          ? { target: `${TARGET_MS} ms`, isReached: cold < TARGET_MS && p99 < TARGET_MS }
          : {}),
        note: `p99 ${p99.toFixed(1)} ms, first after a start ${cold.toFixed(1)} ms; ${note}`,
      });
    }
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
