/**
 * Lets rows through to the segment, or makes them wait while it is switched, or refuses them while nothing can be
 * written.
 */
import { StoreError } from "../../store.ts";
import type { Backoff } from "./backoff.ts";

export function createGate(backoff: Backoff, heal: () => Promise<void>) {
  /** Set while work runs; never rejects. */
  let pause: Promise<void> | undefined;
  let isClosed = false;

  async function run(work: () => Promise<void>): Promise<void> {
    const result = work();
    pause = result.then(
      () => undefined,
      () => undefined,
    );
    try {
      await result;
    } catch (error) {
      throw backoff.fail(error);
    } finally {
      pause = undefined;
    }
  }

  /** Resolves when rows may pass; heals first when it is time to. Throws while nothing can be written. */
  async function pass(): Promise<void> {
    while (pause !== undefined) await pause;
    if (isClosed) throw new StoreError("store_unavailable", "The sample log is closed");
    if (backoff.failure === undefined) return;
    if (!backoff.isDue()) throw backoff.failure;
    backoff.retry();
    await run(heal);
  }

  return {
    /** Whether a row may pass at once. */
    get isOpen(): boolean {
      return pause === undefined && backoff.failure === undefined && !isClosed;
    },
    pass,
    /** Runs `work` while rows wait; its failure shuts the gate until it is time to heal. */
    async hold(work: () => Promise<void>): Promise<void> {
      do await pass();
      while (pause !== undefined);
      await run(work);
    },
    /** Waits for running work, then blocks new work. */
    async close(): Promise<void> {
      while (pause !== undefined) await pause;
      isClosed = true;
    },
  };
}
