/**
 * One pass a second over what may have changed: servers that reported, checks with a result, breaches that must last
 * longer, and now and then what changes by the hour.
 */
import type { Clock } from "../../kit/time/clock.ts";
import type { CheckDirectory } from "../checks/standings.ts";
import type { Live } from "../fleet/live.ts";
import { step } from "./alert-machine.ts";
import type { Dependencies } from "./dependencies.ts";
import { createPartReader, readPart, readValue } from "./evaluate.ts";
import {
  type AlertFacts,
  type CheckView,
  type Details,
  type Finding,
  type ServerView,
  UNKNOWN,
} from "./kinds/kind.ts";
import { kindOf } from "./kinds/kinds.ts";
import type { Watched } from "./kinds/watched.ts";
import type { AlertRuleFields } from "./schema.ts";
import { type RuleState, type Watch, type WatchEntry, isSlow } from "./watch.ts";

/** Traffic and ends of paid time and certificates are evaluated this often. */
const SLOW_MS = 60_000;
/**
 * A process without a pass for this long was suspended, and reports that agents sent meanwhile may still be unread.
 */
const STALL_MS = 3_000;

/** A rule state that starts or stops firing, once that is stored. */
export interface AlertEvent {
  readonly ruleState: RuleState;
  readonly finding: Finding & Details;
}

export interface PassResult {
  readonly fires: readonly AlertEvent[];
  readonly resolves: readonly AlertEvent[];
}

export interface EvaluatorDeps {
  readonly watch: Watch;
  readonly live: Pick<Live, "get">;
  readonly checks?: Pick<CheckDirectory, "findStanding"> | undefined;
  readonly facts: AlertFacts;
  readonly dependencies: Pick<Dependencies, "holds">;
  readonly clock: Clock;
  /** Whether the known state of a server is current; without it, always. */
  readonly canJudge?: ((serverId: string) => boolean) | undefined;
  /** The same of checks, all together. */
  readonly canJudgeChecks?: (() => boolean) | undefined;
}

interface EvaluationPass {
  readonly fires: AlertEvent[];
  readonly resolves: AlertEvent[];
  /** Pending and firing rule states that this pass has evaluated. */
  readonly seen: Set<RuleState>;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Monotonic milliseconds. */
  readonly nowMs: number;
}

type View = ServerView | CheckView;

/** The finding of a rule; "unknown" without a view. */
function look(rule: AlertRuleFields, view: View | undefined): Finding {
  const kind = kindOf(rule);
  if (kind.watches === "server" && view?.type === "server") return kind.evaluate(rule, view);
  if (kind.watches === "check" && view?.type === "check") return kind.evaluate(rule, view);
  return UNKNOWN;
}

/** Details that are stored when it fires. */
function findDetails(rule: AlertRuleFields, view: View | undefined): Details {
  const kind = kindOf(rule);
  if (kind.watches === "server" && view?.type === "server") return kind.findDetails?.(rule, view) ?? {};
  if (kind.watches === "check" && view?.type === "check") return kind.findDetails?.(rule, view) ?? {};
  return {};
}

/** The finding of a rule; an occasion announced before is no breach. */
function judge(ruleState: RuleState, finding: Finding): Finding["breached"] {
  const { breached, occasion } = finding;
  if (breached !== true || occasion === undefined) return breached;
  // A new cycle or end of paid time: what fired for the last one is over.
  return ruleState.state.phase === "firing"
    ? ruleState.occasion === occasion
    : ruleState.lastOccasion !== occasion;
}

export class Evaluator {
  readonly #deps: EvaluatorDeps;
  readonly #stale = new Map<string, number>();
  readonly #touched = new Set<string>();
  /** Of these, what changes by the hour is evaluated too. */
  readonly #changed = new Set<string>();
  /** Servers and checks of unsettled passes, and of this one. */
  readonly #evaluated = new Set<string>();
  #slowMs = -Infinity;
  #ranMs = -Infinity;
  /** Since when this process has listened without a break, monotonic milliseconds. */
  #listeningMs = -Infinity;

  constructor(deps: EvaluatorDeps) {
    this.#deps = deps;
  }

  /** Runs one pass. What fires or resolves is found again by the next pass unless `settled` is called. */
  run(): PassResult {
    const { watch, clock } = this.#deps;
    const pass: EvaluationPass = {
      fires: [],
      resolves: [],
      seen: new Set(),
      now: clock.now(),
      nowMs: clock.monotonic(),
    };
    if (pass.nowMs - this.#ranMs >= STALL_MS) this.#listeningMs = pass.nowMs;
    this.#ranMs = pass.nowMs;
    for (const key of this.#touched) this.#evaluated.add(key);
    this.#touched.clear();
    for (const key of this.#evaluated) {
      const entry = watch.entries.get(key);
      if (entry !== undefined) this.#evaluateAll(entry, entry.ruleStates, pass);
    }
    const isSlowDue = pass.nowMs - this.#slowMs >= SLOW_MS;
    if (isSlowDue) this.#slowMs = pass.nowMs;
    for (const key of isSlowDue ? watch.entries.keys() : this.#changed) {
      const entry = watch.entries.get(key);
      if (entry !== undefined) this.#evaluateAll(entry, entry.slowRuleStates, pass);
    }
    // Time alone makes a breach, or its end, long enough. A copy, because those that clear leave the sets.
    for (const ruleState of [...watch.pending, ...watch.recovering])
      if (!pass.seen.has(ruleState))
        this.#evaluate(ruleState, this.#viewOf(ruleState.watched, pass.now), pass);
    return pass;
  }

  /** The results of the last pass are stored. */
  settled(): void {
    this.#evaluated.clear();
    this.#changed.clear();
  }

  /** Evaluates the server or check of this key in the next pass. */
  touch(key: string): void {
    this.#touched.add(key);
  }

  /** The same, including what changes by the hour: other rules watch it now. */
  touchAll(key: string): void {
    this.#touched.add(key);
    this.#changed.add(key);
  }

  /** Ignores the last heartbeat of a server: it is from before the start. */
  distrust(serverId: string): void {
    const { lastSeenAt } = this.#deps.live.get(serverId);
    if (lastSeenAt !== undefined) this.#stale.set(serverId, lastSeenAt);
  }

  #evaluateAll(entry: WatchEntry, ruleStates: readonly RuleState[], pass: EvaluationPass): void {
    if (ruleStates.length === 0) return;
    const view = this.#viewOf(entry.watched, pass.now);
    for (const ruleState of ruleStates) {
      this.#evaluate(ruleState, view, pass);
      if (ruleState.state.phase !== "ok") pass.seen.add(ruleState);
    }
  }

  #isHeld(ruleState: RuleState, { now, nowMs }: EvaluationPass): boolean {
    return this.#deps.dependencies.holds(ruleState, { now, nowMs, listeningMs: this.#listeningMs });
  }

  /** Undefined while what is known of a check is about another definition of it. */
  #viewOf({ type, record }: Watched, now: number): View | undefined {
    if (type === "check") {
      const standing = this.#deps.checks?.findStanding(record.id);
      return standing?.revision === record.revision ? { type, record, standing, now } : undefined;
    }
    const { live, facts } = this.#deps;
    const staleSeenAt = this.#stale.get(record.id);
    const read = { readMetric: readValue, readSubject: readPart, readParts: createPartReader() };
    return { type, record, live: live.get(record.id), facts, now, ...read, staleSeenAt };
  }

  /**
   * An agent's data is old while it talks to a node that cannot be heard; the records are not. Checks are old until
   * their new judge knows them.
   */
  #isSeen({ rule, watched }: RuleState): boolean {
    const { canJudge, canJudgeChecks } = this.#deps;
    if (watched.type === "check") return canJudgeChecks?.() ?? true;
    return isSlow(rule) || (canJudge?.(watched.record.id) ?? true);
  }

  #evaluate(ruleState: RuleState, view: View | undefined, pass: EvaluationPass): void {
    const { watch } = this.#deps;
    const { rule } = ruleState.rule;
    const isFiring = ruleState.state.phase === "firing";
    const seen = isFiring && view?.type === "server" ? { ...view, isFiring } : view;
    const finding = this.#isSeen(ruleState) ? look(rule, seen) : UNKNOWN;
    // By far the most common case: nothing was wrong, and nothing is.
    if (ruleState.state.phase === "ok" && finding.breached !== true) return;
    const { state, event } = step(
      ruleState.state,
      {
        breached: judge(ruleState, finding),
        nowMs: pass.nowMs,
        // Silence before this process listened is not known to be the server's.
        breachedMs: finding.sinceMs === undefined ? undefined : Math.max(finding.sinceMs, this.#listeningMs),
      },
      ruleState,
    );
    if (event === "resolve") pass.resolves.push({ ruleState, finding });
    if (ruleState.state.phase === "ok") ruleState.seenMs = pass.nowMs;
    const isHeld = (event === "fire" || state.phase === "pending") && this.#isHeld(ruleState, pass);
    if (event === "fire" && !isHeld)
      pass.fires.push({ ruleState, finding: { ...finding, ...findDetails(rule, view) } });
    if (ruleState.state.phase === "ok" && state.phase !== "ok") ruleState.since = pass.now;
    // A firing rule stays pending, and a resolving one firing, until that is stored.
    if (event === "fire" && ruleState.state.phase === "ok")
      watch.move(ruleState, { phase: "pending", sinceMs: pass.nowMs - ruleState.waitMs });
    if (event === undefined && state !== ruleState.state) watch.move(ruleState, state);
  }
}

/** Creates the evaluator of a watch. */
export function createEvaluator(deps: EvaluatorDeps): Evaluator {
  return new Evaluator(deps);
}
