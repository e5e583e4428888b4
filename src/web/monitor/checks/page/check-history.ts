/** Requests the response times of a check, a series for each location, and keeps them fresh. */
import { useEffect, useState } from "preact/hooks";
import type { Series } from "../../../charts/series.ts";
import { type Asked, fetchSeries, toAskedSpan, toPoints } from "../../../charts/use-history.ts";
import { toCheckPath } from "../check-data.ts";
import { MONITOR } from "../check-locations.ts";

export interface CheckHistory {
  /** One per location, in their order. */
  readonly series: readonly Series[];
  /** The request; undefined until the first response. */
  readonly asked: Asked | undefined;
  readonly failed: boolean;
}

const LATENCY = "check.latencyMs";

/** The history, asked for again while the page is in sight. */
export function useCheckHistory(
  id: string,
  { locations, asked }: { locations: readonly string[]; asked: Asked },
): CheckHistory {
  const [history, setHistory] = useState<CheckHistory>({ series: [], asked: undefined, failed: false });
  const all = locations.join(" ");
  useEffect(() => {
    const abort = new AbortController();
    const fetchLocation = async (serverId: string): Promise<Series> => {
      const path = `${toCheckPath(id)}/history`;
      const options = { metrics: [], span: toAskedSpan(asked), points: toPoints(asked) };
      const found = await fetchSeries(path, {
        ...options,
        more: serverId === MONITOR ? {} : { serverId },
        signal: abort.signal,
      });
      return (
        found.find(({ metric }) => metric === LATENCY) ?? {
          metric: LATENCY,
          tier: "raw",
          stepMs: 0,
          points: [],
        }
      );
    };
    const refresh = async (): Promise<void> => {
      try {
        const series = await Promise.all(all.split(" ").map(fetchLocation));
        setHistory({ series, asked, failed: false });
      } catch {
        if (!abort.signal.aborted) setHistory((known) => ({ ...known, failed: true }));
      }
    };
    void refresh();
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void refresh();
    }, asked.range.refreshMs);
    return () => {
      abort.abort();
      clearInterval(timer);
    };
  }, [id, all, asked]);
  return history;
}
