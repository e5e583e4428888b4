/** A bar for each of the last days. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { DAY_MS, toDay, toUptime, UNKNOWN } from "../app/format.ts";
import { serviceNow } from "../app/fleet.ts";
import { text } from "../app/texts.ts";
import { BAR_HEIGHT, DAY_WIDTH, toUptimePaths } from "./uptime-levels.ts";

export interface UptimeBarsProps {
  /** Share of each day, oldest first; the last is today. */
  readonly days: readonly (number | null)[];
  readonly ratio: number | undefined;
  /** Can take the focus, for arrow keys. */
  readonly focusable?: boolean | undefined;
}

function toWords(days: readonly (number | null)[], index: number): string {
  const at = serviceNow() - (days.length - 1 - index) * DAY_MS;
  const ratio = days[index];
  return `${toDay(at)}: ${ratio === null || ratio === undefined ? text("uptime.unknown") : toUptime(ratio)}`;
}

/** The bars. */
export function UptimeBars({ days, ratio, focusable = false }: UptimeBarsProps): JSX.Element {
  const [pointed, setPointed] = useState<number>();
  const label = text("uptime.label", {
    days: days.length,
    value: ratio === undefined ? UNKNOWN : toUptime(ratio),
  });
  function point(event: PointerEvent & { currentTarget: HTMLElement }): void {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - left) / width;
    const index = Math.floor((document.dir === "rtl" ? 1 - share : share) * days.length);
    setPointed(Math.min(days.length - 1, Math.max(0, index)));
  }
  function takeKey(event: KeyboardEvent): void {
    const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    if (step === 0) return;
    event.preventDefault();
    setPointed((index = days.length) => Math.min(days.length - 1, Math.max(0, index + step)));
  }
  return (
    <div
      class="uptime-bars"
      role={focusable ? "slider" : "img"}
      aria-label={label}
      {...(focusable
        ? {
            tabIndex: 0,
            "aria-valuemin": 0,
            "aria-valuemax": days.length - 1,
            "aria-valuenow": pointed ?? days.length - 1,
            "aria-valuetext": toWords(days, pointed ?? days.length - 1),
            onKeyDown: takeKey,
            onBlur: () => setPointed(undefined),
          }
        : {})}
      onPointerMove={point}
      onPointerLeave={() => setPointed(undefined)}
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
      {pointed !== undefined && (
        <span
          class="tip"
          style={{ insetInlineStart: `${((pointed + 0.5) / days.length) * 100}%` }}
          aria-hidden="true"
        >
          {toWords(days, pointed)}
        </span>
      )}
    </div>
  );
}
