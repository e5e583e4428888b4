/** The facts that notification decisions depend on, as of one moment. */
import { findSpanEnd } from "../../kit/time/daily-span.ts";
import type { ServerRecord, SettingsFields } from "../base/schema.ts";
import type { Scoped } from "./evaluate.ts";
import type { Watched, WatchedRef } from "./kinds/watched.ts";
import type { IncidentRecord } from "./schema.ts";
import { toOpenKey } from "./incident-log.ts";
import { type PolicyContext, type Notifiable, WINDOW_MS } from "./notification-policy.ts";
import type { RuleState } from "./watch.ts";

export interface PolicyContextDeps {
  readonly quietHours: SettingsFields["quietHours"];
  /** Epoch milliseconds. */
  readonly now: number;
  /** Monotonic milliseconds. */
  readonly nowMs: number;
  readonly findWatched: (ref: WatchedRef) => Watched | undefined;
  /** Whether planned maintenance of a server or check goes on. */
  readonly isInMaintenance: (record: Scoped) => boolean;
  readonly pendingStates: Iterable<RuleState>;
  /** Whether what it depends on may keep a pending one from firing. */
  readonly isHeld: (ruleState: RuleState) => boolean;
  readonly open: Iterable<IncidentRecord>;
  /** Incidents with a pending notification, by id; a live view. */
  readonly pendingIncidents: ReadonlyMap<string, IncidentRecord>;
}

/** The mute of a server or check, while it lasts. */
export function findOwnMute(
  { mute }: Pick<ServerRecord, "mute"> = {},
  now: number,
): ServerRecord["mute"] | undefined {
  return mute?.until === undefined || Date.parse(mute.until) > now ? mute : undefined;
}

function addTo(counts: Map<string, number>, keys: readonly string[]): void {
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Counts once, on first use. */
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

/** Finds the last earlier incident with a pending notification; sorted on first use. */
function createFindPending(
  pendingIncidents: ReadonlyMap<string, IncidentRecord>,
): PolicyContext["findPending"] {
  let idsByKey: Map<string, string[]> | undefined;
  return (item: Notifiable) => {
    if (idsByKey === undefined) {
      idsByKey = new Map();
      for (const incident of pendingIncidents.values()) {
        const key = toOpenKey(incident);
        idsByKey.set(key, [...(idsByKey.get(key) ?? []), incident.id]);
      }
    }
    return (idsByKey.get(toOpenKey(item)) ?? [])
      .flatMap((id) => pendingIncidents.get(id) ?? [])
      .filter(({ id, openedAt }) => id !== item.id && openedAt <= item.openedAt)
      .toSorted((a, b) => a.openedAt - b.openedAt)
      .at(-1);
  };
}

/** Creates the context of this moment. `beginning` and `ending` are being decided now and must not count twice. */
export function createPolicyContext(
  deps: PolicyContextDeps,
  deciding: { readonly beginning?: ReadonlySet<RuleState>; readonly ending?: ReadonlySet<string> } = {},
): PolicyContext {
  const { quietHours, now, nowMs, findWatched, pendingStates, open, pendingIncidents } = deps;
  const isMuted = (watched: Watched | undefined): boolean =>
    watched !== undefined &&
    (findOwnMute(watched.record, now) !== undefined || deps.isInMaintenance(watched.record));
  const countDue = createCount(pendingStates, (ruleState) => {
    const { state, waitMs, rule, watched } = ruleState;
    const isDue = waitMs - (nowMs - state.sinceMs) <= WINDOW_MS;
    const isCounted =
      isDue && deciding.beginning?.has(ruleState) !== true && !isMuted(watched) && !deps.isHeld(ruleState);
    return isCounted ? rule.rule.channelIds : [];
  });
  const countOpen = createCount(open, ({ id, group, told, channelIds }) => {
    if (group === undefined || !told.down || deciding.ending?.has(id) === true) return [];
    return channelIds.map((channelId) => `${group}:${channelId}`);
  });
  return {
    quietEnd: quietHours.enabled ? findSpanEnd(quietHours, now) : undefined,
    exceptCritical: quietHours.exceptCritical,
    isMuted: (ref) => isMuted(findWatched(ref)),
    countDue,
    countOpen: (group, channelId) => countOpen(`${group}:${channelId}`),
    findPending: createFindPending(pendingIncidents),
  };
}
