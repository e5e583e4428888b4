/** The standard metrics of a process. */
import { readdirSync } from "node:fs";
import process from "node:process";
import type { Clock } from "../time/clock.ts";
import type { Metrics, Reading } from "./metrics.ts";

const DELAY_INTERVAL_MS = 50;

/** A timer that is late by as much as the loop was busy. Deno's monitorEventLoopDelay always reads 0, so it is not used. */
function createDelayMeter(clock: Clock) {
  let worst = 0;
  let last = clock.monotonic();
  const timer = setInterval(() => {
    const now = clock.monotonic();
    worst = Math.max(worst, now - last - DELAY_INTERVAL_MS);
    last = now;
  }, DELAY_INTERVAL_MS);
  timer.unref();
  return {
    /** Longest delay in seconds since the reading before. */
    readMax: (): number => {
      const value = worst / 1_000;
      worst = 0;
      return value;
    },
    stop: (): void => clearInterval(timer),
  };
}

/** Nothing, rather than zero, where the system has no figure or the process may not look. */
function readOpenFiles(): ReturnType<Reading> {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return [];
  }
}

/** The process's figures for an administrator's page. */
export interface ProcessFacts {
  readonly uptimeSeconds: number;
  readonly residentBytes: number;
  readonly heapUsedBytes: number;
  /** Longest delay of the event loop since the reading before, at first since the start. */
  readonly eventLoopDelayMaxMs: number;
}

/** Measures from now on, apart from the metrics, whose readings restart with each scrape. */
export function createProcessFacts(clock: Clock): { read(): ProcessFacts; stop(): void } {
  const delay = createDelayMeter(clock);
  return {
    read: () => {
      const { rss, heapUsed } = process.memoryUsage();
      return {
        uptimeSeconds: Math.floor(process.uptime()),
        residentBytes: rss,
        heapUsedBytes: heapUsed,
        eventLoopDelayMaxMs: Math.round(Math.max(0, delay.readMax()) * 1_000),
      };
    },
    stop: delay.stop,
  };
}

/** Adds CPU, memory, open files, start time and event-loop delay. Returns a function that stops measuring. */
export function addProcessMetrics(metrics: Metrics, clock: Clock): () => void {
  const delay = createDelayMeter(clock);
  const startedAt = clock.now() / 1_000 - process.uptime();
  metrics.counterFrom({
    name: "process_cpu_seconds",
    help: "User and system CPU time spent",
    read: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  });
  const gauges: [string, string, Reading][] = [
    ["process_resident_memory_bytes", "Resident memory", () => process.memoryUsage().rss],
    ["process_heap_used_bytes", "JavaScript heap in use", () => process.memoryUsage().heapUsed],
    ["process_heap_total_bytes", "JavaScript heap reserved", () => process.memoryUsage().heapTotal],
    ["process_start_time_seconds", "Start time of the process in Unix seconds", () => startedAt],
    ["process_open_fds", "Open file descriptors", readOpenFiles],
    ["event_loop_delay_max_seconds", "Longest event loop delay since the previous sample", delay.readMax],
  ];
  for (const [name, help, read] of gauges) metrics.gauge({ name, help, read });
  return delay.stop;
}
