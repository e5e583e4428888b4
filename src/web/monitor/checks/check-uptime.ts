/** How checks stood in the last day, hour by hour. */
import { useMemo } from "preact/hooks";
import { usePolled } from "../../ui/console/polled.ts";
import { CHECKS } from "./check-data.ts";

/** The last day of a check. */
export interface DayFigures {
  /** Share of each hour in which it was up, the oldest first; null where nobody could say. */
  readonly hours: readonly (number | null)[];
  /** Of all of it; undefined where nobody could say. */
  readonly uptime: number | undefined;
}

interface DayAnswer {
  readonly items: readonly { readonly id: string; readonly hours: readonly (number | null)[] }[];
}

const POLL_MS = 5 * 60_000;
/** As many as the monitor answers at once. */
const MOST = 200;

/** The share of all hours that are known. */
export function toDayUptime(hours: readonly (number | null)[]): number | undefined {
  const known = hours.filter((share) => share !== null);
  return known.length === 0 ? undefined : known.reduce((sum, share) => sum + share, 0) / known.length;
}

/** The last day of these checks, by id; empty until it is known. */
export function useDayFigures(ids: readonly string[]): ReadonlyMap<string, DayFigures> {
  const asked = new URLSearchParams(ids.slice(0, MOST).map((id) => ["id", id]));
  const { data } = usePolled<DayAnswer>(`${CHECKS}/hours?${asked.toString()}`, POLL_MS);
  return useMemo(
    () => new Map((data?.items ?? []).map(({ id, hours }) => [id, { hours, uptime: toDayUptime(hours) }])),
    [data],
  );
}
