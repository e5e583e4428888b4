/** Tries a failed store again, 1 s after the failure and then ever more seldom, up to every 30 s. */
import { clearTimeout, setTimeout } from "node:timers";
import type { Clock } from "../../kit/time/clock.ts";

const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 30_000;

/** Calls back once after a delay, unless the returned function is called before. */
export type Schedule = (delayMs: number, callback: () => void) => () => void;

const scheduleUnref: Schedule = (delayMs, callback) => {
  const timer = setTimeout(callback, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
};

export interface HealerOptions {
  readonly clock: Clock;
  /** Default: a timer that does not keep the process alive. */
  readonly schedule?: Schedule | undefined;
  /** One attempt; throws when the store is still ill. */
  readonly attempt: () => Promise<void>;
}

/** Creates a healer that rests until `start`. */
export function createHealer(options: HealerOptions) {
  const schedule = options.schedule ?? scheduleUnref;
  let cancel: () => void = () => undefined;
  let attempt: Promise<void> | undefined;
  let lastAttemptAt = Number.NEGATIVE_INFINITY;
  let delayMs = FIRST_DELAY_MS;
  let ill = false;

  async function run(): Promise<void> {
    try {
      await options.attempt();
      ill = false;
      delayMs = FIRST_DELAY_MS;
    } catch {
      delayMs = Math.min(delayMs * 2, MAX_DELAY_MS);
      plan();
    } finally {
      lastAttemptAt = options.clock.monotonic();
      attempt = undefined;
    }
  }

  function begin(): Promise<void> {
    cancel();
    attempt ??= run();
    return attempt;
  }

  function plan(): void {
    cancel();
    if (ill) cancel = schedule(delayMs, () => void begin());
  }

  return {
    /** Called after a failure. */
    start(): void {
      ill = true;
      plan();
    },
    /** Tries at once, unless the last attempt is less than a second ago; resolves when an attempt has ended. */
    async tryNow(): Promise<void> {
      if (attempt !== undefined || options.clock.monotonic() - lastAttemptAt >= FIRST_DELAY_MS) await begin();
    },
    /** Stops trying; resolves when no attempt is running. */
    async stop(): Promise<void> {
      ill = false;
      cancel();
      await attempt;
    },
  };
}
