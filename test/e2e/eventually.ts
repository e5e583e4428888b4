/** Waiting for a condition of another process. */

/** Generous: it only passes when something is wrong. */
const LIMIT_MS = 40_000;
const PAUSE_MS = 50;

/** Runs `check` again and again until it does not throw; throws what it threw last when that never happens. */
export async function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  const endMs = performance.now() + LIMIT_MS;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() >= endMs) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
