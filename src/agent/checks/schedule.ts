/** When which check is due: every interval with some jitter, sooner after a first failure, and few at once. */
import type { Clock } from "../../kit/time/clock.ts";
import type { FileCheck } from "../../kit/check-files/check-file.ts";
import { hashChecks } from "../../kit/check-files/check-hash.ts";

/** Tries that run at once: an agent is a guest on its machine. */
export const AT_ONCE = 10;
/** Within this time all checks of a new file are tried for the first time, where the interval allows it. */
const FIRST_WITHIN_MS = 15_000;
/** Of the interval, to both sides. */
const JITTER = 0.05;

export interface ScheduleOptions {
  readonly clock: Pick<Clock, "monotonic">;
  /** 0 ≤ n < 1. */
  readonly random: () => number;
  /** Tries one and keeps what came of it; resolves with whether the target is as it should be. Never rejects. */
  readonly attempt: (check: FileCheck) => Promise<boolean>;
}

interface Plan {
  readonly check: FileCheck;
  /** Hash of the target and the interval, without names. */
  readonly hash: string;
  /** By the monotonic clock. */
  dueMs: number;
  /** In a row. */
  failures: number;
  isRunning: boolean;
}

/** Starts with nothing to do. */
export function createSchedule({ clock, random, attempt }: ScheduleOptions) {
  let plans: readonly Plan[] = [];
  let running = 0;

  function findNextMs({ check, failures }: Plan, startedMs: number): number {
    const intervalMs = check.intervalSeconds * 1_000;
    if (failures > 0 && failures < check.failures)
      return startedMs + Math.min(intervalMs, check.retrySeconds * 1_000);
    return startedMs + intervalMs * (1 - JITTER + 2 * JITTER * random());
  }

  async function start(plan: Plan): Promise<void> {
    const startedMs = clock.monotonic();
    plan.isRunning = true;
    running += 1;
    const isGood = await attempt(plan.check);
    running -= 1;
    plan.isRunning = false;
    plan.failures = isGood ? 0 : plan.failures + 1;
    plan.dueMs = findNextMs(plan, startedMs);
  }

  return {
    /** Runs these from now on; what is the same as before keeps its rhythm. */
    set(checks: readonly FileCheck[]): void {
      const before = new Map(plans.map((plan) => [plan.hash, plan]));
      plans = checks.map((check): Plan => {
        const hash = hashChecks([check]);
        const kept = before.get(hash);
        // Also of the same plan where header values are others: the next try takes them.
        if (kept !== undefined && JSON.stringify(kept.check) === JSON.stringify(check)) return kept;
        const withinMs = Math.min(FIRST_WITHIN_MS, check.intervalSeconds * 1_000);
        const dueMs = kept?.dueMs ?? clock.monotonic() + withinMs * random();
        return { check, hash, dueMs, failures: kept?.failures ?? 0, isRunning: false };
      });
    },
    /** Starts what is due, the longest overdue first; call it every second. */
    tick(): void {
      const nowMs = clock.monotonic();
      const due = plans.filter(({ dueMs, isRunning }) => !isRunning && dueMs <= nowMs);
      for (const plan of due.toSorted((a, b) => a.dueMs - b.dueMs)) {
        if (running >= AT_ONCE) return;
        void start(plan);
      }
    },
  };
}

export type Schedule = ReturnType<typeof createSchedule>;
