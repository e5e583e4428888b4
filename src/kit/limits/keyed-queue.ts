/** Work of one key runs one after the other, work of different keys side by side. */
import { AppError } from "../errors.ts";

/** Runs `work` when everything that was queued for `key` before has ended, however it ended. */
export type KeyedQueue = <R>(key: string, work: () => Promise<R>) => Promise<R>;

export interface KeyedQueueOptions {
  /** Tasks that may wait or run for one key at once; more are rejected with `unavailable`. Default: no limit. */
  readonly maxQueued?: number;
}

export function createKeyedQueue(options: KeyedQueueOptions = {}): KeyedQueue {
  const { maxQueued = Number.POSITIVE_INFINITY } = options;
  const tails = new Map<string, { readonly end: Promise<unknown>; queued: number }>();
  return async (key, work) => {
    const before = tails.get(key);
    const queued = before?.queued ?? 0;
    if (queued >= maxQueued)
      throw new AppError("unavailable", "Too many requests are waiting. Try again", {
        retryAfterSeconds: 1,
      });
    const run = (before?.end ?? Promise.resolve()).then(work);
    const end = run
      .catch(() => undefined)
      .finally(() => {
        const tail = tails.get(key);
        if (tail === undefined) return;
        tail.queued -= 1;
        if (tail.queued === 0) tails.delete(key);
      });
    tails.set(key, { end, queued: queued + 1 });
    return run;
  };
}
