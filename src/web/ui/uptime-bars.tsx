/** A bar for each of the last days: its colour, and cuts in it, say how bad the day was. */
import type { JSX } from "preact";
import { toPastDay, toUptime } from "../app/format.ts";
import { serviceNow } from "./server-clock.ts";
import { text } from "../app/texts.ts";
import { DayBars } from "./day-bars.tsx";
import { BAR_HEIGHT, DAY_WIDTH, toUptimePaths } from "./uptime-levels.ts";

export interface UptimeBarsProps {
  /** Share of each day, oldest first; the last is today. */
  readonly days: readonly (number | null)[];
  /** The uptime of all days in words. */
  readonly value: string;
  /** Name of each day; by default its date in `zone`. */
  readonly dates?: readonly string[] | undefined;
  /** An IANA time zone; the reader's own when absent. */
  readonly zone?: string | undefined;
  /** Can take the focus, for arrow keys. */
  readonly focusable?: boolean | undefined;
}

/** The bars. */
export function UptimeBars({ days, value, dates, zone, focusable }: UptimeBarsProps): JSX.Element {
  function toWords(index: number): string {
    const date = dates?.[index] ?? toPastDay(days.length - 1 - index, { nowMs: serviceNow(), zone });
    const share = days[index];
    return `${date}: ${share === null || share === undefined ? text("uptime.unknown") : toUptime(share)}`;
  }
  return (
    <DayBars
      class="uptime-bars"
      count={days.length}
      label={text("uptime.label", { days: days.length, value })}
      toWords={toWords}
      focusable={focusable}
    >
      <svg
        viewBox={`0 0 ${days.length * DAY_WIDTH} ${BAR_HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {toUptimePaths(days).map(({ level, path }) => (
          <path key={level} class={`uptime-${level}`} d={path} />
        ))}
      </svg>
    </DayBars>
  );
}
