/** Days as bars: how bad a day was, and the shapes of all days of one level in one path. */
export const uptimeLevels = ["good", "warn", "bad", "unknown"] as const;
export type UptimeLevel = (typeof uptimeLevels)[number];

const GOOD_FROM = 0.999;
const WARN_FROM = 0.95;

/** How bad a day was; null when nothing is known of it. */
export function toLevel(ratio: number | null | undefined): UptimeLevel {
  if (ratio === null || ratio === undefined) return "unknown";
  if (ratio >= GOOD_FROM) return "good";
  return ratio >= WARN_FROM ? "warn" : "bad";
}

/** Widths in the drawing's own units. */
export const DAY_WIDTH = 4;
const BAR_WIDTH = 3;
export const BAR_HEIGHT = 24;
/** Levels differ in height too, for those who do not see their colours. */
const heights: Readonly<Record<UptimeLevel, number>> = { good: 24, warn: 18, bad: 12, unknown: 4 };

/** One path for each level: 90 bars are four elements. */
export function toUptimePaths(
  days: readonly (number | null)[],
): readonly { level: UptimeLevel; path: string }[] {
  return uptimeLevels
    .map((level) => ({
      level,
      path: days
        .map((ratio, index) =>
          toLevel(ratio) === level
            ? `M${index * DAY_WIDTH} ${BAR_HEIGHT}v-${heights[level]}h${BAR_WIDTH}v${heights[level]}z`
            : "",
        )
        .join(""),
    }))
    .filter(({ path }) => path !== "");
}
