/** The lines of a chart below its title: what they show at the cursor or last; a click switches one off or on. */
import type { Signal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { UNKNOWN } from "../app/format.ts";
import { text } from "../app/texts.ts";
import { type Cursor, type Shown, isFilled, toAbsence, toCursorTime, valueAt } from "./cursor.ts";
import { findFilled } from "./series.ts";
import { toLineName } from "./specs.ts";
import { toTimeWords } from "./range/times.ts";
import { toValueWords } from "./units.ts";

export interface SwitchOptions {
  readonly alone: boolean;
  readonly before: ReadonlySet<number>;
}

export interface LegendProps {
  readonly shown: Shown;
  readonly cursor: Signal<Cursor | undefined>;
  /** Switches a line, or leaves it as the only one, from what was hidden before. */
  readonly onSwitch: (line: number, options: SwitchOptions) => void;
}

/** The legend. */
export function Legend({ shown, cursor, onSwitch }: LegendProps): JSX.Element {
  const { spec, unit, data, events, rangeMs, hidden } = shown;
  // The first click of two has switched already.
  const beforeFirst = useRef(hidden);
  const pointed = cursor.value;
  const index = pointed?.index ?? findFilled(data, data.times.length - 1, -1);
  const absence =
    pointed === undefined || isFilled(data, pointed.index) ? undefined : toAbsence(events, pointed.time);
  return (
    <div class="legend" role="group" aria-label={text("chart.lines")}>
      {spec.lines.map((shownLine, line) => {
        const { metric } = shownLine;
        const value = index === undefined ? undefined : valueAt(data, { line, index });
        const content = (
          <>
            <span class={`legend-mark is-line-${line + 1}`} aria-hidden="true" />
            {toLineName(shownLine)}{" "}
            <strong>{absence ?? (value === undefined ? UNKNOWN : toValueWords(unit, value))}</strong>
          </>
        );
        // The only line is always shown.
        if (spec.lines.length === 1)
          return (
            <span class="legend-line" key={metric}>
              {content}
            </span>
          );
        return (
          <button
            type="button"
            class="legend-line"
            key={metric}
            aria-pressed={!hidden.has(line)}
            title={text("chart.switch")}
            onClick={({ altKey, detail }) => {
              if (detail < 2) beforeFirst.current = hidden;
              onSwitch(line, { alone: altKey || detail === 2, before: beforeFirst.current });
            }}
          >
            {content}
          </button>
        );
      })}
      {pointed !== undefined && (
        <span class="legend-time">{toTimeWords(toCursorTime(data, pointed), rangeMs)}</span>
      )}
    </div>
  );
}
