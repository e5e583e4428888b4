/**
 * What depends on what, and what follows for alerts. While a direct parent is down, an outage of its child opens no
 * incident; measuring and closing never depend on parents. Each child follows its own parents alone, one hop.
 */
import type { CheckRecord, CheckStanding } from "../checks/schema.ts";
import type { Live, LiveServer } from "../fleet/live.ts";
import { isGroupCheck } from "./group-check.ts";
import { kindOf } from "./kinds/kinds.ts";
import { type Watched, type WatchedRef, isPaused, toWatchedKey, toWatchedRef } from "./kinds/watched.ts";
import type { RuleState, WatchEntry } from "./watch.ts";
import type { WatchedDirectory } from "./watched-directory.ts";

/** A child never waits longer than this for what its parents and itself are found to be. */
const MAX_SETTLE_MS = 600_000;
const MAX_INTERVAL_SECONDS = 300;
/** The silence after which a server is offline, and the time its agent needs to connect again. */
const SERVER_SETTLE_MS = 60_000;
const SILENT_INTERVALS = 4;

/** Times of one pass: epoch and monotonic milliseconds, and since when the process has listened without a break. */
export interface PassTimes {
  readonly now: number;
  readonly nowMs: number;
  readonly listeningMs: number;
}

export interface DependencyDeps {
  readonly watched: WatchedDirectory;
  readonly live: Pick<Live, "get">;
  /** The rules that watch a server or check, by its key. */
  readonly findEntry: (key: string) => WatchEntry | undefined;
}

/** How many checks and servers are behind something. */
export interface Behind {
  readonly checks: number;
  readonly servers: number;
}

export const dependencyStates = ["up", "down", "unknown", "paused"] as const;
export type DependencyState = (typeof dependencyStates)[number];

/** When a place that counts reported last, epoch milliseconds. */
function findLatest({ places }: CheckStanding): number {
  return Math.max(-Infinity, ...places.filter(({ counts }) => counts).map(({ at }) => at));
}

function isFailing({ state, places }: CheckStanding): boolean {
  return state !== "up" || places.some(({ counts, isDown, failures }) => counts && (isDown || failures > 0));
}

function toCheckSettleMs({ intervalSeconds, failures, retrySeconds, timeoutSeconds }: CheckRecord): number {
  const interval = Math.min(intervalSeconds, MAX_INTERVAL_SECONDS);
  const retries = (failures - 1) * Math.min(retrySeconds, interval);
  return Math.min((interval + retries + timeoutSeconds) * 1_000, MAX_SETTLE_MS);
}

function toServerSettleMs({ latest }: LiveServer): number {
  const intervalMs = latest?.intervalMs ?? 0;
  return Math.min(Math.max(SERVER_SETTLE_MS, SILENT_INTERVALS * intervalMs), MAX_SETTLE_MS);
}

export class Dependencies {
  readonly #deps: DependencyDeps;
  /** Children by the key of their parent, as of a revision of the records. */
  #children:
    | { readonly revision: string; readonly byKey: ReadonlyMap<string, readonly Watched[]> }
    | undefined;

  #groupChecks:
    | { readonly revision: string; readonly byName: ReadonlyMap<string, readonly Watched[]> }
    | undefined;

  constructor(deps: DependencyDeps) {
    this.#deps = deps;
  }

  /** The direct parents that exist. */
  parentsOf({ record }: Watched): readonly Watched[] {
    return (record.dependsOn ?? []).flatMap((id) => this.find(id) ?? []);
  }

  /** A check or server. */
  find(id: string): Watched | undefined {
    const { findWatched } = this.#deps.watched;
    return findWatched({ checkId: id }) ?? findWatched({ serverId: id });
  }

  /** The direct children. */
  childrenOf(watched: Watched): readonly Watched[] {
    return this.#listChildren().get(toWatchedKey(toWatchedRef(watched))) ?? [];
  }

  /** All that depends on it, over any number of hops. */
  countBehind(watched: Watched): Behind {
    const seen = new Set<string>();
    const counts = { checks: 0, servers: 0 };
    const open = [watched];
    for (let next = open.pop(); next !== undefined; next = open.pop())
      for (const child of this.childrenOf(next)) {
        const key = toWatchedKey(toWatchedRef(child));
        if (seen.has(key)) continue;
        seen.add(key);
        if (!isPaused(child)) counts[child.type === "check" ? "checks" : "servers"] += 1;
        open.push(child);
      }
    return counts;
  }

  /** The direct parents that are down, of whose outage a rule notifies: without one, the outage would go unnoticed. */
  findCauses(watched: Watched): readonly Watched[] {
    return this.parentsOf(watched).filter(
      (parent) => this.stateOf(parent) === "down" && this.#isWatched(parent),
    );
  }

  /** The same of what an incident is about. */
  findCausesOf(ref: WatchedRef): readonly Watched[] {
    const watched = this.#deps.watched.findWatched(ref);
    return watched === undefined ? [] : this.findCauses(watched);
  }

  /** Whether what it depends on, or its group, may keep this rule from firing. */
  mayHold({ rule, watched }: RuleState): boolean {
    if (kindOf(rule.rule).isOutage !== true) return false;
    return this.parentsOf(watched).length > 0 || this.#isGrouped(watched);
  }

  /**
   * Whether a breach must not open an incident yet: a parent is down, was down a moment ago, or may be found down soon.
   * Asked at each evaluation of a breach, also before it has lasted long enough.
   */
  holds(ruleState: RuleState, { now, nowMs, listeningMs }: PassTimes): boolean {
    if (!this.mayHold(ruleState)) return false;
    const { watched, seenMs } = ruleState;
    if (this.#isGrouped(watched)) return true;
    const parents = this.parentsOf(watched);
    if (this.findCauses(watched).length > 0) {
      ruleState.heldMs = nowMs;
      return true;
    }
    const settleMs = Math.max(...[watched, ...parents].map((one) => this.#settleMsOf(one)));
    // Findings from before a start, and those that a parent caused, need a new check run.
    if (nowMs - Math.max(ruleState.heldMs ?? -Infinity, listeningMs) < settleMs) return true;
    if (nowMs - seenMs >= settleMs) return false;
    const since = now - (nowMs - seenMs);
    const clears = parents.map((parent) => this.#findClear(parent, { since, sinceMs: seenMs }));
    // Failing after the parent was found up, not because of what the parent went through before.
    return !clears.every((at) => at !== undefined && this.#hasFailedAfter(watched, at));
  }

  /** As it was measured, whether or not anyone is notified. Down from some locations only is up. */
  stateOf(watched: Watched): DependencyState {
    if (isPaused(watched)) return "paused";
    if (watched.type === "check") {
      const { state = "unknown" } = this.#deps.watched.findStanding(watched.record.id) ?? {};
      return state === "partial" ? "up" : state;
    }
    const { state } = this.#deps.live.get(watched.record.id);
    return state === "offline" ? "down" : state === "online" ? "up" : "unknown";
  }

  /** Whether a check of its group alerts in its place, and a rule for outages watches that check. */
  #isGrouped({ type, record }: Watched): boolean {
    if (record.group === "" || (type === "check" && isGroupCheck(record))) return false;
    const checks = this.#listGroupChecks().get(record.group) ?? [];
    return checks.some((check) => !isPaused(check) && this.#isWatched(check));
  }

  #isWatched(watched: Watched): boolean {
    const entry = this.#deps.findEntry(toWatchedKey(toWatchedRef(watched)));
    return entry?.ruleStates.some(({ rule }) => kindOf(rule.rule).isOutage === true) ?? false;
  }

  /** When a parent was found up after a moment, epoch milliseconds; -Infinity when it says nothing at all. */
  #findClear(parent: Watched, { since, sinceMs }: { since: number; sinceMs: number }): number | undefined {
    if (isPaused(parent)) return -Infinity;
    if (parent.type === "check") {
      const standing = this.#deps.watched.findStanding(parent.record.id);
      if (standing === undefined) return -Infinity;
      const at = findLatest(standing);
      return at > since && !isFailing(standing) ? at : undefined;
    }
    const { state, heardMs } = this.#deps.live.get(parent.record.id);
    if (state === "never") return -Infinity;
    return state === "online" && heardMs > sinceMs ? since : undefined;
  }

  /** Of a server the silence goes on; a check must have run again. */
  #hasFailedAfter({ type, record }: Watched, at: number): boolean {
    if (type === "server") return true;
    const standing = this.#deps.watched.findStanding(record.id);
    return standing !== undefined && findLatest(standing) > at;
  }

  #settleMsOf(watched: Watched): number {
    return watched.type === "check"
      ? toCheckSettleMs(watched.record)
      : toServerSettleMs(this.#deps.live.get(watched.record.id));
  }

  /** Checks that alert for the members of their group, by its name. */
  #listGroupChecks(): ReadonlyMap<string, readonly Watched[]> {
    const { watched } = this.#deps;
    const revision = watched.revision();
    if (this.#groupChecks?.revision === revision) return this.#groupChecks.byName;
    const byName = new Map<string, Watched[]>();
    for (const one of watched.all()) {
      if (one.type !== "check" || !isGroupCheck(one.record) || !one.record.target.alertsForMembers) continue;
      const { group } = one.record.target;
      byName.set(group, [...(byName.get(group) ?? []), one]);
    }
    this.#groupChecks = { revision, byName };
    return byName;
  }

  #listChildren(): ReadonlyMap<string, readonly Watched[]> {
    const { watched } = this.#deps;
    const revision = watched.revision();
    if (this.#children?.revision === revision) return this.#children.byKey;
    const byKey = new Map<string, Watched[]>();
    for (const child of watched.all())
      for (const parent of this.parentsOf(child)) {
        const key = toWatchedKey(toWatchedRef(parent));
        const known = byKey.get(key);
        if (known === undefined) byKey.set(key, [child]);
        else known.push(child);
      }
    this.#children = { revision, byKey };
    return byKey;
  }
}
