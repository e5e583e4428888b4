/**
 * How much costly work runs at once, how much may wait, and when to refuse. The bound is what keeps a flood of
 * sign-ins from filling the memory: each password hash holds megabytes while it runs.
 */
import { AppError } from "../../../kit/errors.ts";

/** Typical duration on ordinary hardware, for Retry-After only; 19 MiB of argon2id takes 10 to 50 ms. */
const EXPECTED_WORK_MS = 50;
const LONGEST_RETRY_SECONDS = 5;

/** Both whole numbers: `atOnce` at least 1, `maxWaiting` at least 0. */
export interface HashQueueOptions {
  readonly atOnce: number;
  readonly maxWaiting: number;
}

/** Runs at most so much at once, and lets at most so much wait. */
export type HashQueue = ReturnType<typeof createHashQueue>;

/** Creates a queue. Throws RangeError for numbers that make none. */
export function createHashQueue(options: HashQueueOptions) {
  const { atOnce, maxWaiting } = options;
  if (!Number.isSafeInteger(atOnce) || atOnce < 1)
    throw new RangeError(`"atOnce" must be a whole number from 1, not ${atOnce}`);
  if (!Number.isSafeInteger(maxWaiting) || maxWaiting < 0)
    throw new RangeError(`"maxWaiting" must be a whole number from 0, not ${maxWaiting}`);
  const turns: (() => void)[] = [];
  let running = 0;

  async function takePlace(): Promise<void> {
    if (running < atOnce) {
      running += 1;
      return;
    }
    if (turns.length >= maxWaiting) {
      const seconds = Math.ceil(((turns.length / atOnce) * EXPECTED_WORK_MS) / 1_000);
      throw new AppError("unavailable", "Too many sign-ins are in progress. Try again", {
        retryAfterSeconds: Math.min(Math.max(seconds, 1), LONGEST_RETRY_SECONDS),
      });
    }
    await new Promise<void>((resolve) => {
      turns.push(resolve);
    });
  }

  /** The place is handed on, not given back: a newcomer cannot slip in before the one whose turn it is. */
  function leavePlace(): void {
    const next = turns.shift();
    if (next === undefined) running -= 1;
    else next();
  }

  return {
    /**
     * Runs `work` when its turn comes, first come first served, and gives what it gives. Throws
     * `unavailable` with 1 to 5 s to wait when the queue is full.
     */
    run: async <R>(work: () => Promise<R>): Promise<R> => {
      await takePlace();
      try {
        return await work();
      } finally {
        leavePlace();
      }
    },
    /** How many wait for their turn. */
    waiting: (): number => turns.length,
    /** How many run now. */
    running: (): number => running,
  };
}
