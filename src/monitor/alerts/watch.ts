/** Which rule watches which server, in memory, with the state of each. */
import type { ServerRecord } from "../schema.ts";
import { type AlertState, OK } from "./alert-machine.ts";
import type { AlertRuleRecord } from "./schema.ts";
import { isWatched, waitMsOf } from "./evaluate.ts";

/** A rule and a server that it watches. */
export interface Check {
  rule: AlertRuleRecord;
  record: ServerRecord;
  /** How long a breach must last, milliseconds. */
  readonly waitMs: number;
  state: AlertState;
  /** When the present breach was seen first, epoch milliseconds. */
  since: number;
  /** The occasion that was told before, so that it is told once. */
  toldOf: string | undefined;
  /** What the open incident is about, of what is told once per occasion. */
  occasion: string | undefined;
}

/** A server and the rules that watch it. */
export interface WatchedServer {
  readonly record: ServerRecord;
  /** Of kinds that change with what the agent sends. */
  readonly checks: readonly Check[];
  /** Of kinds that change by the hour; see {@link isSlow}. */
  readonly slowChecks: readonly Check[];
}

export interface Watch {
  readonly servers: ReadonlyMap<string, WatchedServer>;
  /** Checks whose breach does not last long enough yet. */
  readonly pending: ReadonlySet<Check>;
  /** Takes rules and records as they are now; returns the ids of servers that are watched in another way. */
  update(rules: readonly AlertRuleRecord[], records: readonly ServerRecord[]): readonly string[];
  find(ruleId: string, serverId: string): Check | undefined;
  /** Checks that fire. */
  firing(): readonly Check[];
  /** Puts a check into a state. */
  move(check: Check, state: AlertState): void;
}

/** Whether a rule looks at what changes by the hour: ends of paid time, traffic. */
export function isSlow({ rule }: AlertRuleRecord): boolean {
  return rule.kind === "expiry" || rule.kind === "traffic";
}

function listChecks(server: WatchedServer | undefined): readonly Check[] {
  return server === undefined ? [] : [...server.checks, ...server.slowChecks];
}

function createCheck(rule: AlertRuleRecord, record: ServerRecord): Check {
  return {
    rule,
    record,
    waitMs: waitMsOf(rule.rule),
    state: OK,
    since: 0,
    toldOf: undefined,
    occasion: undefined,
  };
}

class Checks implements Watch {
  readonly servers = new Map<string, WatchedServer>();
  readonly pending = new Set<Check>();
  #rules: readonly AlertRuleRecord[] = [];

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

  find(ruleId: string, serverId: string): Check | undefined {
    return listChecks(this.servers.get(serverId)).find(({ rule }) => rule.id === ruleId);
  }

  firing(): readonly Check[] {
    return [...this.servers.values()].flatMap(listChecks).filter(({ state }) => state.phase === "firing");
  }

  move(check: Check, state: AlertState): void {
    check.state = state;
    if (state.phase === "pending") this.pending.add(check);
    else this.pending.delete(check);
  }

  #replace(record: ServerRecord, before: WatchedServer | undefined): void {
    const known = before?.record.createdAt === record.createdAt ? listChecks(before) : [];
    const checks = this.#rules
      .filter(({ rule }) => isWatched(rule, record))
      .map((rule) => {
        const kept = known.find(
          (check) => check.rule.id === rule.id && check.rule.revision === rule.revision,
        );
        if (kept === undefined) return createCheck(rule, record);
        kept.rule = rule;
        kept.record = record;
        return kept;
      });
    this.#forget(before, new Set(checks));
    this.servers.set(record.id, {
      record,
      checks: checks.filter(({ rule }) => !isSlow(rule)),
      slowChecks: checks.filter(({ rule }) => isSlow(rule)),
    });
  }

  #forget(server: WatchedServer | undefined, kept: ReadonlySet<Check>): void {
    for (const check of listChecks(server)) if (!kept.has(check)) this.pending.delete(check);
  }
}

/** Makes a watch over nothing. */
export function createWatch(): Watch {
  return new Checks();
}
