/** How soon a program is ready again after a fault. */
import { type Surroundings, toSeconds } from "./case.ts";
import type { Life } from "./subject.ts";

const READY_LIMIT_MS = 5_000;

export interface Readiness {
  /** Counts one more start. */
  add(life: Pick<Life, "readyMs" | "starvedMs">): void;
  /** Whether every start was within the limit. */
  isInTime(): boolean;
  /** The slowest start, in words. */
  toText(): string;
}

/** Creates a judge of starts. */
export function createReadiness(around: Pick<Surroundings, "within">): Readiness {
  let slowestMs = 0;
  let slowestOwnMs = 0;
  return {
    add: ({ readyMs, starvedMs }) => {
      slowestMs = Math.max(slowestMs, readyMs);
      slowestOwnMs = Math.max(slowestOwnMs, readyMs - starvedMs);
    },
    isInTime: () => slowestOwnMs <= around.within(READY_LIMIT_MS),
    toText: () =>
      `ready again in ${toSeconds(slowestMs)} at most, ${toSeconds(slowestOwnMs)} without waiting for a processor that others had`,
  };
}
