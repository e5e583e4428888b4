/** Work of one key runs one after the other, work of different keys side by side. Hidden here: the chains and their end. */

/** Runs `work` when everything that was queued for `key` before has ended, however it ended. */
export type KeyedQueue = <R>(key: string, work: () => Promise<R>) => Promise<R>;

/** Makes a queue without keys. */
export function createKeyedQueue(): KeyedQueue {
  const tails = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const before = tails.get(key) ?? Promise.resolve();
    const run = before.then(work);
    const tail = run
      .catch(() => undefined)
      .finally(() => {
        if (tails.get(key) === tail) tails.delete(key);
      });
    tails.set(key, tail);
    return run;
  };
}
