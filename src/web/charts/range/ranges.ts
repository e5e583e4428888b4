/** The spans of time that charts show, and how often each is asked for again. */
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `amount` and `unit` name it in any language; "all" begins at the first value. */
export const ranges = [
  { key: "15m", ms: 15 * MINUTE_MS, refreshMs: 10_000, amount: 15, unit: "minute" },
  { key: "1h", ms: HOUR_MS, refreshMs: 30_000, amount: 1, unit: "hour" },
  { key: "6h", ms: 6 * HOUR_MS, refreshMs: MINUTE_MS, amount: 6, unit: "hour" },
  { key: "24h", ms: DAY_MS, refreshMs: MINUTE_MS, amount: 24, unit: "hour" },
  { key: "7d", ms: 7 * DAY_MS, refreshMs: 10 * MINUTE_MS, amount: 7, unit: "day" },
  { key: "14d", ms: 14 * DAY_MS, refreshMs: 10 * MINUTE_MS, amount: 14, unit: "day" },
  { key: "30d", ms: 30 * DAY_MS, refreshMs: HOUR_MS, amount: 30, unit: "day" },
  { key: "90d", ms: 90 * DAY_MS, refreshMs: HOUR_MS, amount: 90, unit: "day" },
  { key: "1y", ms: 365 * DAY_MS, refreshMs: HOUR_MS, amount: 1, unit: "year" },
  { key: "all", ms: 730 * DAY_MS, refreshMs: HOUR_MS, amount: 2, unit: "year" },
] as const;

export type Range = (typeof ranges)[number];

/** The range of that key, "2y" of older links included; the shortest when there is none. */
export function findRange(key: string | null | undefined): Range {
  const wanted = key === "2y" ? "all" : key;
  return ranges.find((range) => range.key === wanted) ?? ranges[0];
}
