/** Writes standings that changed, and the events of their timelines, in the background and in batches. */
import { newId } from "../../../kit/secrets/id.ts";
import type { Store, Tx } from "../../../store/store.ts";
import { type LeaderLease, LeaseLost } from "../../cluster/leader-lease.ts";
import { checkEvents, checkStandings, checks } from "../records.ts";
import type { CheckEvent, CheckStanding } from "../schema.ts";

const AT_ONCE = 200;
/** While the store is away, the oldest events beyond these go: standings stay, one a check. */
const MAX_WAITING_EVENTS = 20_000;

type NewEvent = Omit<CheckEvent, "version">;

export interface StandingWriterDeps {
  readonly store: Store;
  /** A node that is no longer the leader writes nothing. */
  readonly lease: LeaderLease;
  /** Called with the id of a check that has a new event in the store. */
  readonly onEvent: (checkId: string) => void;
}

/** The event of a state that a standing has just come into. */
function toEvent({ id: checkId, state, since: at, places }: CheckStanding): NewEvent {
  const saying = places.filter(({ isDown, counts }) => isDown && counts);
  const reason = saying[0] ?? places[0];
  return {
    id: newId("evt", at),
    checkId,
    state,
    at,
    ...(reason?.fault === undefined || state === "up" ? {} : { fault: reason.fault }),
    detail: state === "paused" ? "" : (reason?.detail ?? ""),
    dueAt: state === "down" ? reason?.dueAt : undefined,
    places: saying.map(({ place }) => place),
  };
}

async function writeStanding(tx: Tx, standing: CheckStanding): Promise<void> {
  // Whatever was deleted meanwhile does not come back.
  if ((await tx.get(checks, standing.id)) === undefined) return;
  const stored = await tx.get(checkStandings, standing.id);
  if (stored === undefined) await tx.insert(checkStandings, standing);
  else await tx.put(checkStandings, { ...standing, version: stored.version });
}

async function writeEvent(tx: Tx, event: NewEvent): Promise<void> {
  if ((await tx.get(checks, event.checkId)) !== undefined) await tx.insert(checkEvents, event);
}

export class StandingWriter {
  readonly #deps: StandingWriterDeps;
  readonly #standings = new Map<string, CheckStanding>();
  #events: NewEvent[] = [];
  #running: Promise<void> | undefined;

  constructor(deps: StandingWriterDeps) {
    this.#deps = deps;
  }

  /** Queues a changed state for the next `flush`. */
  add(standing: CheckStanding, isOtherState: boolean): void {
    this.#standings.set(standing.id, standing);
    if (!isOtherState) return;
    this.#events.push(toEvent(standing));
    if (this.#events.length > MAX_WAITING_EVENTS) this.#events.splice(0, this.#events.length >> 1);
  }

  /** How many standings wait. */
  get waiting(): number {
    return this.#standings.size;
  }

  /** Writes all that waits; throws what the store throws, and then keeps what is not written. */
  flush(): Promise<void> {
    this.#running ??= this.#write().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Another node is the leader: what waits here is its own business now. */
  clear(): void {
    this.#standings.clear();
    this.#events = [];
  }

  async #write(): Promise<void> {
    while (this.#standings.size > 0 || this.#events.length > 0) {
      const standings = [...this.#standings.values()].slice(0, AT_ONCE);
      const events = this.#events.slice(0, AT_ONCE);
      try {
        await this.#deps.store.transact(async (tx) => {
          await this.#deps.lease.assert(tx);
          for (const standing of standings) await writeStanding(tx, standing);
          for (const event of events) await writeEvent(tx, event);
        });
      } catch (error) {
        if (!(error instanceof LeaseLost)) throw error;
        this.clear();
        return;
      }
      // One that changed again in the meantime is written again.
      for (const standing of standings)
        if (this.#standings.get(standing.id) === standing) this.#standings.delete(standing.id);
      const written = new Set(events);
      for (const { checkId } of events) this.#deps.onEvent(checkId);
      this.#events = this.#events.filter((event) => !written.has(event));
    }
  }
}
