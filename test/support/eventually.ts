/** Waiting for what other work brings about: a process, a socket, a timer. */

/** Generous: it only passes when something is wrong. */
const LIMIT_MS = 60_000;
const PAUSE_MS = 50;

async function repeat<T>(check: () => T | Promise<T>, pause: () => Promise<void>): Promise<T> {
  const endMs = performance.now() + LIMIT_MS;
  for (;;) {
    try {
      const result = await check();
      if (result !== false) return result;
      throw new Error(`It did not come about: ${check.toString()}`);
    } catch (error) {
      if (performance.now() >= endMs) throw error;
    }
    await pause();
  }
}

/**
 * Runs `check` again and again until it neither throws nor gives `false`; throws what it threw last when that never happens.
 * A condition is given as it is: to word a failed `assert.ok(condition)`, Node reads the whole file, for many seconds.
 */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return repeat(check, () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS)));
}

/** The same without a pause, for what happens in this process: other work gets its turn between two looks. */
export function until<T>(check: () => T | Promise<T>): Promise<T> {
  return repeat(check, () => new Promise((resolve) => void setImmediate(resolve)));
}
