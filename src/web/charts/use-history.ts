/** The history of some metrics of a server, kept up to date. */
import { useEffect, useState } from "preact/hooks";
import type { PublicServer } from "../../monitor/fleet/view-schema.ts";
import { request } from "../app/api.ts";
import { serviceNow } from "../app/fleet.ts";
import { readMetric } from "../app/sample.ts";
import type { Range } from "./ranges.ts";
import { type HistoryAnswer, type Series, appendLive } from "./series.ts";

export interface ChartHistory {
  readonly series: readonly Series[];
  /** Of which range the series are; another one than asked for while that is being loaded. */
  readonly range: Range | undefined;
  readonly failed: boolean;
}

/** Points a chart can show side by side; single reports are all shown, so that live ones can follow them. */
const POINTS = 300;
const RAW_POINTS = 1_000;
/** So much less than the range is asked for: the time of single reports must not have passed on the way. */
const MARGIN_MS = 10_000;
const nothing: ChartHistory = { series: [], range: undefined, failed: false };

async function load(
  id: string,
  { metrics, range, signal }: { metrics: readonly string[]; range: Range; signal: AbortSignal },
): Promise<readonly Series[]> {
  const to = Math.ceil(serviceNow());
  const query = new URLSearchParams(metrics.map((metric) => ["metric", metric]));
  query.set("from", String(to - range.ms + MARGIN_MS));
  query.set("points", String(range.key === "15m" ? RAW_POINTS : POINTS));
  const path = `/api/servers/${encodeURIComponent(id)}/history?${query.toString()}`;
  return (await request<HistoryAnswer>(path, { signal })).items;
}

/** The history; asked for only while `wanted`. */
export function useHistory(
  server: PublicServer,
  { metrics, range, wanted }: { metrics: readonly string[]; range: Range; wanted: boolean },
): ChartHistory {
  const [history, setHistory] = useState(nothing);
  const { id, latest } = server;
  const names = metrics.join(" ");
  useEffect(() => {
    if (!wanted) return undefined;
    const abort = new AbortController();
    const refresh = async (): Promise<void> => {
      try {
        const series = await load(id, { metrics: names.split(" "), range, signal: abort.signal });
        setHistory({ series, range, failed: false });
      } catch {
        if (!abort.signal.aborted) setHistory((known) => ({ ...known, failed: true }));
      }
    };
    void refresh();
    const timer = setInterval(() => {
      // A page that nobody looks at asks for nothing.
      if (document.visibilityState === "visible") void refresh();
    }, range.refreshMs);
    return () => {
      abort.abort();
      clearInterval(timer);
    };
  }, [id, names, range, wanted]);

  useEffect(() => {
    // Longer ranges show averages: a single report is no point of theirs.
    if (latest === undefined || range.key !== "15m") return;
    setHistory((known) =>
      known.range !== range || known.series.some(({ stepMs }) => stepMs > 0)
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
  }, [latest, range]);
  return history;
}
