/** The last day of a check as a bar for each hour: its colour, and cuts in it, say how bad the hour was. */
import type { JSX } from "preact";
import { toUptimeWords } from "../../app/format.ts";
import { text } from "../../app/texts.ts";
import { BAR_HEIGHT, DAY_WIDTH, toUptimePaths } from "../../ui/uptime-levels.ts";
import type { DayFigures } from "./check-uptime.ts";

/** The bars; an empty place before they are known. */
export function HourBars({ figures }: { figures: DayFigures | undefined }): JSX.Element {
  if (figures === undefined) return <span class="hour-bars" aria-hidden="true" />;
  const { hours, uptime, knownMs } = figures;
  const value = toUptimeWords(uptime, knownMs, text("uptime.unknown"));
  return (
    <svg
      class="hour-bars"
      viewBox={`0 0 ${hours.length * DAY_WIDTH} ${BAR_HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={text("admin.checks.day.label", { value })}
    >
      {toUptimePaths(hours).map(({ level, path }) => (
        <path key={level} class={`uptime-${level}`} d={path} />
      ))}
    </svg>
  );
}
