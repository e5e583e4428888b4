/** What a ping of a heartbeat costs: over HTTP, and on disk before the answer. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { silentLog } from "../../../src/kit/observe/log.ts";
import { newCodeText, newId } from "../../../src/kit/secrets/id.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { checks } from "../../../src/monitor/checks/records.ts";
import { checkFieldsSchema } from "../../../src/monitor/checks/schema.ts";
import { monitorCollections } from "../../../src/monitor/app/records.ts";
import { openJournalStore } from "../../../src/store/journal/journal-store.ts";
import { readProcessUsage } from "../fleet/process-usage.ts";
import { assertAll, runLoad } from "./load.ts";
import { type BenchRow, type Effort, median } from "./measure.ts";
import { type OwnProgram, startOwnProgram } from "./own-program.ts";

/** Each takes 60 pings a minute: more than the load makes. */
const HEARTBEATS = 4_000;
const CONNECTIONS = 64;
const A_MINUTE = 10_000;
/** Of the steady load, whatever the effort: processor time is counted in hundredths of a second. */
const STEADY_SECONDS = 20;
const IDLE_SECONDS = 10;

/** A data folder with heartbeats; gives their keys. */
async function seed(folder: string): Promise<string[]> {
  const store = await openJournalStore({
    folder: join(folder, "monitor"),
    name: "monitor",
    collections: monitorCollections,
    clock: systemClock,
    log: silentLog,
  });
  const keys: string[] = [];
  const target = { kind: "heartbeat", schedule: { type: "cron", expression: "*/5 * * * *" } };
  await store.transact(async (tx) => {
    for (let n = 0; n < HEARTBEATS; n += 1) {
      const now = Date.now();
      const pingKey = newCodeText(26);
      const fields = checkFieldsSchema.parse({ name: `Job ${n}`, target });
      const made = { id: newId("chk"), revision: 1, pingKey, createdAt: now, updatedAt: now };
      await tx.insert(checks, { ...fields, ...made });
      keys.push(pingKey);
    }
  });
  await store.close();
  return keys;
}

async function ping(
  { url, pid }: OwnProgram,
  keys: readonly string[],
  load: { connections: number; seconds: number; warmupSeconds?: number; perSecond?: number },
) {
  const before = readProcessUsage(pid);
  const startedMs = performance.now();
  const request = {
    url: `${url}/ping/{value}`,
    method: "POST",
    body: "Backup of 12 GB in 184 s",
    values: keys,
  };
  const result = assertAll(await runLoad({ ...request, ...load }), 200);
  const after = readProcessUsage(pid);
  const cpuSeconds = (after?.cpuSeconds ?? 0) - (before?.cpuSeconds ?? 0);
  const answers = Object.values(result.statuses).reduce((sum, count) => sum + count, 0);
  const share = cpuSeconds / ((performance.now() - startedMs) / 1_000);
  return { ...result, cpuMicrosecondsEach: (cpuSeconds * 1e6) / answers, share, rss: after?.rssBytes ?? 0 };
}

/** CPU use of the program without pings. */
async function measureIdle(pid: number): Promise<number> {
  const before = readProcessUsage(pid)?.cpuSeconds ?? 0;
  await pause(IDLE_SECONDS * 1_000);
  return ((readProcessUsage(pid)?.cpuSeconds ?? 0) - before) / IDLE_SECONDS;
}

/** Pings as fast as they are taken, and 10,000 a minute. */
export async function benchHeartbeats({ seconds, rounds }: Effort): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "trivet-bench-heartbeats-"));
  const keys = await seed(folder);
  const program = await startOwnProgram("monitor", {
    DATA_DIR: folder,
    GRPC_PORT: "0",
    ADMIN_TOKEN: "a-token-of-the-benchmarks",
  });
  try {
    await ping(program, keys, { connections: CONNECTIONS, seconds: 3 });
    const full = [];
    for (let round = 0; round < rounds; round += 1)
      full.push(await ping(program, keys, { connections: CONNECTIONS, seconds }));
    const idle = await measureIdle(program.pid);
    const steady = await ping(program, keys, {
      connections: 8,
      seconds: STEADY_SECONDS,
      warmupSeconds: 1,
      perSecond: A_MINUTE / 60,
    });
    const each = median(full.map(({ cpuMicrosecondsEach }) => cpuMicrosecondsEach));
    return [
      {
        name: `pings of ${HEARTBEATS.toLocaleString("en")} heartbeats, each on disk before its OK`,
        unit: "pings/s",
        ours: median(full.map(({ perSecond }) => perSecond)),
        note: `${each.toFixed(0)} µs of processor time each, p99 ${median(full.map(({ p99Ms }) => p99Ms)).toFixed(1)} ms`,
      },
      {
        name: `${A_MINUTE.toLocaleString("en")} pings a minute`,
        unit: "% of a core",
        ours: steady.share * 100,
        note: `of which ${(idle * 100).toFixed(1)} % without pings; p99 ${steady.p99Ms.toFixed(1)} ms, ${Math.round(steady.rss / 1_048_576)} MiB`,
      },
    ];
  } finally {
    await program.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
