/** Uptime of components by day, in memory: read once after a start, the current day again every few minutes. */
import type { Clock } from "../../kit/time/clock.ts";
import { toDayText } from "../../kit/time/zone-days.ts";
import type { Component, ComponentStatus, PostRecord, StatusPageRecord } from "./schema.ts";

/** Days that pages show, today included. */
export const SHOWN_DAYS = 90;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Response times of so long are shown. */
const LATENCY_MS = DAY_MS;
const LATENCY_POINTS = 96;

/** A share of a day in which a component was up, 0 to 100; null where nothing is known. */
export interface DayUptime {
  /** "2026-11-23". */
  readonly day: string;
  readonly percent: number | null;
}

/** A component's days, the oldest first and today last. */
export interface ComponentDays {
  readonly days: readonly DayUptime[];
  /** Of all days together; null where nothing is known. */
  readonly percent: number | null;
  /** How much time is known in all. */
  readonly knownMs: number;
}

/** Uptime of a server. */
export interface ServerUptime {
  /** Shares by day, 0 to 1, the oldest first and today last. */
  readonly days: readonly (number | null)[];
  readonly knownMinutes: number;
}

/** An average in a span of time. */
export interface SeriesPoint {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly avg: number;
}

export interface CheckHistory {
  /** Percent of results that were up, by day (UTC). */
  days(checkId: string, span: { from: number; to: number }): Promise<readonly SeriesPoint[]>;
  /** Milliseconds until the answer. */
  latency(
    checkId: string,
    span: { from: number; to: number; points: number },
  ): Promise<readonly SeriesPoint[]>;
}

export interface UptimeDaysDeps {
  readonly clock: Clock;
  readonly history: CheckHistory;
  /** Undefined: no such server. */
  readonly serverDays: (serverId: string, count: number) => ServerUptime | undefined;
  /** When a check was created, epoch milliseconds; undefined: no such check. */
  readonly checkSince: (checkId: string) => number | undefined;
  readonly pages: () => readonly StatusPageRecord[];
  /** Posts of a page that has them in memory. */
  readonly postsOf: (page: StatusPageRecord) => readonly PostRecord[];
}

/** How much of its time a component counts as down, as Statuspage counts it. */
const downShare: Readonly<Record<ComponentStatus, number>> = {
  operational: 0,
  under_maintenance: 0,
  degraded_performance: 0,
  partial_outage: 0.3,
  major_outage: 1,
};

function listDays(today: number): string[] {
  return Array.from({ length: SHOWN_DAYS }, (_, index) => toDayText(today - SHOWN_DAYS + 1 + index));
}

function toPercent(
  days: readonly { readonly percent: number | null; readonly weight: number }[],
): number | null {
  let [sum, weights] = [0, 0];
  for (const { percent, weight } of days) {
    if (percent === null) continue;
    sum += percent * weight;
    weights += weight;
  }
  return weights === 0 ? null : sum / weights;
}

/** Spans in which a component was said to be in a state, each until the next update or the end. */
function listSpans(id: string, post: PostRecord, now: number): { from: number; to: number; share: number }[] {
  const end = post.endedAt ?? now;
  return post.updates.flatMap(({ at }, index) => {
    const said = post.updates.slice(0, index + 1).flatMap(({ components }) => Object.entries(components));
    const status = new Map(said).get(id);
    const to = Math.min(end, post.updates[index + 1]?.at ?? end);
    return status === undefined || to <= at ? [] : [{ from: at, to, share: downShare[status] }];
  });
}

/** Days of a component that has nothing but what people said of it. */
export function toTalkedDays(
  component: Pick<Component, "id">,
  given: { readonly since: number; readonly now: number; readonly posts: readonly PostRecord[] },
): ComponentDays {
  const { since, now, posts } = given;
  const today = Math.floor(now / DAY_MS);
  const spans = posts
    .filter(({ type }) => type === "incident")
    .flatMap((post) => listSpans(component.id ?? "", post, now));
  const days = listDays(today).map((day, index) => {
    const from = Math.max(since, (today - SHOWN_DAYS + 1 + index) * DAY_MS);
    const to = Math.min(now, (today - SHOWN_DAYS + 2 + index) * DAY_MS);
    if (to <= from) return { day, percent: null, weight: 0 };
    const down = spans.reduce(
      (sum, span) => sum + Math.max(0, Math.min(to, span.to) - Math.max(from, span.from)) * span.share,
      0,
    );
    return { day, percent: Math.max(0, 100 - (100 * down) / (to - from)), weight: to - from };
  });
  const knownMs = days.reduce((sum, { weight }) => sum + weight, 0);
  return { days, percent: toPercent(days), knownMs };
}

function toServerDays({ days: shares, knownMinutes }: ServerUptime, today: number): ComponentDays {
  const days = listDays(today).map((day, index) => {
    const share = shares[index] ?? null;
    return { day, percent: share === null ? null : share * 100, weight: 1 };
  });
  return { days, percent: toPercent(days), knownMs: knownMinutes * MINUTE_MS };
}

/** Points of a check by the number of their day. */
type KeptDays = Map<number, SeriesPoint>;

function toCheckDays(kept: KeptDays, { since, now }: { since: number; now: number }): ComponentDays {
  const today = Math.floor(now / DAY_MS);
  const days = listDays(today).map((day, index) => {
    const number = today - SHOWN_DAYS + 1 + index;
    // Of today counts what is over.
    const weight = number === today ? Math.max(MINUTE_MS, now % DAY_MS) / DAY_MS : 1;
    return { day, percent: kept.get(number)?.avg ?? null, weight };
  });
  const first = Math.min(...kept.keys()) * DAY_MS;
  return { days, percent: toPercent(days), knownMs: Math.max(0, now - Math.max(since, first)) };
}

/** Creates an empty memory. */
export function createUptimeDays(deps: UptimeDaysDeps) {
  const { clock, history, serverDays, checkSince, pages, postsOf } = deps;
  const checks = new Map<string, KeptDays>();
  const latencies = new Map<string, readonly SeriesPoint[]>();
  let revision = 1;

  /** All days of a check that is new here, else yesterday and today. */
  async function readCheck(checkId: string, now: number): Promise<void> {
    const today = Math.floor(now / DAY_MS);
    const known = checks.get(checkId);
    const from = (known === undefined ? today - SHOWN_DAYS + 1 : today - 1) * DAY_MS;
    const kept: KeptDays = new Map(
      [...(known ?? [])].filter(([day]) => day > today - SHOWN_DAYS && day * DAY_MS < from),
    );
    for (const point of await history.days(checkId, { from, to: now + 1 }))
      kept.set(Math.floor(point.at / DAY_MS), point);
    checks.set(checkId, kept);
  }

  return {
    /** Reads what is new; call it every few minutes and after changes of pages. A check that cannot be read keeps what was read. */
    refresh: async (): Promise<void> => {
      const now = clock.now();
      const wanted = pages().flatMap(({ components }) => components);
      const days = new Set<string>();
      const times = new Set<string>();
      for (const { source, showsHistory, showsLatency } of wanted) {
        if (source.type !== "check") continue;
        if (showsHistory) days.add(source.checkId);
        if (showsLatency) times.add(source.checkId);
      }
      for (const id of checks.keys()) if (!days.has(id)) checks.delete(id);
      for (const id of latencies.keys()) if (!times.has(id)) latencies.delete(id);
      for (const id of days) await readCheck(id, now);
      for (const id of times) {
        const span = { from: now - LATENCY_MS, to: now + 1, points: LATENCY_POINTS };
        latencies.set(id, await history.latency(id, span));
      }
      revision += 1;
    },
    /** Increases with each refresh: pages that show days are rendered again. */
    get revision(): number {
      return revision;
    },
    /** A component's days. */
    days: (component: Component, page: StatusPageRecord): ComponentDays => {
      const now = clock.now();
      const today = Math.floor(now / DAY_MS);
      const { source } = component;
      switch (source.type) {
        case "check":
          return toCheckDays(checks.get(source.checkId) ?? new Map(), {
            since: checkSince(source.checkId) ?? 0,
            now,
          });
        case "server":
          return toServerDays(
            serverDays(source.serverId, SHOWN_DAYS) ?? { days: [], knownMinutes: 0 },
            today,
          );
        case "manual":
          return toTalkedDays(component, { since: page.createdAt, now, posts: postsOf(page) });
      }
    },
    /** Response times of the last day of a component's check; none where it has no check. */
    latency: ({ source }: Component): readonly SeriesPoint[] =>
      source.type === "check" ? (latencies.get(source.checkId) ?? []) : [],
  };
}

export type UptimeDays = ReturnType<typeof createUptimeDays>;
