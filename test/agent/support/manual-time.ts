/** A clock and timers that a test moves by hand. */
import type { Timers } from "../../../src/agent/timers.ts";
import type { Clock } from "../../../src/kit/time/clock.ts";

export interface ManualTime {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Lengths of the sleeps asked for so far. */
  readonly sleeps: readonly number[];
  /** Moves both clocks and runs what falls due, letting promises settle in between. */
  advance(ms: number): Promise<void>;
  /** Skews the clocks against the timers by this much. */
  skew(ms: number): void;
  /** Lets time pass without anything happening in it, as in a machine that sleeps. */
  jump(ms: number): void;
  /** Changes the wall clock alone, as an administrator does. */
  setWall(unixMs: number): void;
}

interface Due {
  atMs: number;
  readonly everyMs: number | undefined;
  readonly work: () => void;
}

/** Lets everything that waits for promises and sockets of this turn run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Starts at `wallMs` by the wall and 0 by the monotonic clock. */
export function createManualTime(wallMs = 1_800_000_000_000): ManualTime {
  let nowMs = 0;
  let skewMs = 0;
  let offsetMs = wallMs;
  const due = new Set<Due>();
  const sleeps: number[] = [];

  function plan(ms: number, repeats: boolean, work: () => void): () => void {
    const entry: Due = { atMs: nowMs + ms, everyMs: repeats ? ms : undefined, work };
    due.add(entry);
    return () => void due.delete(entry);
  }

  return {
    clock: { now: () => nowMs + skewMs + offsetMs, monotonic: () => nowMs + skewMs },
    timers: {
      every: (ms, work) => plan(ms, true, work),
      sleep: (ms, signal) => {
        sleeps.push(ms);
        return new Promise((resolve) => {
          const cancel = plan(ms, false, resolve);
          signal.addEventListener("abort", () => {
            cancel();
            resolve();
          });
          if (signal.aborted) resolve();
        });
      },
    },
    sleeps,
    async advance(ms) {
      const endMs = nowMs + ms;
      await settle();
      for (;;) {
        const next = [...due].filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs)[0];
        if (next === undefined) break;
        nowMs = Math.max(nowMs, next.atMs);
        if (next.everyMs === undefined) due.delete(next);
        else next.atMs += next.everyMs;
        next.work();
        await settle();
      }
      nowMs = endMs;
    },
    skew(ms) {
      skewMs = ms;
    },
    jump(ms) {
      nowMs += ms;
      for (const entry of due) entry.atMs += ms;
    },
    setWall(unixMs) {
      offsetMs = unixMs - nowMs;
    },
  };
}
