/**
 * The agent's memory of what the service has not acknowledged: a queue that outlives the process. It goes to disk
 * only what waits for seconds, so that an agent that is online never writes.
 */
import type { Clock } from "../../kit/time/clock.ts";
import type { Log } from "../../kit/observe/log.ts";
import type { FileLayer } from "../../kit/files/file-layer.ts";
import { type Report, createReportQueue } from "./report-queue.ts";
import { createRingFile } from "./ring-file.ts";
import { createSpill } from "./ring-spill.ts";

export interface RingOptions {
  readonly files: FileLayer;
  readonly path: string;
  readonly limit: number;
  /** Called with the reports that are dropped because a later or earlier one of their minute is kept. */
  readonly onThinned?: ((reports: readonly Report[]) => void) | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** Opens the ring at `path` with what an earlier run left there. */
export async function openRing(options: RingOptions) {
  const { clock, log, path } = options;
  const file = createRingFile(options.files, path);
  const queue = createReportQueue({ limit: options.limit });
  let last: number | undefined;
  let isFull = false;
  const spill = createSpill({ file, queue, path, clock, log, last: () => last });

  function add(report: Report, isOnDisk: boolean): void {
    last = Math.max(last ?? report.collectedAtUnixMs, report.collectedAtUnixMs);
    spill.added(report.collectedAtUnixMs, isOnDisk);
    const surplus = queue.add(report);
    for (const { collectedAtUnixMs } of surplus) spill.forget(collectedAtUnixMs);
    if (surplus.length > 0 && !isFull) log.warn("The queue is full; the oldest reports are dropped");
    isFull ||= surplus.length > 0;
  }

  /** Keeps one report a minute of what is older than a minute. */
  function thin(): void {
    const gone = queue.thin();
    for (const { collectedAtUnixMs } of gone) spill.forget(collectedAtUnixMs);
    if (gone.length > 0) options.onThinned?.(gone);
  }

  try {
    const content = await file.load();
    for (const report of content.reports) add(report, true);
    last = content.last ?? last;
    // The first write replaces what was read: its end may be torn.
    if (((await options.files.sizeBytes(path)) ?? 0) > 0) spill.distrust();
    thin();
  } catch (error) {
    spill.distrust();
    log.warn("The queue file cannot be read; starting with an empty queue", { path, error });
  }

  return {
    next: queue.next,
    remove(collectedAtUnixMs: number): boolean {
      const was = queue.remove(collectedAtUnixMs);
      if (was) spill.forget(collectedAtUnixMs);
      isFull &&= queue.size > 0;
      return was;
    },
    add: (report: Report): void => add(report, false),
    thin,
    /** Brings to disk what has waited for some seconds. Never throws: without a disk the memory has to do. */
    spill: (): Promise<void> => spill.run(false),
    /** Brings everything to disk. */
    async close(): Promise<void> {
      spill.distrust();
      await spill.run(true);
      await file.close().catch(() => undefined);
    },
    get size(): number {
      return queue.size;
    },
    /** Newest time of collection known, of this run or an earlier one. */
    get last(): number | undefined {
      return last;
    },
  };
}

export type Ring = Awaited<ReturnType<typeof openRing>>;
