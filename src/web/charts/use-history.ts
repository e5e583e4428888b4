/** Requests the history of a chart, and keeps it fresh. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { PublicServer } from "../../monitor/fleet/view-schema.ts";
import { request } from "../app/api.ts";
import { serviceNow } from "../ui/server-clock.ts";
import { readMetric } from "../app/sample.ts";
import type { Range } from "./range/ranges.ts";
import { type HistoryAnswer, type Series, appendLive } from "./series.ts";
import type { Span } from "./range/span.ts";
import { chartView, historyStart } from "./range/view.ts";
import type { ChartedPart } from "./specs.ts";

export interface ChartHistory {
  readonly series: readonly Series[];
  /** The request; undefined until the first response. */
  readonly asked: Asked | undefined;
  readonly failed: boolean;
}

/** A span of the reader's own, or a range up to now; the same object as long as it is the same. */
export interface Asked {
  readonly range: Range;
  readonly span: Span | undefined;
  /** Where the history begins; there "all" does. */
  readonly firstAt: number | undefined;
}

/** Points a chart can show side by side; single reports are all shown, so that live ones can follow them. */
const POINTS = 300;
const MAX_POINTS = 1_000;
/** So much less than the range is asked for: the time of single reports must not have passed on the way. */
const MARGIN_MS = 10_000;
/**
 * The margins next to the reader's own span are requested with it, as a share of its length: it can be moved at once.
 */
const BESIDE = 0.5;
const nothing: ChartHistory = { series: [], asked: undefined, failed: false };

/** The span to request for a view, epoch ms. */
export function toAskedSpan({ range, span, firstAt }: Asked): Span {
  const now = Math.ceil(serviceNow());
  if (span !== undefined) {
    const beside = (span.to - span.from) * BESIDE;
    return { from: Math.floor(span.from - beside), to: Math.min(now + 1, Math.ceil(span.to + beside)) };
  }
  const from = range.key === "all" && firstAt !== undefined ? firstAt : now - range.ms + MARGIN_MS;
  return { from: Math.floor(from), to: now + 1 };
}

/** The series of a history at `path` in a span. */
export async function fetchSeries(
  path: string,
  {
    metrics,
    span,
    points = MAX_POINTS,
    more = {},
    signal,
  }: {
    readonly metrics: readonly string[];
    readonly span: Span;
    readonly points?: number;
    /** More query parameters. */
    readonly more?: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
  },
): Promise<readonly Series[]> {
  const query = new URLSearchParams(metrics.map((metric) => ["metric", metric]));
  query.set("from", String(span.from));
  query.set("to", String(span.to));
  query.set("points", String(points));
  for (const [name, value] of Object.entries(more)) query.set(name, value);
  return (await request<HistoryAnswer>(`${path}?${query.toString()}`, { signal })).items;
}

/** The history of some metrics of a server in a span. */
export function fetchHistory(
  id: string,
  options: Parameters<typeof fetchSeries>[1],
): Promise<readonly Series[]> {
  return fetchSeries(`/api/servers/${encodeURIComponent(id)}/history`, options);
}

/** The same of one of its parts. */
function fetchPartHistory(
  id: string,
  part: ChartedPart,
  options: Parameters<typeof fetchSeries>[1],
): Promise<readonly Series[]> {
  const more = { kind: part.kind, name: part.name };
  return fetchSeries(`/api/servers/${encodeURIComponent(id)}/parts/history`, { ...options, more });
}

/** Points at most that are asked for. */
export function toPoints({ range, span }: Asked): number {
  if (span !== undefined) return POINTS * (1 + 2 * BESIDE);
  return range.key === "15m" ? MAX_POINTS : POINTS;
}

/** The request: a new object only for a different span. */
export function useAsked(): Asked {
  const { range, span } = chartView.value;
  const firstAt = range.key === "all" && span === undefined ? historyStart.value : undefined;
  return useMemo(() => ({ range, span, firstAt }), [range, span?.from, span?.to, firstAt]);
}

/** The history; asked for only while `wanted`. */
export function useHistory(
  server: PublicServer,
  {
    metrics,
    asked,
    wanted,
    part,
  }: { metrics: readonly string[]; asked: Asked; wanted: boolean; part?: ChartedPart | undefined },
): ChartHistory {
  const [history, setHistory] = useState(nothing);
  const { id, latest } = server;
  const { range, span } = asked;
  const names = metrics.join(" ");
  useEffect(() => {
    if (!wanted) return undefined;
    const abort = new AbortController();
    const refresh = async (): Promise<void> => {
      try {
        const options = {
          metrics: names.split(" "),
          span: toAskedSpan(asked),
          points: toPoints(asked),
          signal: abort.signal,
        };
        const series = await (part === undefined
          ? fetchHistory(id, options)
          : fetchPartHistory(id, part, options));
        setHistory({ series, asked, failed: false });
      } catch {
        if (!abort.signal.aborted) setHistory((known) => ({ ...known, failed: true }));
      }
    };
    void refresh();
    // The past does not change.
    const isPast = asked.span !== undefined && asked.span.to < serviceNow() - asked.range.refreshMs;
    const timer = setInterval(() => {
      // A hidden page sends no requests.
      if (!isPast && document.visibilityState === "visible") void refresh();
    }, asked.range.refreshMs);
    return () => {
      abort.abort();
      clearInterval(timer);
    };
  }, [id, names, asked, wanted, part?.kind, part?.name]);

  useEffect(() => {
    // Longer ranges show averages: a single report is no point of theirs.
    if (part !== undefined || latest === undefined || range.key !== "15m" || span !== undefined) return;
    setHistory((known) =>
      known.asked !== asked || known.series.some(({ stepMs }) => stepMs > 0)
        ? known
        : {
            ...known,
            series: appendLive(known.series, {
              at: latest.collectedAt,
              from: latest.collectedAt - range.ms,
              read: (metric) => readMetric(server, metric),
            }),
          },
    );
  }, [latest, asked]);
  return history;
}
