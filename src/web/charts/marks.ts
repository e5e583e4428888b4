/** Moments on the time axis of charts, and what is said of a place there. */
import { toSpan } from "../app/format.ts";
import { text } from "../app/texts.ts";
import { type Alert, type ChartEvents, type Outage, findOutage } from "./outages.ts";
import type { Span } from "./range/span.ts";
import { toSpanWords, toTimeWords } from "./range/times.ts";

export interface Mark {
  /** Epoch ms. */
  readonly at: number;
  readonly kind: "alert" | "recovery" | "restart";
  readonly alert?: Alert;
}

/** The moments of a span, in order of time. */
export function toMarks({ restarts, alerts }: ChartEvents, span: Span): readonly Mark[] {
  const marks: Mark[] = restarts.map((at) => ({ at, kind: "restart" }));
  for (const alert of alerts) {
    marks.push({ at: alert.from, kind: "alert", alert });
    if (alert.to !== undefined) marks.push({ at: alert.to, kind: "recovery", alert });
  }
  return marks.filter(({ at }) => at >= span.from && at < span.to).toSorted((a, b) => a.at - b.at);
}

/** From this on, times of outages are only near the truth, ms. */
const VAGUE_MS = 120_000;

/** "Offline 23:40 – 01:10, 1h 30m". */
export function toOutageWords({ from, to, isOpen, isDown }: Outage, stepMs: number): string {
  const isVague = stepMs >= VAGUE_MS;
  const duration = isVague ? text("chart.about", { span: toSpan(to - from) }) : toSpan(to - from);
  const times = isOpen
    ? text("chart.since", { time: toTimeWords(from / 1_000, 86_400_000) })
    : toSpanWords({ from, to }, { withDay: false });
  return text(isDown === true ? "admin.check.outage" : "chart.outage", { times, span: duration });
}

/** "14:03 CPU busy, for 12m". */
export function toMarkWords({ at, kind, alert }: Mark): string {
  const time = toTimeWords(at / 1_000, 86_400_000);
  if (alert === undefined) return text("chart.restart", { time });
  const span = alert.to === undefined ? text("chart.lasts") : toSpan(alert.to - alert.from);
  return text(kind === "alert" ? "chart.alert" : "chart.recovery", { time, name: alert.name, span });
}

/** Events at a moment, and within `nearMs` of it; a few lines at most. */
export function toEventLines(
  events: ChartEvents,
  { at, nearMs }: { at: number; nearMs: number },
): readonly string[] {
  const outage = findOutage(events, at);
  const near = toMarks(events, { from: at - nearMs, to: at + nearMs }).map(toMarkWords);
  const lines = [...(outage === undefined ? [] : [toOutageWords(outage, events.stepMs)]), ...near];
  const more = lines.length - MAX_LINES;
  return more > 0 ? [...lines.slice(0, MAX_LINES), text("chart.more", { count: more })] : lines;
}

const MAX_LINES = 4;

/** All that happened in a span, the newest first. */
export function listEvents(events: ChartEvents, span: Span): readonly string[] {
  const outages = events.outages
    .filter(({ from, to }) => to > span.from && from < span.to)
    .map((outage) => ({ at: outage.from, words: toOutageWords(outage, events.stepMs) }));
  const marks = toMarks(events, span)
    .filter(({ kind }) => kind !== "recovery")
    .map((mark) => ({ at: mark.at, words: toMarkWords(mark) }));
  return [...outages, ...marks].toSorted((a, b) => b.at - a.at).map(({ words }) => words);
}
