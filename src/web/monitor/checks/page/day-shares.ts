/** The last days of a check as shares of time. */
import { serviceNow } from "../../../ui/server-clock.ts";

/** Spans of the answer, and how many days each is. */
export const periods = { "24h": 1, "7d": 7, "30d": 30, "90d": 90 } as const;
export type Period = keyof typeof periods;

export interface UptimeAnswer {
  readonly knownSince?: string | undefined;
  readonly windows: readonly {
    readonly period: Period;
    /** Of what is known; null where nothing is. */
    readonly upPercent: number | null;
  }[];
  /** Days of UTC, the oldest first, without gaps; the last is today. */
  readonly days: readonly { readonly day: string; readonly upPercent: number | null }[];
}

/** How much time is known, if results began at `knownSince`; undefined without results. */
export function toKnownMs(knownSince: string | undefined): number | undefined {
  return knownSince === undefined ? undefined : serviceNow() - Date.parse(knownSince);
}

/** Converts percent to a share; null if unknown. */
export function toShare(upPercent: number | null): number | null {
  return upPercent === null ? null : upPercent / 100;
}

/** The share of a span; undefined if unknown. */
export function findShare({ windows }: UptimeAnswer, period: Period): number | undefined {
  const found = windows.find((one) => one.period === period)?.upPercent ?? null;
  return toShare(found) ?? undefined;
}
