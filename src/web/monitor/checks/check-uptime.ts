/** Uptime of checks in the last day, by hour. */
import { useRef } from "preact/hooks";
import { type CheckHoursList, MAX_HOURS_CHECKS } from "../../../monitor/checks/answer-schema.ts";
import { useLoaded } from "../../ui/console/polled.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { toKnownMs } from "./page/day-shares.ts";
import { CHECKS } from "./check-data.ts";

/** The last day of a check. */
export interface DayFigures {
  /** Uptime of each hour, the oldest first; null if unknown. */
  readonly hours: readonly (number | null)[];
  /** Of the whole day; undefined if unknown. */
  readonly uptime: number | undefined;
  /** In the whole, as in `toUptimeFigure`. */
  readonly knownMs: number | undefined;
}

const POLL_MS = 5 * 60_000;

/** The last day of a check from percents. */
export function toDayFigures({
  upPercents,
  knownSince,
}: Pick<CheckHoursList["items"][number], "upPercents" | "knownSince">): DayFigures {
  const hours = upPercents.map((percent) => (percent === null ? null : percent / 100));
  const known = hours.filter((share) => share !== null);
  const sum = known.reduce((all, share) => all + share, 0);
  return {
    hours,
    uptime: known.length === 0 ? undefined : sum / known.length,
    knownMs: toKnownMs(knownSince),
  };
}

async function loadDays(ids: readonly string[]): Promise<ReadonlyMap<string, DayFigures>> {
  const found = new Map<string, DayFigures>();
  for (let at = 0; at < ids.length; at += MAX_HOURS_CHECKS) {
    const asked = new URLSearchParams(ids.slice(at, at + MAX_HOURS_CHECKS).map((id) => ["id", id]));
    const { items } = await adminRequest<CheckHoursList>(`${CHECKS}/hours?${asked.toString()}`);
    for (const item of items) found.set(item.id, toDayFigures(item));
  }
  return found;
}

const none: ReadonlyMap<string, DayFigures> = new Map();

/** The last day of these checks, by id; what was known stays while others are asked for. */
export function useDayFigures(ids: readonly string[]): ReadonlyMap<string, DayFigures> {
  const { data } = useLoaded(ids.toSorted().join(" "), { load: () => loadDays(ids), everyMs: POLL_MS });
  const last = useRef(none);
  if (data !== undefined) last.current = data;
  return last.current;
}
