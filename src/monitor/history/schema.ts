/** A history request and its response. */
import { z } from "zod";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";
import { type MetricName, isMetricName, metricNames } from "../base/metrics.ts";

const MAX_METRICS = 16;
const MAX_POINTS = 1_000;
const DEFAULT_POINTS = 300;
const DEFAULT_WINDOW_MS = 15 * 60_000;
const EARLIEST = 0;
const LATEST = 8_640_000_000_000_000;

/** Epoch ms of a time as people and programs write it; NaN when it is neither. */
function parseTime(text: string): number {
  if (/^\d{1,16}$/u.test(text)) return Number(text);
  return /^\d{4}-\d{2}-\d{2}T/u.test(text) && /(?:Z|[+-]\d{2}:\d{2})$/u.test(text)
    ? Date.parse(text)
    : Number.NaN;
}

const time = z
  .string()
  .transform(parseTime)
  .refine(
    (ms) => ms >= EARLIEST && ms <= LATEST,
    "must be epoch milliseconds or ISO 8601 with an offset, such as 2026-01-31T12:00:00Z",
  );

const metricName = z.string().refine(isMetricName, `must be one of ${metricNames.join(", ")}`);

export const historyQuerySchema = z.object({
  metric: z
    .union([metricName, z.array(metricName).min(1).max(MAX_METRICS)], {
      error: `must be one or up to ${MAX_METRICS} of ${metricNames.join(", ")}`,
    })
    .describe("Metric name in dot notation, as in reports. Repeat the parameter for more series"),
  from: time.optional().describe("Start of the range, inclusive. Default: 15 minutes before `to`"),
  to: time.optional().describe("End of the range, exclusive. Default: now"),
  points: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_POINTS)
    .default(DEFAULT_POINTS)
    .describe("Maximum number of points per series"),
});

/** A chart takes hundreds of them as they are. */
const seriesTime = z.number().describe("Unix time in milliseconds");

export const historySchema = z.object({
  items: z.array(
    z.object({
      metric: z.enum(metricNames),
      tier: z
        .string()
        .describe(
          "Resolution of the points: raw for single reports, otherwise aggregates of 1m, 10m, 1h or 1d (UTC)",
        ),
      stepMs: z.number().describe("Interval of a point in milliseconds; 0 for single reports"),
      points: z.array(z.object({ at: seriesTime, min: z.number(), avg: z.number(), max: z.number() })),
    }),
  ),
  now: isoTimeSchema,
});

export interface HistoryQuery {
  readonly metrics: readonly MetricName[];
  /** Epoch ms, inclusive. */
  readonly from: number;
  /** Epoch ms, exclusive. */
  readonly to: number;
  readonly points: number;
}

/** The range of a request with its defaults filled in. */
export function toRange(
  query: { readonly from?: number | undefined; readonly to?: number | undefined },
  now: number,
): { from: number; to: number } {
  const to = query.to ?? now + 1;
  return { from: query.from ?? to - DEFAULT_WINDOW_MS, to };
}

/** The request with its defaults filled in. */
export function toHistoryQuery(query: z.infer<typeof historyQuerySchema>, now: number): HistoryQuery {
  const asked = Array.isArray(query.metric) ? query.metric : [query.metric];
  return {
    metrics: [...new Set(asked)].filter(isMetricName),
    ...toRange(query, now),
    points: query.points,
  };
}
