/** Repeating work of a service: never two runs of one job at once, failures logged once until it works again, all stopped together. */
import type { Clock } from "../kit/time/clock.ts";
import type { Log } from "../kit/observe/log.ts";
import { textOf } from "../kit/thrown.ts";

export interface Job {
  readonly name: string;
  /** Asked before each wait, so that a changed setting takes effect at the next run. */
  readonly everyMs: () => number;
  readonly run: () => void | Promise<void>;
}

/** How a job fared last. */
export interface JobReport {
  readonly name: string;
  /** Epoch milliseconds of the end of its last run; absent before the first. */
  readonly lastRunAt?: number;
  /** Error of its last run; absent after a success. */
  readonly lastError?: string;
}

const MAX_ERROR = 200;

/** Where runs of jobs are noted. */
export type JobBook = ReturnType<typeof createJobBook>;

export function createJobBook(clock: Pick<Clock, "now">) {
  const reports = new Map<string, JobReport>();
  return {
    note: (name: string, error?: unknown): void => {
      const lastError = error === undefined ? {} : { lastError: textOf(error).slice(0, MAX_ERROR) };
      reports.set(name, { name, lastRunAt: clock.now(), ...lastError });
    },
    list: (): JobReport[] => [...reports.values()],
  };
}

/** Starts the jobs; the returned function stops them and resolves after the last one has finished. */
export function startTimers(jobs: readonly Job[], log: Log, book?: JobBook): () => Promise<void> {
  const timers = new Map<Job, ReturnType<typeof setTimeout>>();
  const failing = new Set<Job>();
  const running = new Set<Promise<void>>();
  let stopped = false;

  async function runOnce(job: Job): Promise<void> {
    try {
      await job.run();
      book?.note(job.name);
      if (failing.delete(job)) log.info("A background job works again", { job: job.name });
    } catch (error) {
      book?.note(job.name, error);
      // Once per outage: a job of every second would fill the log while a database is unavailable.
      if (!failing.has(job))
        log.warn("A background job failed; it runs again at its next scheduled time", {
          job: job.name,
          error,
        });
      failing.add(job);
    }
  }

  function schedule(job: Job): void {
    if (stopped) return;
    const timer = setTimeout(() => {
      const run = runOnce(job).finally(() => {
        running.delete(run);
        schedule(job);
      });
      running.add(run);
    }, job.everyMs());
    timers.set(job, timer);
  }

  for (const job of jobs) schedule(job);
  return async () => {
    stopped = true;
    for (const timer of timers.values()) clearTimeout(timer);
    await Promise.all(running);
  };
}
