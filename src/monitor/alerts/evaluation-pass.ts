/**
 * One look each second at what may have changed: servers that sent something, breaches that wait to be long enough,
 * and now and then what changes by the hour.
 */
import type { Clock } from "../../kit/time/clock.ts";
import type { Live } from "../fleet/live.ts";
import { step } from "./alert-machine.ts";
import { type AlertFacts, type Finding, type Sight, look, UNKNOWN } from "./evaluate.ts";
import { type Check, type Watch, type WatchedServer, isSlow } from "./watch.ts";

/** Traffic and ends of paid time are looked at this often. */
const SLOW_MS = 60_000;

/** A check that begins or ceases to fire, once that is written down. */
export interface AlertEvent {
  readonly check: Check;
  readonly finding: Finding;
}

export interface Round {
  readonly fires: readonly AlertEvent[];
  readonly resolves: readonly AlertEvent[];
}

export interface Rounds {
  /** Looks. What fires or resolves is found again by the next round unless `settled` is called. */
  run(): Round;
  /** What the last round found is written down. */
  settled(): void;
  /** Looks at this server in the next round. */
  touch(serverId: string): void;
  /** Looks in the next round also at what changes by the hour: the server is watched in another way. */
  touchAll(serverId: string): void;
  /** From now on this sign of life says nothing: it is from before the start. */
  distrust(serverId: string): void;
}

export interface RoundsDeps {
  readonly watch: Watch;
  readonly live: Pick<Live, "get">;
  readonly facts: AlertFacts;
  readonly clock: Clock;
  /** Whether what is known of the server is the present; without it, always. */
  readonly canJudge?: ((serverId: string) => boolean) | undefined;
}

/** A round while it goes on. */
interface LookRound {
  readonly fires: AlertEvent[];
  readonly resolves: AlertEvent[];
  /** Pending checks that were looked at in this round. */
  readonly seen: Set<Check>;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Monotonic milliseconds. */
  readonly nowMs: number;
}

/** What a rule found, with what was told before taken for nothing new. */
function judge(check: Check, finding: Finding): Finding["breached"] {
  const { breached, occasion } = finding;
  if (breached !== true || occasion === undefined) return breached;
  // Another cycle, another end: what fired for the one before is over.
  return check.state.phase === "firing" ? check.occasion === occasion : check.toldOf !== occasion;
}

class Looks implements Rounds {
  readonly #deps: RoundsDeps;
  readonly #stale = new Map<string, number>();
  readonly #touched = new Set<string>();
  /** Of these, what changes by the hour is looked at too. */
  readonly #changed = new Set<string>();
  /** Servers of rounds that were not settled, and of this one. */
  readonly #looked = new Set<string>();
  #slowMs = -Infinity;

  constructor(deps: RoundsDeps) {
    this.#deps = deps;
  }

  run(): Round {
    const { watch, clock } = this.#deps;
    const round: LookRound = {
      fires: [],
      resolves: [],
      seen: new Set(),
      now: clock.now(),
      nowMs: clock.monotonic(),
    };
    for (const id of this.#touched) this.#looked.add(id);
    this.#touched.clear();
    for (const id of this.#looked) {
      const server = watch.servers.get(id);
      if (server !== undefined) this.#lookAll(server, server.checks, round);
    }
    const isSlowDue = round.nowMs - this.#slowMs >= SLOW_MS;
    if (isSlowDue) this.#slowMs = round.nowMs;
    for (const id of isSlowDue ? watch.servers.keys() : this.#changed) {
      const server = watch.servers.get(id);
      if (server !== undefined) this.#lookAll(server, server.slowChecks, round);
    }
    // Time alone makes a breach long enough. A copy: those that clear leave the set.
    for (const check of [...watch.pending])
      if (!round.seen.has(check)) this.#look(check, this.#sightOf(check.record, round.now), round);
    return round;
  }

  settled(): void {
    this.#looked.clear();
    this.#changed.clear();
  }

  touch(serverId: string): void {
    this.#touched.add(serverId);
  }

  touchAll(serverId: string): void {
    this.#touched.add(serverId);
    this.#changed.add(serverId);
  }

  distrust(serverId: string): void {
    const { lastSeenAt } = this.#deps.live.get(serverId);
    if (lastSeenAt !== undefined) this.#stale.set(serverId, lastSeenAt);
  }

  #lookAll(server: WatchedServer, checks: readonly Check[], round: LookRound): void {
    if (checks.length === 0) return;
    const sight = this.#sightOf(server.record, round.now);
    for (const check of checks) {
      this.#look(check, sight, round);
      if (check.state.phase === "pending") round.seen.add(check);
    }
  }

  #sightOf(record: Check["record"], now: number): Sight {
    const { live, facts } = this.#deps;
    return { record, live: live.get(record.id), facts, now, staleSeenAt: this.#stale.get(record.id) };
  }

  /** What the agent tells is old while it talks to a node that cannot be heard; what the records say is not. */
  #isSeen({ rule, record }: Check): boolean {
    return isSlow(rule) || (this.#deps.canJudge?.(record.id) ?? true);
  }

  #look(check: Check, sight: Sight, round: LookRound): void {
    const { watch } = this.#deps;
    const finding = this.#isSeen(check) ? look(check.rule.rule, sight) : UNKNOWN;
    // By far the most common: nothing was wrong, and nothing is.
    if (check.state.phase === "ok" && finding.breached !== true) return;
    const { state, event } = step(
      check.state,
      { breached: judge(check, finding), nowMs: round.nowMs },
      check.waitMs,
    );
    if (event === "resolve") round.resolves.push({ check, finding });
    if (event === "fire") round.fires.push({ check, finding });
    if (check.state.phase === "ok" && state.phase !== "ok") check.since = round.now;
    // What fires stays pending and what resolves stays firing until it is written down.
    if (event === "fire" && check.state.phase === "ok")
      watch.move(check, { phase: "pending", sinceMs: round.nowMs });
    if (event === undefined && state !== check.state) watch.move(check, state);
  }
}

/** Makes the rounds over a watch. */
export function createRounds(deps: RoundsDeps): Rounds {
  return new Looks(deps);
}
