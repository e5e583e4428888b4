/** A place on the time axis of a chart, and what is said of it. */
import { UNKNOWN } from "../app/format.ts";
import { text } from "../app/texts.ts";
import { toEventLines } from "./marks.ts";
import { type ChartEvents, findOutage } from "./outages.ts";
import type { ChartData } from "./series.ts";
import { type ChartSpec, toLineName } from "./specs.ts";
import { toTimeWords } from "./range/times.ts";
import { type ShownUnit, toValueWords } from "./units.ts";

export interface Cursor {
  /** Place in the data. */
  readonly index: number;
  /** Unix seconds: between two points it is not that of either. */
  readonly time: number;
}

/** The data of a chart. */
export interface Shown {
  readonly spec: ChartSpec;
  readonly unit: ShownUnit;
  readonly data: ChartData;
  readonly events: ChartEvents;
  /** How long the span is, ms. */
  readonly rangeMs: number;
  /** Numbers of the lines that are switched off. */
  readonly hidden: ReadonlySet<number>;
}

/** The value of a line at a place; before it when another line has a point there. */
export function valueAt(
  data: ChartData,
  { line, index }: { line: number; index: number },
): number | undefined {
  for (let at = index; at >= 0; at -= 1) {
    const value = data.lines[line]?.avg[at];
    if (typeof value === "number") return value;
    if (value === null) return undefined;
  }
  return undefined;
}

/** Whether some line has a value at a place. */
export function isFilled(data: ChartData, index: number): boolean {
  return data.lines.some((_, line) => valueAt(data, { line, index }) !== undefined);
}

/** The time of a cursor: of its point, or in a gap its own. Unix seconds. */
export function toCursorTime(data: ChartData, { index, time }: Cursor): number {
  return isFilled(data, index) ? (data.times[index] ?? time) : time;
}

/** Why there is no value at a time, Unix seconds. */
export function toAbsence(events: ChartEvents, time: number): string {
  const outage = findOutage(events, time * 1_000);
  if (outage !== undefined) return text(outage.isDown === true ? "check.state.down" : "state.offline");
  const isBefore = events.firstAt !== undefined && time * 1_000 < events.firstAt;
  return text(isBefore ? "chart.notYet" : "chart.noData");
}

/** All that is known of a place in words, for screen readers. */
export function toPointWords({ spec, unit, data, events, rangeMs }: Shown, cursor: Cursor): string {
  const time = toCursorTime(data, cursor);
  const { index } = cursor;
  const values = isFilled(data, index)
    ? spec.lines.map((shownLine, line) => {
        const value = valueAt(data, { line, index });
        return `${toLineName(shownLine)} ${value === undefined ? UNKNOWN : toValueWords(unit, value)}`;
      })
    : [toAbsence(events, time)];
  const near = toEventLines(events, { at: time * 1_000, nearMs: rangeMs / 100 });
  return [toTimeWords(time, rangeMs), ...values, ...near].join(", ");
}

/** The next place in a direction where there is a value, or where a gap begins. */
export function findStop(data: ChartData, start: number, step: -1 | 1): number | undefined {
  for (let index = start; index >= 0 && index < data.times.length; index += step) {
    if (isFilled(data, index) || (index > 0 && isFilled(data, index - 1))) return index;
  }
  return undefined;
}
