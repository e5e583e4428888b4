/**
 * What changes slowly or takes time to ask for: read beside the measurements, so that a program that hangs never
 * holds up a report. Its lists come with the next report after each reading, its counts with every one.
 */
import type { FactReader } from "../facts.ts";
import type { Details, Payload } from "../payload.ts";
import type { Timers } from "../timers.ts";

const EVERY_MS = 30_000;

/** Values of one reader. */
export type DetailReading = Pick<
  Payload,
  "containers" | "systemd" | "raid" | "battery" | "extra" | "details"
>;

export interface DetailReader {
  /** For the log: "Containers". */
  readonly name: string;
  readonly read: () => DetailReading | Promise<DetailReading>;
}

export interface DetailsSource {
  /** Reads again and again until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** Reads once. */
  refresh(): Promise<void>;
  /** Its part of the next report. */
  next(): DetailReading;
}

export interface DetailsOptions {
  readonly readers: readonly DetailReader[];
  readonly timers: Timers;
  readonly facts: FactReader;
}

/** Puts the readers together. */
export function createDetails({ readers, timers, facts }: DetailsOptions): DetailsSource {
  let counts: DetailReading = {};
  let details: Details = {};
  let isNew = false;

  async function refresh(): Promise<void> {
    const before = Object.keys(details).length;
    const readings = await Promise.all(readers.map(({ name, read }) => facts.readLater(name, read)));
    [counts, details] = [{}, {}];
    for (const reading of readings) {
      const { details: own, ...numbers } = reading ?? {};
      counts = { ...counts, ...numbers };
      details = { ...details, ...own };
    }
    // Nothing is said of a machine that has nothing, but that something is gone is.
    isNew = before > 0 || Object.keys(details).length > 0;
  }

  return {
    refresh,
    async run(signal) {
      while (!signal.aborted) {
        await refresh();
        await timers.sleep(EVERY_MS, signal);
      }
    },
    next() {
      const taken = isNew ? { ...counts, details } : counts;
      isNew = false;
      return taken;
    },
  };
}
