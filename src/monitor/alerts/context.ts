/** What decides when something is told, as it is at this moment. */
import type { ServerRecord } from "../schema.ts";
import type { IncidentRecord } from "./schema.ts";
import { toOpenKey } from "./incident-log.ts";
import { type QuietHours, findQuietEnd } from "./quiet-hours.ts";
import { type Surroundings, type Tellable, WINDOW_MS } from "./notification-policy.ts";
import type { Check } from "./watch.ts";

export interface SurroundingsDeps {
  readonly quietHours: QuietHours;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Monotonic milliseconds. */
  readonly nowMs: number;
  readonly findRecord: (serverId: string) => ServerRecord | undefined;
  readonly pending: Iterable<Check>;
  readonly open: Iterable<IncidentRecord>;
  /** Incidents of which something is to be told, by id; followed as they change. */
  readonly owed: ReadonlyMap<string, IncidentRecord>;
}

function isMuted(record: ServerRecord | undefined, now: number): boolean {
  if (record?.mute === undefined) return false;
  const { until } = record.mute;
  return until === undefined || Date.parse(until) > now;
}

function addTo(counts: Map<string, number>, keys: readonly string[]): void {
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Counts once, when asked first. */
function createCount<T>(items: Iterable<T>, keysOf: (item: T) => readonly string[]): (key: string) => number {
  let counts: Map<string, number> | undefined;
  return (key) => {
    if (counts === undefined) {
      counts = new Map();
      for (const item of items) addTo(counts, keysOf(item));
    }
    return counts.get(key) ?? 0;
  };
}

/** Finds the last untold incident before another; who is owed something is sorted once, when somebody asks first. */
function createFindUntold(owed: ReadonlyMap<string, IncidentRecord>): Surroundings["findUntold"] {
  let idsByKey: Map<string, string[]> | undefined;
  return (item: Tellable) => {
    if (idsByKey === undefined) {
      idsByKey = new Map();
      for (const incident of owed.values()) {
        const key = toOpenKey(incident);
        idsByKey.set(key, [...(idsByKey.get(key) ?? []), incident.id]);
      }
    }
    return (idsByKey.get(toOpenKey(item)) ?? [])
      .flatMap((id) => owed.get(id) ?? [])
      .filter(({ id, openedAt }) => id !== item.id && openedAt <= item.openedAt)
      .toSorted((a, b) => a.openedAt - b.openedAt)
      .at(-1);
  };
}

/** The surroundings of this moment; `beginning` and `ending` are what is being decided, which must not count twice. */
export function createSurroundings(
  deps: SurroundingsDeps,
  deciding: { readonly beginning?: ReadonlySet<Check>; readonly ending?: ReadonlySet<string> } = {},
): Surroundings {
  const { quietHours, now, nowMs, findRecord, pending, open, owed } = deps;
  const countDue = createCount(pending, (check) => {
    const { state, waitMs, rule, record } = check;
    const isDue = waitMs - (nowMs - state.sinceMs) <= WINDOW_MS;
    const isCounted = isDue && deciding.beginning?.has(check) !== true && !isMuted(record, now);
    return isCounted ? rule.rule.channelIds : [];
  });
  const countOpen = createCount(open, ({ id, group, told, channelIds }) => {
    if (group === undefined || !told.down || deciding.ending?.has(id) === true) return [];
    return channelIds.map((channelId) => `${group}:${channelId}`);
  });
  return {
    quietEnd: findQuietEnd(quietHours, now),
    exceptCritical: quietHours.exceptCritical,
    isMuted: (serverId) => isMuted(findRecord(serverId), now),
    countDue,
    countOpen: (group, channelId) => countOpen(`${group}:${channelId}`),
    findUntold: createFindUntold(owed),
  };
}
