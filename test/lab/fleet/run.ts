/**
 * A fleet from start to end: servers, agents, viewers, figures. The part that tests and benches call;
 * hidden here: the order of things and what is measured when.
 */
import process from "node:process";
import { type FleetAgents, startAgents } from "./agents.ts";
import { type FleetTotals, type Ledger, type ServerAccount, createLedger } from "./ledger.ts";
import { readProcessUsage } from "./process-usage.ts";
import { prepareServers } from "./servers.ts";
import { type ViewerTotals, startViewers } from "./viewers.ts";
import { type Watched, type WatchedTotals, startWatched } from "./watched.ts";

export interface FleetOptions {
  readonly agents: number;
  readonly seconds: number;
  readonly intervalMs: number;
  readonly viewers: number;
  /** Checks that the monitor tries once a minute; default none. */
  readonly checks?: number | undefined;
  /** Pings a minute; default none. */
  readonly heartbeats?: number | undefined;
  /** gRPC address, "host:port". */
  readonly server: string;
  /** HTTP address of the monitor. */
  readonly url: string;
  readonly adminToken?: string | undefined;
  readonly keysFile?: string | undefined;
  readonly mode: "full" | "delta";
  readonly gzip?: boolean;
  /** HTTP/2 connections that the agents share. */
  readonly connections: number;
  /** Process of the monitor, for its CPU and memory. */
  readonly pid?: number | undefined;
  /** Ends the run early. */
  readonly signal?: AbortSignal;
  /** Called every 10 s. */
  readonly onProgress?: (progress: FleetProgress) => void;
}

export interface FleetProgress extends FleetTotals {
  readonly elapsedSeconds: number;
  /** Since all agents have started and sent once; null before. */
  readonly ackMs: { readonly p50: number | null; readonly p99: number | null; readonly p999: number | null };
  readonly viewers: ViewerTotals;
  /** Undefined without checks and heartbeats. */
  readonly watched: WatchedTotals | undefined;
  /** Percent of one core since the progress before, and what is resident now. */
  readonly serverProcess: { readonly cpuPercent: number; readonly rssBytes: number } | undefined;
  readonly ownCpuPercent: number;
  /** How late the fleet itself was at worst: latencies below this say nothing about the monitor. */
  readonly ownLagMs: number;
}

/** The whole run; CPU figures span all of it. */
export interface FleetResult extends FleetProgress {
  readonly accounts: readonly ServerAccount[];
  readonly checksAndJobs: Pick<Watched, "checks" | "jobs" | "startedAt"> | undefined;
  readonly serverPeakRssBytes: number | undefined;
  /** Why connections were lost, by how often. */
  readonly reasons: Readonly<Record<string, number>>;
}

const PROGRESS_MS = 10_000;
const LAST_ACKS_MS = 10_000;
const POLL_MS = 50;
/** When the target of one check goes down, of the whole time. */
const BREAK_AT = 0.5;

/** CPU and memory between two looks. */
function createGauge(pid: number | undefined) {
  let lastMs = performance.now();
  let lastOwn = process.cpuUsage();
  let lastCpuSeconds = pid === undefined ? undefined : readProcessUsage(pid)?.cpuSeconds;
  return {
    look(): Pick<FleetProgress, "serverProcess" | "ownCpuPercent"> {
      const nowMs = performance.now();
      const seconds = Math.max(0.001, (nowMs - lastMs) / 1000);
      const own = process.cpuUsage(lastOwn);
      const usage = pid === undefined ? undefined : readProcessUsage(pid);
      const cpu =
        usage === undefined || lastCpuSeconds === undefined ? undefined : usage.cpuSeconds - lastCpuSeconds;
      lastMs = nowMs;
      lastOwn = process.cpuUsage();
      lastCpuSeconds = usage?.cpuSeconds;
      return {
        ownCpuPercent: Math.round((own.user + own.system) / 1000 / seconds) / 10,
        serverProcess:
          usage === undefined || cpu === undefined
            ? undefined
            : { cpuPercent: Math.round((cpu / seconds) * 1000) / 10, rssBytes: usage.rssBytes },
      };
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function waitForLastAcks(ledger: Ledger): Promise<void> {
  const endMs = performance.now() + LAST_ACKS_MS;
  while (ledger.totals().waiting > 0 && performance.now() < endMs) await pause(POLL_MS);
}

/** Checks and heartbeats, when there are any. */
async function watch(options: FleetOptions): Promise<Watched | undefined> {
  const { url, adminToken, checks = 0, heartbeats = 0 } = options;
  return checks + heartbeats === 0 ? undefined : startWatched({ url, adminToken, checks, heartbeats });
}

async function waitForEnd(options: FleetOptions, work: (share: number) => void): Promise<void> {
  const startMs = performance.now();
  let nextMs = startMs + PROGRESS_MS;
  const endMs = startMs + options.seconds * 1000;
  for (;;) {
    const nowMs = performance.now();
    if (nowMs >= endMs || options.signal?.aborted === true) return;
    if (nowMs >= nextMs) {
      nextMs += PROGRESS_MS;
      work((nowMs - startMs) / (endMs - startMs));
    }
    await pause(Math.min(POLL_MS, endMs - nowMs));
  }
}

/** Runs a fleet and tells what happened. Nothing is lost silently: see `waiting` and `lost`. */
export async function runFleet(options: FleetOptions): Promise<FleetResult> {
  const keys = await prepareServers({
    count: options.agents,
    url: options.url,
    adminToken: options.adminToken,
    keysFile: options.keysFile,
  });
  const watched = await watch(options);
  const ledger = createLedger();
  const startMs = performance.now();
  const viewers = startViewers({ ...options, count: options.viewers, gzip: options.gzip === true });
  const agents: FleetAgents = startAgents({ ...options, keys, address: options.server, ledger });
  // The storm of the start is no measure of the rest.
  const measuring = setTimeout(ledger.measure, agents.rampMs + options.intervalMs);
  const whole = createGauge(options.pid);
  const recent = createGauge(options.pid);
  let peak: number | undefined;

  function look(gauge: ReturnType<typeof createGauge>): FleetProgress {
    const { latencies } = ledger;
    const usage = gauge.look();
    if (usage.serverProcess !== undefined) peak = Math.max(peak ?? 0, usage.serverProcess.rssBytes);
    return {
      elapsedSeconds: Math.round((performance.now() - startMs) / 100) / 10,
      ...ledger.totals(),
      ackMs: { p50: latencies.quantile(0.5), p99: latencies.quantile(0.99), p999: latencies.quantile(0.999) },
      viewers: viewers.totals(),
      watched: watched?.totals(),
      ownLagMs: agents.takeLagMs(),
      ...usage,
    };
  }

  await waitForEnd(options, (share) => {
    if (share >= BREAK_AT) watched?.breakOne();
    const progress = look(recent);
    options.onProgress?.(progress);
  });
  clearTimeout(measuring);
  agents.quiet();
  await watched?.quiet();
  await waitForLastAcks(ledger);
  const last = look(whole);
  viewers.stop();
  await agents.stop();
  await watched?.stop();
  return {
    ...last,
    accounts: ledger.accounts(),
    checksAndJobs: watched,
    serverPeakRssBytes: peak,
    reasons: Object.fromEntries(agents.reasons),
  };
}
