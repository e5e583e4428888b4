/**
 * Known faults of stored data: found by reads, by a start, and by a slow pass over all files. They are in the log, the
 * health report and the metrics, so that a backup is restored before the last good one is gone.
 */
import type { Log } from "../kit/observe/log.ts";
import type { Metrics } from "../kit/observe/metrics.ts";
import type { Clock } from "../kit/time/clock.ts";
import type { DataProblem, Scrub } from "../store/scrub.ts";
import type { Job } from "./jobs.ts";

const HOUR_MS = 3_600_000;
/** A start is busy with other things. */
const FIRST_MS = 600_000;
/** A small part of what a disk reads, and a quarter of an hour for 4 GB. */
const BYTES_PER_SECOND = 4 * 1024 * 1024;

export interface DataWatchOptions {
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  /** How often everything is read through; 0: never. */
  readonly everyHours: number;
}

/** The data part of the health report. */
export interface DataReport {
  /** Files, or parts of a database, that are damaged or gone. */
  readonly damaged: number;
  /** When the last pass over everything ended, ISO 8601; absent before the first. */
  readonly checkedAt?: string;
}

export type DataWatch = ReturnType<typeof createDataWatch>;

/** All of several, one after the other. */
async function* inTurn(scrubs: readonly Scrub[]): AsyncGenerator<number | DataProblem, void> {
  for (const scrub of scrubs) yield* scrub();
}

/** A pass under way. */
interface Pass {
  end(): Promise<unknown>;
  /** Reads a piece; how long to wait after it, undefined at the end. */
  step(): Promise<number | undefined>;
}

/** A job that takes a step of a pass with each run, and rests for hours between two passes. */
function createPassJob(
  begin: () => Pass,
  everyHours: number,
): { readonly job: Job | undefined; close(): Promise<void> } {
  let pass: Pass | undefined;
  let waitMs = FIRST_MS;
  const run = async (): Promise<void> => {
    pass ??= begin();
    try {
      const pauseMs = await pass.step();
      waitMs = pauseMs ?? everyHours * HOUR_MS;
      if (pauseMs === undefined) pass = undefined;
    } catch (error) {
      // The disk or database is unavailable: all is read from the beginning in an hour.
      pass = undefined;
      waitMs = HOUR_MS;
      throw error;
    }
  };
  return {
    job: everyHours === 0 ? undefined : { name: "data-check", everyMs: () => waitMs, run },
    close: async () => {
      await pass?.end();
    },
  };
}

function addDataMetrics(
  metrics: Metrics,
  { countDamaged, readCheckedAt }: { countDamaged: () => number; readCheckedAt: () => number | undefined },
): void {
  metrics.gauge({
    name: "trivet_data_damaged",
    help: "Damaged or missing files, or parts of the database",
    labels: [],
    read: countDamaged,
  });
  metrics.gauge({
    name: "trivet_data_checked_timestamp_seconds",
    help: "End of the last full verification of the stored data",
    labels: [],
    read: () => {
      const checkedAt = readCheckedAt();
      return checkedAt === undefined ? [] : checkedAt / 1_000;
    },
  });
}

/** Creates a watch that knows of nothing yet. */
export function createDataWatch({ clock, log, everyHours }: DataWatchOptions) {
  /** Told by reads and by the start since the last pass. */
  let noted = new Map<string, DataProblem>();
  /** Found by the last pass. */
  let found = new Map<string, DataProblem>();
  let checkedAt: number | undefined;

  const isKnown = ({ path }: DataProblem): boolean => noted.has(path) || found.has(path);

  function note(problem: DataProblem): void {
    noted.set(problem.path, problem);
  }

  function countDamaged(): number {
    return new Set([...noted.keys(), ...found.keys()]).size;
  }

  /** A pass under way: reads a piece with each step. */
  function createPass(scrubs: readonly Scrub[]): Pass {
    const steps = inTurn(scrubs);
    const before = new Set(noted.keys());
    const problems = new Map<string, DataProblem>();
    return {
      end: () => steps.return(undefined),
      /** How long to wait; undefined at the end. */
      step: async (): Promise<number | undefined> => {
        const { done, value } = await steps.next();
        if (typeof value === "number") return (value / BYTES_PER_SECOND) * 1_000;
        if (done !== true) {
          if (!isKnown(value) && !problems.has(value.path))
            log.error("Stored data is damaged", { file: value.path, problem: value.problem });
          problems.set(value.path, value);
          return 0;
        }
        // Faults that were noted meanwhile stay for the next pass.
        noted = new Map([...noted].filter(([path]) => !before.has(path) || problems.has(path)));
        found = problems;
        checkedAt = clock.now();
        log.info("All stored data was verified", { damaged: countDamaged() });
        return undefined;
      },
    };
  }

  return {
    /** Reports a damaged or missing file; the caller has logged it. */
    note,
    report: (): DataReport => ({
      damaged: countDamaged(),
      ...(checkedAt === undefined ? {} : { checkedAt: new Date(checkedAt).toISOString() }),
    }),
    /** @throws Error naming what is damaged */
    check: async (): Promise<void> => {
      const [first] = [...noted.values(), ...found.values()];
      if (first !== undefined)
        throw new Error(
          `${countDamaged()} of the stored files are damaged: "${first.path}" ${first.problem}`,
        );
    },
    addMetrics: (metrics: Metrics): void =>
      addDataMetrics(metrics, { countDamaged, readCheckedAt: () => checkedAt }),
    /** Reads everything through again and again, in the jobs' time. */
    createJob: (scrubs: readonly Scrub[]) => createPassJob(() => createPass(scrubs), everyHours),
  };
}
