/** Which rules watch which servers, in memory, with the state of each pair. */
import type { ServerRecord } from "../schema.ts";
import { type AlertState, OK } from "./alert-machine.ts";
import type { AlertRuleRecord } from "./schema.ts";
import { isWatched } from "./evaluate.ts";
import { kindOf } from "./kinds/kinds.ts";

/** The state of one rule for one server. */
export interface RuleState {
  rule: AlertRuleRecord;
  record: ServerRecord;
  /** How long a breach must last, milliseconds. */
  readonly waitMs: number;
  /** How long its end must last, milliseconds. */
  readonly recoverMs: number;
  state: AlertState;
  /** When the present breach was first seen, epoch milliseconds. */
  since: number;
  /** The occasion announced last, so that it is announced once. */
  lastOccasion: string | undefined;
  /** The occasion of the open incident, for what is announced once per occasion. */
  occasion: string | undefined;
}

/** A server and the rules that watch it. */
export interface WatchedServer {
  readonly record: ServerRecord;
  /** Of rules about what the agent reports. */
  readonly ruleStates: readonly RuleState[];
  /** Of rules about what changes by the hour; see {@link isSlow}. */
  readonly slowRuleStates: readonly RuleState[];
}

/** Whether a rule is about what changes by the hour: ends of paid time, traffic. */
export function isSlow({ rule }: AlertRuleRecord): boolean {
  return kindOf(rule).cadence === "hour";
}

function listRuleStates(server: WatchedServer | undefined): readonly RuleState[] {
  return server === undefined ? [] : [...server.ruleStates, ...server.slowRuleStates];
}

function createRuleState(rule: AlertRuleRecord, record: ServerRecord): RuleState {
  return {
    rule,
    record,
    waitMs: kindOf(rule.rule).waitSeconds(rule.rule) * 1_000,
    recoverMs: (kindOf(rule.rule).recoverSeconds?.(rule.rule) ?? 0) * 1_000,
    state: OK,
    since: 0,
    lastOccasion: undefined,
    occasion: undefined,
  };
}

export class Watch {
  readonly servers = new Map<string, WatchedServer>();
  /** Rule states whose breach has not lasted long enough yet. */
  readonly pending = new Set<RuleState>();
  /** Rule states whose end has not lasted long enough yet. */
  readonly recovering = new Set<RuleState>();
  #rules: readonly AlertRuleRecord[] = [];

  /** Takes the present rules and records; returns the ids of servers that are watched differently now. */
  update(rules: readonly AlertRuleRecord[], records: readonly ServerRecord[]): readonly string[] {
    const changed: string[] = [];
    const isSameRules = rules === this.#rules;
    this.#rules = rules;
    const gone = new Set(this.servers.keys());
    for (const record of records) {
      gone.delete(record.id);
      const before = this.servers.get(record.id);
      if (isSameRules && before?.record === record) continue;
      this.#replace(record, before);
      changed.push(record.id);
    }
    for (const id of gone) {
      this.#forget(this.servers.get(id), new Set());
      this.servers.delete(id);
      changed.push(id);
    }
    return changed;
  }

  find(ruleId: string, serverId: string): RuleState | undefined {
    return listRuleStates(this.servers.get(serverId)).find(({ rule }) => rule.id === ruleId);
  }

  /** Rule states that fire. */
  firing(): readonly RuleState[] {
    return [...this.servers.values()].flatMap(listRuleStates).filter(({ state }) => state.phase === "firing");
  }

  /** Moves a rule state to another state. */
  move(ruleState: RuleState, state: AlertState): void {
    ruleState.state = state;
    if (state.phase === "pending") this.pending.add(ruleState);
    else this.pending.delete(ruleState);
    if (state.clearMs === undefined) this.recovering.delete(ruleState);
    else this.recovering.add(ruleState);
  }

  #replace(record: ServerRecord, before: WatchedServer | undefined): void {
    const known = before?.record.createdAt === record.createdAt ? listRuleStates(before) : [];
    const ruleStates = this.#rules
      .filter(({ rule }) => isWatched(rule, record))
      .map((rule) => {
        const kept = known.find(
          (ruleState) => ruleState.rule.id === rule.id && ruleState.rule.revision === rule.revision,
        );
        if (kept === undefined) return createRuleState(rule, record);
        kept.rule = rule;
        kept.record = record;
        return kept;
      });
    this.#forget(before, new Set(ruleStates));
    this.servers.set(record.id, {
      record,
      ruleStates: ruleStates.filter(({ rule }) => !isSlow(rule)),
      slowRuleStates: ruleStates.filter(({ rule }) => isSlow(rule)),
    });
  }

  #forget(server: WatchedServer | undefined, kept: ReadonlySet<RuleState>): void {
    for (const ruleState of listRuleStates(server)) {
      if (kept.has(ruleState)) continue;
      this.pending.delete(ruleState);
      this.recovering.delete(ruleState);
    }
  }
}

/** Creates a watch without rules and servers. */
export function createWatch(): Watch {
  return new Watch();
}
