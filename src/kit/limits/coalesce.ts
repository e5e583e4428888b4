/** Many calls, few runs: a call joins the run that has not started yet. Runs never overlap. */

/**
 * Wraps `work` so that every call resolves with what a whole run that began after the call gives. Rejects with
 * what that run throws; the next call starts a new one.
 */
export function coalesce<R>(work: () => Promise<R>): () => Promise<R> {
  let tail: Promise<unknown> = Promise.resolve();
  let queued: Promise<R> | undefined;
  return () => {
    if (queued === undefined) {
      const run = tail.then(() => {
        queued = undefined;
        return work();
      });
      queued = run;
      tail = run.catch(() => undefined);
    }
    return queued;
  };
}
