/** When and how the queue's reports go to the ring's file. */
import type { Clock } from "../../kit/time/clock.ts";
import type { Log } from "../../kit/observe/log.ts";
import type { Report, ReportQueue } from "./report-queue.ts";
import type { RingFile } from "./ring-file.ts";

export interface SpillOptions {
  readonly file: RingFile;
  readonly queue: ReportQueue;
  readonly path: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Newest time of collection, to be kept in the file. */
  readonly last: () => number | undefined;
}

const SPILL_AFTER_MS = 5000;
const RETRY_DISK_MS = 60_000;
const SPARE_LINES = 256;

/** Starts with an empty file. */
export function createSpill(options: SpillOptions) {
  const { file, queue, clock } = options;
  const onDisk = new Set<number>();
  const addedAtMs = new Map<number, number>();
  let settled: number[] = [];
  let mustRewrite = false;
  let failedAtMs: number | undefined;
  let writing: Promise<void> = Promise.resolve();

  /** A report left the queue. */
  function forget(collectedAtUnixMs: number): void {
    addedAtMs.delete(collectedAtUnixMs);
    if (onDisk.delete(collectedAtUnixMs)) settled.push(collectedAtUnixMs);
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
      await file.rewrite({ reports: kept, last: options.last() });
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
    const isDue = (atMs: number | undefined): boolean => atMs !== undefined && nowMs - atMs >= waitedMs;
    const due = queue.all().filter((report) => isDue(addedAtMs.get(report.collectedAtUnixMs)));
    try {
      await write(due, closing);
      if (failedAtMs !== undefined)
        options.log.info("Reports are written to disk again", { path: options.path });
      failedAtMs = undefined;
    } catch (error) {
      if (failedAtMs === undefined)
        options.log.warn("Reports cannot be written to disk; they are kept in memory", {
          path: options.path,
          error,
        });
      failedAtMs = nowMs;
      mustRewrite = true;
      await file.close().catch(() => undefined);
    }
  }

  return {
    /** A report came into the queue; `isOnDisk` when it was read from the file. */
    added(collectedAtUnixMs: number, isOnDisk: boolean): void {
      if (isOnDisk) onDisk.add(collectedAtUnixMs);
      else addedAtMs.set(collectedAtUnixMs, clock.monotonic());
    },
    forget,
    /** The file is not to be appended to: its end may be torn. */
    distrust(): void {
      mustRewrite = true;
    },
    /** Writes what has waited for some seconds, or everything when `closing`. Never throws. */
    run(closing: boolean): Promise<void> {
      writing = writing.then(() => writeSafely(closing));
      return writing;
    },
  };
}
