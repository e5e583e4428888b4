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
/** Worse days have more cuts, for those who do not see their colours: from where to where each piece goes. */
const pieces: Readonly<Record<UptimeLevel, readonly (readonly [from: number, to: number])[]>> = {
  good: [[0, BAR_HEIGHT]],
  warn: [
    [0, 10.5],
    [13.5, BAR_HEIGHT],
  ],
  bad: [
    [0, 5],
    [8, 16],
    [19, BAR_HEIGHT],
  ],
  unknown: [[0, BAR_HEIGHT]],
};

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
            ? pieces[level]
                .map(([from, to]) => `M${index * DAY_WIDTH} ${from}h${BAR_WIDTH}v${to - from}h-${BAR_WIDTH}z`)
                .join("")
            : "",
        )
        .join(""),
    }))
    .filter(({ path }) => path !== "");
}
