/** Which rules watch which servers and checks, in memory, with the state of each pair. */
import { type AlertState, OK } from "./alert-machine.ts";
import type { AlertRuleRecord } from "./schema.ts";
import { isWatched } from "./evaluate.ts";
import { kindOf } from "./kinds/kinds.ts";
import { type Watched, toWatchedKey, toWatchedRef } from "./kinds/watched.ts";

/** The state of one rule for one server or check. */
export interface RuleState {
  rule: AlertRuleRecord;
  watched: Watched;
  /** How long a breach must last, milliseconds. */
  readonly waitMs: number;
  /** How long its end must last, milliseconds. */
  readonly recoverMs: number;
  state: AlertState;
  /** When the current breach was first seen, epoch milliseconds. */
  since: number;
  /** The same by the monotonic clock. */
  seenMs: number;
  /** When a parent that is down last kept it from firing, monotonic milliseconds. */
  heldMs: number | undefined;
  /** The occasion announced last, so that it is announced once. */
  lastOccasion: string | undefined;
  /** The occasion of the open incident, for what is announced once per occasion. */
  occasion: string | undefined;
}

/** A server or check, and the rules that watch it. */
export interface WatchEntry {
  readonly watched: Watched;
  /** Of rules about what is reported. */
  readonly ruleStates: readonly RuleState[];
  /** Of rules about what changes by the hour; see {@link isSlow}. */
  readonly slowRuleStates: readonly RuleState[];
}

/** Whether a rule is about what changes by the hour: ends of paid time and certificates, traffic. */
export function isSlow({ rule }: AlertRuleRecord): boolean {
  return kindOf(rule).cadence === "hour";
}

function listRuleStates(entry: WatchEntry | undefined): readonly RuleState[] {
  return entry === undefined ? [] : [...entry.ruleStates, ...entry.slowRuleStates];
}

/** The key of a server or check among both. */
export function keyOf(watched: Watched): string {
  return toWatchedKey(toWatchedRef(watched));
}

function createRuleState(rule: AlertRuleRecord, watched: Watched): RuleState {
  return {
    rule,
    watched,
    waitMs: kindOf(rule.rule).waitSeconds(rule.rule) * 1_000,
    recoverMs: (kindOf(rule.rule).recoverSeconds?.(rule.rule) ?? 0) * 1_000,
    state: OK,
    since: 0,
    seenMs: 0,
    heldMs: undefined,
    lastOccasion: undefined,
    occasion: undefined,
  };
}

export class Watch {
  /** By key; see {@link toWatchedKey}. */
  readonly entries = new Map<string, WatchEntry>();
  /** Rule states whose breach has not lasted long enough yet. */
  readonly pending = new Set<RuleState>();
  /** Rule states whose end has not lasted long enough yet. */
  readonly recovering = new Set<RuleState>();
  #rules: readonly AlertRuleRecord[] = [];

  /** Takes the current rules, servers and checks; returns the keys of what is watched differently now. */
  update(rules: readonly AlertRuleRecord[], present: Iterable<Watched>): readonly string[] {
    const changed: string[] = [];
    const isSameRules = rules === this.#rules;
    this.#rules = rules;
    const gone = new Set(this.entries.keys());
    for (const watched of present) {
      const key = keyOf(watched);
      gone.delete(key);
      const before = this.entries.get(key);
      if (isSameRules && before?.watched.record === watched.record) continue;
      this.#replace(watched, { key, before });
      changed.push(key);
    }
    for (const key of gone) {
      this.#forget(this.entries.get(key), new Set());
      this.entries.delete(key);
      changed.push(key);
    }
    return changed;
  }

  find(ruleId: string, key: string): RuleState | undefined {
    return listRuleStates(this.entries.get(key)).find(({ rule }) => rule.id === ruleId);
  }

  /** Rule states that fire. */
  firing(): readonly RuleState[] {
    return [...this.entries.values()].flatMap(listRuleStates).filter(({ state }) => state.phase === "firing");
  }

  /** Moves a rule state to another state. */
  move(ruleState: RuleState, state: AlertState): void {
    ruleState.state = state;
    if (state.phase === "pending") this.pending.add(ruleState);
    else this.pending.delete(ruleState);
    if (state.clearMs === undefined) this.recovering.delete(ruleState);
    else this.recovering.add(ruleState);
  }

  #replace(watched: Watched, { key, before }: { key: string; before: WatchEntry | undefined }): void {
    const isSame = before?.watched.record.createdAt === watched.record.createdAt;
    const known = isSame ? listRuleStates(before) : [];
    const ruleStates = this.#rules
      .filter(({ rule }) => isWatched(rule, watched))
      .map((rule) => {
        const kept = known.find(
          (ruleState) => ruleState.rule.id === rule.id && ruleState.rule.revision === rule.revision,
        );
        if (kept === undefined) return createRuleState(rule, watched);
        kept.rule = rule;
        kept.watched = watched;
        return kept;
      });
    this.#forget(before, new Set(ruleStates));
    this.entries.set(key, {
      watched,
      ruleStates: ruleStates.filter(({ rule }) => !isSlow(rule)),
      slowRuleStates: ruleStates.filter(({ rule }) => isSlow(rule)),
    });
  }

  #forget(entry: WatchEntry | undefined, kept: ReadonlySet<RuleState>): void {
    for (const ruleState of listRuleStates(entry)) {
      if (kept.has(ruleState)) continue;
      this.pending.delete(ruleState);
      this.recovering.delete(ruleState);
    }
  }
}

export function createWatch(): Watch {
  return new Watch();
}
