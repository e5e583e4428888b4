/** When a run begins, by the wall clock. */
import { START_MS } from "./kernel.ts";

const HOUR_MS = 3_600_000;

/** Every third run crosses the midnight of a new year in its middle. */
export function toStart({ seed, hours }: { readonly seed: number; readonly hours: number }): number {
  return seed % 3 === 0 ? START_MS - Math.round((hours * HOUR_MS) / 2) : START_MS;
}
