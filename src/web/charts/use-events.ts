/** Requests the events of the charts' span: outages and restarts, and alerts for an administrator. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { IncidentView } from "../../monitor/alerts/http/alert-view.ts";
import type { PublicServer } from "../../monitor/fleet/view-schema.ts";
import { request } from "../app/api.ts";
import { isAdministrator } from "../app/fleet.ts";
import type { PageAnswer } from "../ui/console/paged.ts";
import { serviceNow } from "../ui/server-clock.ts";
import { type Alert, type ChartEvents, findOutages, findRestarts, noEvents } from "./outages.ts";
import type { Series } from "./series.ts";
import { MAX_BACK_MS, type Span } from "./range/span.ts";
import { type Asked, fetchHistory, toAskedSpan } from "./use-history.ts";
import { historyStart } from "./range/view.ts";

const DAY_MS = 86_400_000;
/** Every report has it. */
const BEAT = "cpu.usagePercent";
const UPTIME = "uptimeSeconds";
const PAGE_LIMIT = 200;
const MAX_PAGES = 5;
/** An answer that ends so shortly ago ends now. */
const NOW_MS = 2 * 60_000;

/** The alerts of a server that lasted into a span, the oldest first. */
async function fetchAlerts(id: string, span: Span, signal: AbortSignal): Promise<readonly Alert[]> {
  const found: Alert[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = new URLSearchParams({ serverId: id, limit: String(PAGE_LIMIT) });
    if (cursor !== undefined) query.set("cursor", cursor);
    const answer = await request<PageAnswer<IncidentView>>(`/api/admin/incidents?${query.toString()}`, {
      signal,
    });
    for (const { since, resolvedAt, severity, ruleName } of answer.items) {
      const [from, to] = [Date.parse(since), resolvedAt === undefined ? undefined : Date.parse(resolvedAt)];
      if (from < span.to && (to ?? span.to) > span.from) found.push({ from, to, severity, name: ruleName });
    }
    cursor = answer.nextCursor;
    const oldest = answer.items.at(-1);
    if (cursor === undefined || (oldest !== undefined && Date.parse(oldest.openedAt) < span.from)) break;
  }
  return found.toSorted((a, b) => a.from - b.from);
}

/** When the history of a server begins, to the hour where the tiers are that exact; undefined without any. */
async function findStart(id: string, signal: AbortSignal): Promise<number | undefined> {
  const now = Math.ceil(serviceNow());
  const firstIn = async (span: Span): Promise<number | undefined> =>
    (await fetchHistory(id, { metrics: [BEAT], span, signal }))[0]?.points[0]?.at;
  const day = await firstIn({ from: now - MAX_BACK_MS, to: now });
  return day === undefined ? undefined : ((await firstIn({ from: day, to: day + DAY_MS })) ?? day);
}

/** Finds {@link historyStart} of a server, once. */
export function useHistoryStart(id: string): void {
  useEffect(() => {
    const abort = new AbortController();
    historyStart.value = undefined;
    findStart(id, abort.signal).then(
      (at) => {
        historyStart.value = at;
      },
      // Without it "all" is two years, and nothing is marked as not there yet.
      () => undefined,
    );
    return () => abort.abort();
  }, [id]);
}

interface Answer {
  readonly span: Span;
  readonly beats: Series | undefined;
  readonly uptimes: Series | undefined;
  readonly alerts: readonly Alert[];
}

async function fetchAnswer(
  id: string,
  { asked, isAdmin, signal }: { asked: Asked; isAdmin: boolean; signal: AbortSignal },
): Promise<Answer> {
  const span = toAskedSpan(asked);
  const [[beats, uptimes], alerts] = await Promise.all([
    fetchHistory(id, { metrics: [BEAT, UPTIME], span, signal }),
    isAdmin ? fetchAlerts(id, span, signal) : [],
  ]);
  return { span, beats, uptimes, alerts };
}

function toEvents(
  { span, beats, uptimes, alerts }: Answer,
  {
    state,
    lastSeenAt,
    firstAt,
  }: Pick<PublicServer, "state" | "lastSeenAt"> & { firstAt: number | undefined },
): ChartEvents {
  if (beats === undefined) return { ...noEvents, firstAt, alerts };
  const isNow = span.to > serviceNow() - NOW_MS;
  const outages = findOutages(beats, {
    span,
    firstAt,
    offlineSince: state === "offline" && isNow ? lastSeenAt : undefined,
    isCurrent: isNow && state !== "offline",
  });
  const restarts = uptimes === undefined ? [] : findRestarts(uptimes);
  return { outages, restarts, alerts, firstAt, stepMs: beats.stepMs };
}

/** The events; known ones stay until the next response. */
export function useEvents(server: PublicServer, asked: Asked): ChartEvents {
  const [answer, setAnswer] = useState<Answer>();
  const { id, state, lastSeenAt } = server;
  const isAdmin = isAdministrator.value;
  useEffect(() => {
    const abort = new AbortController();
    const refresh = (): void => {
      fetchAnswer(id, { asked, isAdmin, signal: abort.signal }).then(setAnswer, () => undefined);
    };
    refresh();
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") refresh();
    }, asked.range.refreshMs);
    return () => {
      abort.abort();
      clearInterval(timer);
    };
  }, [id, asked, isAdmin]);
  const firstAt = historyStart.value;
  const offlineSince = state === "offline" ? lastSeenAt : undefined;
  return useMemo(
    () =>
      answer === undefined
        ? { ...noEvents, firstAt }
        : toEvents(answer, { state, lastSeenAt: offlineSince, firstAt }),
    [answer, state, offlineSince, firstAt],
  );
}
