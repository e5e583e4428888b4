/**
 * The agent's memory of what the service has not acknowledged: a queue that outlives the process.
 * Hidden here: when it goes to disk (only what waits for seconds, so that an agent that is online never
 * writes), and what happens when the disk does not take it.
 */
import type { Clock } from "../kit/clock.ts";
import type { Log } from "../kit/log.ts";
import type { FileLayer } from "../store/file-layer.ts";
import type { Report, ReportSource } from "./report-queue.ts";
import { createReportQueue } from "./report-queue.ts";
import type { RingFile } from "./ring-file.ts";
import { createRingFile } from "./ring-file.ts";

export interface RingOptions {
  readonly files: FileLayer;
  readonly path: string;
  readonly limit: number;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Ring extends ReportSource {
  add(report: Report): void;
  /** Keeps one report a minute of what is older than a minute. */
  thin(): void;
  /** Brings to disk what has waited for some seconds. Never throws: without a disk the memory has to do. */
  spill(): Promise<void>;
  /** Brings everything to disk. */
  close(): Promise<void>;
  /** Newest time of collection known, of this run or an earlier one. */
  readonly last: number | undefined;
}

const SPILL_AFTER_MS = 5000;
const RETRY_DISK_MS = 60_000;
const SPARE_LINES = 256;

/** Opens the ring at `path` with what an earlier run left there. */
export async function openRing(options: RingOptions): Promise<Ring> {
  const { clock, log } = options;
  const file: RingFile = createRingFile(options.files, options.path);
  const queue = createReportQueue({ limit: options.limit });
  const onDisk = new Set<number>();
  const addedAtMs = new Map<number, number>();
  let settled: number[] = [];
  let last: number | undefined;
  let dropped = 0;
  // The first write replaces what was read: its end may be torn.
  let mustRewrite = false;
  let failedAtMs: number | undefined;
  let writing: Promise<void> = Promise.resolve();

  function forget(collectedAtUnixMs: number): void {
    addedAtMs.delete(collectedAtUnixMs);
    if (onDisk.delete(collectedAtUnixMs)) settled.push(collectedAtUnixMs);
  }

  function add(report: Report): void {
    last = Math.max(last ?? report.collectedAtUnixMs, report.collectedAtUnixMs);
    addedAtMs.set(report.collectedAtUnixMs, clock.monotonic());
    const surplus = queue.add(report);
    for (const { collectedAtUnixMs } of surplus) forget(collectedAtUnixMs);
    if (surplus.length > 0 && dropped === 0) log.warn("The ring is full, the oldest reports are dropped");
    dropped += surplus.length;
  }

  async function write(due: readonly Report[], closing: boolean): Promise<void> {
    const marks = settled;
    const live = onDisk.size + due.length;
    if (live === 0 && !closing) {
      if (file.lines > 0 || mustRewrite) await file.clear();
    } else if (mustRewrite || file.lines + due.length + marks.length > 2 * live + SPARE_LINES) {
      const dueTimes = new Set(due.map((report) => report.collectedAtUnixMs));
      const kept = queue
        .all()
        .filter(({ collectedAtUnixMs: time }) => onDisk.has(time) || dueTimes.has(time));
      await file.rewrite({ reports: kept, last });
    } else if (due.length + marks.length > 0) {
      await file.append(due, marks);
    }
    mustRewrite = false;
    settled = settled.slice(marks.length);
    for (const { collectedAtUnixMs } of due) {
      addedAtMs.delete(collectedAtUnixMs);
      // It may have been acknowledged while the disk was busy; then the file owes a mark.
      if (queue.has(collectedAtUnixMs)) onDisk.add(collectedAtUnixMs);
      else settled.push(collectedAtUnixMs);
    }
  }

  async function writeSafely(closing: boolean): Promise<void> {
    const nowMs = clock.monotonic();
    const waitedMs = closing ? 0 : SPILL_AFTER_MS;
    if (failedAtMs !== undefined && nowMs - failedAtMs < RETRY_DISK_MS && !closing) return;
    const due = queue.all().filter(({ collectedAtUnixMs: time }) => {
      const at = addedAtMs.get(time);
      return at !== undefined && nowMs - at >= waitedMs;
    });
    try {
      await write(due, closing);
      if (failedAtMs !== undefined) log.info("The disk takes reports again", { path: options.path });
      failedAtMs = undefined;
    } catch (error) {
      if (failedAtMs === undefined) {
        log.warn("The disk takes no reports, they are kept in memory alone", { path: options.path, error });
      }
      failedAtMs = nowMs;
      mustRewrite = true;
      await file.close().catch(() => undefined);
    }
  }

  function spill(closing: boolean): Promise<void> {
    writing = writing.then(() => writeSafely(closing));
    return writing;
  }

  try {
    const content = await file.load();
    for (const report of content.reports) {
      add(report);
      onDisk.add(report.collectedAtUnixMs);
      addedAtMs.delete(report.collectedAtUnixMs);
    }
    last = content.last ?? last;
    mustRewrite = ((await options.files.sizeBytes(options.path)) ?? 0) > 0;
    for (const { collectedAtUnixMs } of queue.thin()) forget(collectedAtUnixMs);
  } catch (error) {
    mustRewrite = true;
    log.warn("The ring cannot be read, starting without it", { path: options.path, error });
  }

  return {
    next: (underWay) => queue.next(underWay),
    remove(collectedAtUnixMs) {
      const was = queue.remove(collectedAtUnixMs);
      if (was) forget(collectedAtUnixMs);
      if (queue.size === 0) dropped = 0;
      return was;
    },
    add,
    thin() {
      for (const { collectedAtUnixMs } of queue.thin()) forget(collectedAtUnixMs);
    },
    spill: () => spill(false),
    async close() {
      mustRewrite = true;
      await spill(true);
      await file.close().catch(() => undefined);
    },
    get size() {
      return queue.size;
    },
    get last() {
      return last;
    },
  };
}
