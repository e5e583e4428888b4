/**
 * Watches over all heartbeats. Every node keeps their states in memory; the leader judges what stays away, in
 * transactions that see the newest ping, whichever node took it.
 */
import type { Bus } from "../../bus/bus.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Store, Tx } from "../../store/store.ts";
import { checks } from "../checks/records.ts";
import type { HeartbeatTarget } from "../checks/schema.ts";
import type { CheckDirectory, CheckIntake, HeartbeatFacts } from "../checks/standings.ts";
import { type Absence, AbsenceFinder, LEAST_ABSENCE_MS } from "./absence.ts";
import { excuse, findExpectation, findMissed, toHealth } from "./judge.ts";
import { isHeartbeat } from "./pings.ts";
import { heartbeatPings, heartbeatStates } from "./records.ts";
import { type HeartbeatState, heartbeatStateSchema } from "./schema.ts";
import { toFacts, toJudgement } from "./verdicts.ts";

/**
 * Every node that stores a ping publishes it on this topic; the leader finds lost messages in the store, which it
 * polls.
 */
const TOPIC = "heartbeats";
/** States that are judged in one transaction, and of a message, some 3 kB each at most. */
const BATCH = 100;
const PAGE = 1_000;
/** Lost messages of other nodes are read from the store this often. */
const REREAD_MS = 60_000;
/** Within so many calls each state is compared with the check's standing: a word may have been lost. */
const CYCLE_TICKS = 10;
/** Heartbeats of deleted checks that are cleared away in one call. */
const SWEPT = 20;

export interface WatchDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly checkDirectory: Pick<
    CheckDirectory,
    "records" | "findRecord" | "recordsRevision" | "findStanding"
  >;
  /** Whether this node is the leader. */
  readonly nodes: { readonly isLeader: boolean };
  /** Called only by the leader: at each end of a run, and when the state of a heartbeat changes. */
  readonly checkIntake: Pick<CheckIntake, "judge">;
}

type Definition = { readonly target: HeartbeatTarget; readonly paused: boolean };

/** If the schedule changed since the last verdict, starts over. */
function adopt(state: HeartbeatState, { target, paused }: Definition, now: number): HeartbeatState {
  const definition = JSON.stringify(target);
  if (state.isPaused === paused && state.definition === definition) return state;
  const adopted = { ...state, isPaused: paused, definition };
  if (paused) return adopted;
  const { fault, ...rest } = adopted;
  // A failure counts under any schedule.
  return excuse(target, fault?.name === "failed" && !state.isPaused ? adopted : rest, { from: 0, to: now });
}

export class HeartbeatWatch {
  readonly #deps: WatchDeps;
  readonly #absence: AbsenceFinder;
  readonly #unsubscribe: () => void;
  readonly #states = new Map<string, HeartbeatState>();
  /** When each is missed, epoch milliseconds. */
  readonly #missedAt = new Map<string, number>();
  #wasLeader = false;
  #cycle: Iterator<string, undefined> | undefined;
  #readMs = -Infinity;
  /** Of the records that were looked at last. */
  #revision = -1;

  constructor(deps: WatchDeps) {
    this.#deps = deps;
    this.#absence = new AbsenceFinder(deps);
    this.#unsubscribe = deps.bus.subscribe(TOPIC, (message) => {
      for (const state of heartbeatStateSchema.array().parse(message)) this.#keep(state);
    });
  }

  /** Reads all states from the store. */
  async load(): Promise<void> {
    const { store, clock } = this.#deps;
    let cursor: string | undefined;
    do {
      const page = await store.read((tx) => tx.list(heartbeatStates, "id", { limit: PAGE, cursor }));
      for (const state of page.items) this.#keep(state);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    this.#readMs = clock.monotonic();
  }

  /** Applies states that this node wrote. */
  take(...states: readonly HeartbeatState[]): void {
    for (const state of states) this.#keep(state);
    if (states.length > 0) this.#deps.bus.publish(TOPIC, states);
  }

  /** Facts about a heartbeat; undefined without pings. */
  findFacts(checkId: string): HeartbeatFacts | undefined {
    const state = this.#states.get(checkId);
    const record = this.#deps.checkDirectory.findRecord(checkId);
    if (state === undefined || !isHeartbeat(record)) return undefined;
    return toFacts(record.target, state, this.#deps.clock.now());
  }

  /** Finds what is missed, where this node leads; call it every second. Throws what the store throws. */
  async tick(): Promise<void> {
    const { bus, clock, checkDirectory, nodes } = this.#deps;
    const isNew = nodes.isLeader && !this.#wasLeader;
    this.#wasLeader = nodes.isLeader;
    if (!this.#wasLeader) return this.#absence.reset();
    if (isNew || (bus.isShared && clock.monotonic() - this.#readMs >= REREAD_MS)) await this.load();
    if (isNew) for (const state of this.#states.values()) this.#tell(state);
    if (!checkDirectory.records().some(isHeartbeat)) return;
    await this.#absence.prove((absence) => this.#excuse(absence));
    await this.#review();
    const now = clock.now();
    const due = [...this.#missedAt].filter(([, missedAt]) => missedAt <= now).map(([id]) => id);
    await this.#change(due, (state, { target }) => findMissed(target, state, clock.now()));
    this.#settleSome();
  }

  /** Clears away what is kept of deleted checks, in bounded steps; call it every minute. */
  async sweep(): Promise<void> {
    if (!this.#deps.nodes.isLeader) return;
    const gone = [...this.#states.keys()].filter(
      (id) => this.#deps.checkDirectory.findRecord(id) === undefined,
    );
    for (const id of gone.slice(0, SWEPT)) {
      const isCleared = await this.#deps.store.transact((tx) => clear(tx, id));
      if (!isCleared) continue;
      this.#states.delete(id);
      this.#missedAt.delete(id);
    }
  }

  close(): void {
    this.#unsubscribe();
  }

  /** The definition that counts; undefined for a check that is gone. */
  #findDefinition(id: string): Definition | undefined {
    const record = this.#deps.checkDirectory.findRecord(id);
    return isHeartbeat(record) ? record : undefined;
  }

  #keep(state: HeartbeatState): void {
    const known = this.#states.get(state.id);
    if (known !== undefined && known.version >= state.version) return;
    this.#states.set(state.id, state);
    this.#expect(state);
    if (!this.#wasLeader) return;
    const { ended, fault } = state;
    const hasEnded = ended !== undefined && ended.at !== known?.ended?.at;
    const before = known && { health: toHealth(known), fault: known.fault?.name };
    if (hasEnded)
      this.#tell(state, fault?.name === "failed" || fault === undefined ? ended.runMs : undefined);
    else if (before?.health !== toHealth(state) || before.fault !== fault?.name) this.#tell(state);
  }

  #expect(state: HeartbeatState): void {
    const definition = this.#findDefinition(state.id);
    const expected = definition && findExpectation(definition.target, state);
    if (expected === undefined) this.#missedAt.delete(state.id);
    else this.#missedAt.set(state.id, expected.missedAt);
  }

  /** Reports a state that differs from the check's, unless that is paused. */
  #settle(id: string): void {
    const state = this.#states.get(id);
    const standing = this.#deps.checkDirectory.findStanding(id);
    if (state === undefined || standing === undefined || standing.state === "paused") return;
    const isSame = standing.state === toHealth(state) && standing.places[0]?.fault === state.fault?.name;
    if (!isSame) this.#tell(state);
  }

  #tell(state: HeartbeatState, latencyMs?: number): void {
    const definition = this.#findDefinition(state.id);
    if (definition === undefined) return;
    this.#deps.checkIntake.judge(state.id, { ...toJudgement(state, definition.target), latencyMs });
  }

  #settleSome(): void {
    const count = Math.ceil(this.#states.size / CYCLE_TICKS);
    for (let at = 0; at < count; at += 1) {
      this.#cycle ??= this.#states.keys();
      const next = this.#cycle.next();
      if (next.done === true) this.#cycle = undefined;
      else this.#settle(next.value);
    }
  }

  /** Reviews all records when one of them was changed. */
  async #review(): Promise<void> {
    const { checkDirectory, clock } = this.#deps;
    const revision = checkDirectory.recordsRevision;
    if (revision === this.#revision) return;
    const now = clock.now();
    const others: string[] = [];
    for (const state of this.#states.values()) {
      const definition = this.#findDefinition(state.id);
      if (definition !== undefined && adopt(state, definition, now) !== state) others.push(state.id);
      this.#expect(state);
    }
    await this.#change(others, (state) => state);
    for (const id of others) this.#settle(id);
    this.#revision = revision;
  }

  async #excuse(absence: Absence): Promise<void> {
    const isAbsence = ({ graceSeconds }: HeartbeatTarget): boolean =>
      absence.to < absence.from ||
      absence.to - absence.from > Math.max(LEAST_ABSENCE_MS, graceSeconds * 1_000);
    const ids = [...this.#states.keys()].filter((id) => {
      const definition = this.#findDefinition(id);
      return definition !== undefined && isAbsence(definition.target);
    });
    await this.#change(ids, (state, { target }) => excuse(target, state, absence));
  }

  /** Changes states as they are in the store then; a ping that comes at the same time is seen, or sees it. */
  async #change(
    ids: readonly string[],
    change: (state: HeartbeatState, definition: Definition) => HeartbeatState,
  ): Promise<void> {
    const { store, clock } = this.#deps;
    for (let at = 0; at < ids.length; at += BATCH) {
      const batch = ids.slice(at, at + BATCH);
      const states = await store.transact(async (tx) => {
        const found: HeartbeatState[] = [];
        for (const id of batch) {
          const check = await tx.get(checks, id);
          const state = await tx.get(heartbeatStates, id);
          if (state === undefined || !isHeartbeat(check)) continue;
          const changed = change(adopt(state, check, clock.now()), check);
          found.push(changed === state ? state : await tx.put(heartbeatStates, changed));
        }
        return found;
      });
      this.take(...states);
      for (const state of states) this.#expect(state);
    }
  }
}

/** Removes the pings of a deleted check, then its state; false when more is left, or the check is there. */
async function clear(tx: Tx, id: string): Promise<boolean> {
  if (isHeartbeat(await tx.get(checks, id))) return false;
  const { items, nextCursor } = await tx.list(heartbeatPings, "id", {
    from: [`${id}:`],
    to: [`${id};`],
    limit: BATCH,
  });
  for (const ping of items) await tx.remove(heartbeatPings, ping.id);
  if (nextCursor !== undefined) return false;
  await tx.remove(heartbeatStates, id);
  return true;
}
