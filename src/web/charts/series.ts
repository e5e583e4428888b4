/** History as a chart draws it: one axis of times, and columns of averages, least and largest values. */
import type { z } from "zod";
import type { historySchema } from "../../monitor/history/schema.ts";
import type { Span } from "./range/span.ts";

export type HistoryAnswer = z.infer<typeof historySchema>;
export type Series = HistoryAnswer["items"][number];
export type Point = Series["points"][number];

/** null: there is a gap. undefined: this series has no point there, but others do. */
type Cell = number | null | undefined;

export interface ChartLineData {
  readonly avg: readonly Cell[];
  readonly min: readonly Cell[];
  readonly max: readonly Cell[];
}

export interface ChartData {
  /** Unix seconds. */
  readonly times: readonly number[];
  readonly lines: readonly ChartLineData[];
  /** Some point stands for more than one value. */
  readonly hasBand: boolean;
}

/** Single reports further apart than this have a gap between them, unless reports come so seldom. */
const RAW_GAP_MS = 30_000;
const SELDOM = 3;
const STEP_GAP = 1.6;
const RHYTHM_POINTS = 8;

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** From how far apart two points of a series have a gap between them, ms. */
export function toGapMs({ stepMs, points }: Pick<Series, "stepMs" | "points">): number {
  const usual = median(points.slice(1).map((point, index) => point.at - (points[index]?.at ?? point.at)));
  if (stepMs === 0) return Math.max(RAW_GAP_MS, SELDOM * usual);
  // A few points say nothing of how often they come.
  const isSeldom = usual > stepMs && points.length >= RHYTHM_POINTS;
  return isSeldom ? SELDOM * usual : stepMs * STEP_GAP;
}

type Place = Point | { readonly at: number };

/** An empty place at either end of each gap, of those at the edges of `span` too: a cursor in it finds no value. */
function withGaps(series: Series, span: Span | undefined): readonly Place[] {
  const { points, stepMs } = series;
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return points;
  const gapMs = toGapMs(series);
  const filled: Place[] = points.flatMap((point, index) => {
    const before = points[index - 1];
    if (before === undefined || point.at - before.at <= gapMs) return [point];
    return [{ at: Math.min(before.at + Math.max(1, stepMs), point.at - 1) }, { at: point.at - 1 }, point];
  });
  if (span !== undefined && first.at - span.from > gapMs)
    filled.unshift({ at: span.from }, { at: first.at - 1 });
  if (span !== undefined && span.to - last.at > gapMs)
    filled.push({ at: last.at + Math.max(1, stepMs) }, { at: span.to });
  return filled;
}

export interface ChartDataOptions {
  /** The range of the axis; without it, from the first point to the last. */
  readonly span?: Span;
  /** Changes the unit of the values. */
  readonly convert?: (value: number) => number;
}

/** Merges series onto one time axis. */
export function toChartData(all: readonly Series[], options: ChartDataOptions = {}): ChartData {
  const { span, convert = (value) => value } = options;
  const filled = all.map((series) => withGaps(series, span));
  const moments = [...new Set(filled.flatMap((points) => points.map(({ at }) => at)))].sort((a, b) => a - b);
  const places = new Map(moments.map((at, index) => [at, index]));
  let hasBand = false;
  const lines = filled.map((points) => {
    const empty = (): Cell[] => Array.from({ length: moments.length }, (): Cell => undefined);
    const [avg, min, max] = [empty(), empty(), empty()];
    for (const point of points) {
      const place = places.get(point.at) ?? 0;
      const value = "avg" in point ? point : undefined;
      avg[place] = value === undefined ? null : convert(value.avg);
      min[place] = value === undefined ? null : convert(value.min);
      max[place] = value === undefined ? null : convert(value.max);
      if (value !== undefined && value.max > value.min) hasBand = true;
    }
    return { avg, min, max };
  });
  return { times: moments.map((at) => at / 1_000), lines, hasBand };
}

/** Adds a live value to each series that has one, and lets go of what is older than `from` (epoch ms). */
export function appendLive(
  all: readonly Series[],
  { at, from, read }: { at: number; from: number; read: (metric: string) => number | undefined },
): readonly Series[] {
  return all.map((series) => {
    const value = read(series.metric);
    const last = series.points.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
    if (value === undefined || at <= last) return series;
    const kept = series.points.filter((point) => point.at >= from);
    return { ...series, points: [...kept, { at, min: value, avg: value, max: value }] };
  });
}

/** The point nearest to a time that has a value in some line; undefined when there is none. */
export function findFilled(data: ChartData, start: number, step: -1 | 1): number | undefined {
  for (let index = start; index >= 0 && index < data.times.length; index += step) {
    if (data.lines.some(({ avg }) => typeof avg[index] === "number")) return index;
  }
  return undefined;
}
