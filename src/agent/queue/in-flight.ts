/** Reports that were sent and not answered. */
import type { Log } from "../../kit/observe/log.ts";
import type { Report, ReportSource } from "./report-queue.ts";

/** Called with what happens to reports; for figures and for the host facts. */
export interface ReportEvents {
  onSent?(collectedAtUnixMs: number): void;
  onAcknowledged?(collectedAtUnixMs: number, tookMs: number): void;
  onRejected?(collectedAtUnixMs: number, reason: string): void;
}

export interface InFlightOptions {
  readonly reports: ReportSource;
  /** Reports sent and not answered at most. */
  readonly window: number;
  readonly events: ReportEvents;
  readonly log: Log;
}

/** Starts with nothing under way. */
export function createInFlight(options: InFlightOptions) {
  const { reports, events, log } = options;
  const sentAtMs = new Map<number, number>();
  let rejections = 0;
  let lastReason = "";

  /** It is clear whom the rejections meant once only rejected reports are left. */
  function settleRejections(): void {
    if (rejections === 0 || rejections !== sentAtMs.size) return;
    for (const collectedAtUnixMs of sentAtMs.keys()) {
      log.warn("The service rejected a report; the report is dropped", {
        reason: lastReason,
        collectedAtUnixMs,
      });
      reports.remove(collectedAtUnixMs);
      events.onRejected?.(collectedAtUnixMs, lastReason);
    }
    sentAtMs.clear();
    rejections = 0;
  }

  return {
    /** The report to send now, or undefined when the window is full or there is none. */
    take(nowMs: number): Report | undefined {
      if (sentAtMs.size >= options.window) return undefined;
      const report = reports.next(sentAtMs);
      if (report === undefined) return undefined;
      sentAtMs.set(report.collectedAtUnixMs, nowMs);
      events.onSent?.(report.collectedAtUnixMs);
      return report;
    },
    acknowledge(collectedAtUnixMs: number, nowMs: number): void {
      const sentMs = sentAtMs.get(collectedAtUnixMs);
      sentAtMs.delete(collectedAtUnixMs);
      reports.remove(collectedAtUnixMs);
      if (sentMs !== undefined) events.onAcknowledged?.(collectedAtUnixMs, nowMs - sentMs);
      settleRejections();
    },
    reject(reason: string): void {
      rejections += 1;
      lastReason = reason;
      settleRejections();
    },
    get size(): number {
      return sentAtMs.size;
    },
    /** Rejections of which it is not known whom they meant. */
    get unclearRejections(): number {
      return rejections;
    },
  };
}
