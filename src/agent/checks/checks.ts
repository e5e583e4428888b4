/**
 * Checks that this machine runs for the monitor, as a file of its owner says. The monitor assigns nothing: it shows the
 * file ready to paste, and gets the results with the reports.
 */
import type { Clock } from "../../kit/time/clock.ts";
import type { Log } from "../../kit/observe/log.ts";
import type { Timers } from "../timers.ts";
import { createFileWatch } from "./check-file-watch.ts";
import type { CheckReport } from "../payload.ts";
import type { PendingResults } from "./results.ts";
import type { CheckWork, CheckWorkOptions } from "./work.ts";

export interface ChecksSource {
  /** Runs the checks of the file until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** Tries each check once. */
  once(): Promise<void>;
  /** The checks' part of the next report, with results of at most `resultBytes`; undefined without a file. */
  next(resultBytes: number): CheckReport | undefined;
}

export interface ChecksOptions extends Pick<CheckWorkOptions, "probe" | "variables"> {
  readonly path: string;
  readonly pending: PendingResults;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly random: () => number;
}

const LOOK_EVERY_MS = 5_000;
const TICK_MS = 1_000;
/** That of `kit/check-files/check-file.ts`, which is loaded only where there is a file. */
const MAX_BYTES = 256 * 1024;
const MAX_PROBLEM = 300;

/** Prepares the checks of the file at `path`; nothing happens before `run` or `once`. */
export function createChecks(options: ChecksOptions): ChecksSource {
  const { path, pending, log, timers } = options;
  const watch = createFileWatch(path, MAX_BYTES);
  let work: CheckWork | undefined;
  let problem: string | undefined;

  function complain(text: string): void {
    problem = text.replace(/\p{C}/gu, " ").slice(0, MAX_PROBLEM);
    const goesOn = work?.state === undefined ? "no checks run" : "the previous checks continue";
    log.warn(`"${path}" is not used, ${goesOn}: ${text}`);
  }

  async function load(signal: AbortSignal): Promise<CheckWork> {
    const { createCheckWork } = await import("./work.ts");
    return createCheckWork({ ...options, signal, onResult: pending.add });
  }

  async function look(signal: AbortSignal): Promise<void> {
    const news = await watch.look();
    if (news === undefined) return;
    if (news.kind === "problem") return complain(news.problem);
    if (news.kind === "gone") {
      if (work?.state !== undefined) log.info(`"${path}" was deleted; its checks stopped`);
      problem = undefined;
      work?.clear();
      return;
    }
    work ??= await load(signal);
    const fault = work.take(news.bytes);
    if (fault !== undefined) return complain(fault);
    problem = undefined;
    log.info("Checks of this machine", { path, count: work.state?.count });
  }

  return {
    async run(signal) {
      const stopTicks = timers.every(TICK_MS, () => work?.tick());
      while (!signal.aborted) {
        await look(signal);
        await timers.sleep(LOOK_EVERY_MS, signal);
      }
      stopTicks();
    },
    async once() {
      await look(new AbortController().signal);
      await work?.once();
    },
    next(resultBytes) {
      const state = work?.state;
      const results = pending.take(resultBytes);
      if (state === undefined && problem === undefined && results.length === 0) return undefined;
      return {
        hash: state?.hash,
        allow: state === undefined || state.allow.length === 0 ? undefined : state.allow,
        problem,
        results: results.length === 0 ? undefined : results,
      };
    },
  };
}
