/** The history of checks for status pages. */
import type { CheckRecord } from "../checks/schema.ts";
import { type CheckSeries, listCheckSeries } from "../checks/series.ts";
import type { History } from "../history/history.ts";
import type { ServerRecord } from "../base/schema.ts";
import { type CheckHistory, SHOWN_DAYS, type SeriesPoint } from "./uptime-days.ts";

const DAY_MS = 86_400_000;

/** Points of several places as one: the averages of each span. */
function gather(series: readonly (readonly SeriesPoint[])[]): SeriesPoint[] {
  const spans = new Map<number, number[]>();
  for (const { at, avg } of series.flat()) spans.set(at, [...(spans.get(at) ?? []), avg]);
  return [...spans]
    .map(([at, values]) => ({ at, avg: values.reduce((sum, each) => sum + each, 0) / values.length }))
    .sort((a, b) => a.at - b.at);
}

/** Reads it. A check that the monitor itself does not ask is what its places say together. */
export function createCheckHistory(deps: {
  readonly history: Pick<History, "query">;
  readonly findCheck: (id: string) => CheckRecord | undefined;
  readonly findServer: (id: string) => ServerRecord | undefined;
}): CheckHistory {
  const { history, findCheck, findServer } = deps;

  async function read(
    checkId: string,
    asked: {
      readonly metric: "check.upPercent" | "check.latencyMs";
      readonly from: number;
      readonly to: number;
      readonly points: number;
    },
  ): Promise<readonly SeriesPoint[]> {
    const record = findCheck(checkId);
    if (record === undefined) return [];
    const { metric, ...span } = asked;
    const query = async ({ id }: CheckSeries): Promise<readonly SeriesPoint[]> => {
      const [found] = await history.query({ serverId: id, metrics: [metric], ...span });
      return found?.points ?? [];
    };
    const [own, ...places] = listCheckSeries([record], { findServer });
    const points = own === undefined ? [] : await query(own);
    if (points.length > 0 || places.length === 0) return points;
    return gather(await Promise.all(places.map(query)));
  }

  return {
    days: async (checkId, { from, to }) => {
      // As many days as bars show, so that the tier of days answers, however short the span.
      const points = await read(checkId, {
        metric: "check.upPercent",
        to,
        points: SHOWN_DAYS,
        from: Math.min(from, Math.floor(to / DAY_MS) * DAY_MS - (SHOWN_DAYS - 1) * DAY_MS),
      });
      return points.filter(({ at }) => at >= from);
    },
    latency: (checkId, span) => read(checkId, { ...span, metric: "check.latencyMs" }),
  };
}
