/** The end of a certificate or domain in words. */
import type { Finds } from "./kind.ts";

const DAY_MS = 86_400_000;

export function toDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Whole days that are left; negative when it is over. */
export function toDaysLeft({ value, now }: Pick<Finds, "value" | "now">): number {
  return Math.floor((value - now) / DAY_MS);
}
