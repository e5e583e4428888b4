/** The tiers of the history beyond single reports: how wide, how long. */
import type { RollupTier } from "../../store/series/rollups/rollups.ts";
import type { Retention } from "../base/schema.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long each tier is kept, in milliseconds by its name. */
export function toKeepMs(retention: Retention): Readonly<Record<string, number>> {
  return {
    "1m": retention.minuteHours * HOUR_MS,
    "10m": retention.tenMinuteDays * DAY_MS,
    "1h": retention.hourDays * DAY_MS,
    "1d": retention.dayDays * DAY_MS,
  };
}

/** The tiers, finest first. Days are days of UTC. */
export function createTiers(retention: Retention): readonly RollupTier[] {
  const keepMs = toKeepMs(retention);
  const widths = [
    { name: "1m", stepMs: MINUTE_MS, segmentMs: HOUR_MS },
    { name: "10m", stepMs: 10 * MINUTE_MS, segmentMs: DAY_MS },
    { name: "1h", stepMs: HOUR_MS, segmentMs: 7 * DAY_MS },
    { name: "1d", stepMs: DAY_MS, segmentMs: 90 * DAY_MS },
  ];
  return widths.map((width) => ({ ...width, keepMs: keepMs[width.name] ?? 0 }));
}
