/** Unacknowledged reports, in order of collection and limited in number. */

/** One report as it goes over the wire. */
export interface Report {
  readonly collectedAtUnixMs: number;
  readonly payloadJson: string;
}

/** The part of a queue that the link needs. */
export interface ReportSource {
  /** The oldest report that `has` does not know by its time of collection. */
  next(underWay: { has(collectedAtUnixMs: number): boolean }): Report | undefined;
  /** Forgets a report: it was stored, or will never be. False when it was not there. */
  remove(collectedAtUnixMs: number): boolean;
  readonly size: number;
}

const MINUTE_MS = 60_000;

/** Creates an empty queue for `limit` reports. */
export function createReportQueue(options: { readonly limit: number }) {
  // A Map keeps the order of insertion, which is the order of collection.
  const reports = new Map<number, Report>();
  let newest: number | undefined;

  function take(keys: Iterable<number>): Report[] {
    const taken: Report[] = [];
    for (const key of keys) {
      const report = reports.get(key);
      if (report !== undefined && reports.delete(key)) taken.push(report);
    }
    return taken;
  }

  function findNext(underWay: { has(collectedAtUnixMs: number): boolean }): Report | undefined {
    // Reports in flight are at the front, so this checks only a few.
    for (const report of reports.values()) if (!underWay.has(report.collectedAtUnixMs)) return report;
    return undefined;
  }

  return {
    next: findNext,
    remove: (collectedAtUnixMs: number): boolean => reports.delete(collectedAtUnixMs),
    /** Adds the newest report; the oldest go when there are too many. Returns what went. */
    add(report: Report): Report[] {
      reports.set(report.collectedAtUnixMs, report);
      newest = report.collectedAtUnixMs;
      const surplus = reports.size - options.limit;
      return surplus > 0 ? take([...reports.keys()].slice(0, surplus)) : [];
    },
    /** Keeps one report a minute of all that is older than a minute. Returns what went. */
    thin(): Report[] {
      const seen = new Set<number>();
      const gone: number[] = [];
      for (const key of reports.keys()) {
        if (newest !== undefined && key > newest - MINUTE_MS) break;
        const minute = Math.floor(key / MINUTE_MS);
        if (seen.has(minute)) gone.push(key);
        seen.add(minute);
      }
      return take(gone);
    },
    has: (collectedAtUnixMs: number): boolean => reports.has(collectedAtUnixMs),
    /** All reports, oldest first. */
    all: (): Report[] => [...reports.values()],
    get size(): number {
      return reports.size;
    },
  };
}

export type ReportQueue = ReturnType<typeof createReportQueue>;
