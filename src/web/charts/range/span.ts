/** The span of time that charts show: a range up to now, or one of the reader's own; and how the address says it. */
import { type Range, findRange, ranges } from "./ranges.ts";

/** Epoch ms; `to` exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface ChartView {
  /** The range after a reset. */
  readonly range: Range;
  /** A span that stays where it is; undefined: the range up to now. */
  readonly span: Span | undefined;
}

/** Nothing shorter can be zoomed to. */
export const MIN_SPAN_MS = 60_000;
/** How far back the longest range looks. */
export const MAX_BACK_MS = Math.max(...ranges.map(({ ms }) => ms));

/** A span within `limits`: moved when it sticks out, cut when it does not fit, and at least a minute long. */
export function clampSpan({ from, to }: Span, limits: Span): Span {
  const length = Math.min(Math.max(Math.abs(to - from), MIN_SPAN_MS), limits.to - limits.from);
  const start = Math.min(Math.max(Math.min(from, to), limits.from), limits.to - length);
  return { from: start, to: start + length };
}

/** The span moved by a share of its length; negative is earlier. */
export function panSpan({ from, to }: Span, share: number): Span {
  const by = (to - from) * share;
  return { from: from + by, to: to + by };
}

/** The span around its middle, `factor` times as long. */
export function scaleSpan({ from, to }: Span, factor: number): Span {
  const [middle, half] = [(from + to) / 2, ((to - from) * factor) / 2];
  return { from: middle - half, to: middle + half };
}

/** The view of a URL's query; invalid times are ignored. */
export function readView(query: string): ChartView {
  const params = new URLSearchParams(query);
  const [from, to] = [Date.parse(params.get("from") ?? ""), Date.parse(params.get("to") ?? "")];
  const span = to - from >= MIN_SPAN_MS ? { from, to } : undefined;
  return { range: findRange(params.get("range")), span };
}

function toTimeText(at: number): string {
  return new Date(at).toISOString().replace(".000Z", "Z");
}

/** The query of a view, with its "?"; times are whole seconds of UTC, so that they mean the same for everybody. */
export function toQuery({ range, span }: ChartView): string {
  if (span === undefined) return `?range=${range.key}`;
  const [from, to] = [span.from, span.to].map((at) => toTimeText(Math.round(at / 1_000) * 1_000));
  return `?range=${range.key}&from=${from}&to=${to}`;
}
