/** Lets others run during long work: the event loop is never held for more than some milliseconds. */
import { setImmediate as nextTurn } from "node:timers/promises";

const SLICE_MS = 8;

/** Creates a function to call between small pieces of work; what it gives must be awaited when it is a promise. */
export function createPacer(): () => Promise<void> | undefined {
  let sliceEnd = performance.now() + SLICE_MS;
  return () => {
    if (performance.now() < sliceEnd) return undefined;
    return nextTurn().then(() => {
      sliceEnd = performance.now() + SLICE_MS;
    });
  };
}
