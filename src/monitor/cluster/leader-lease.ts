/**
 * Who does what must be done once. The leader makes a number grow; others watch it by their own monotonic clock and
 * take over when it stands still.
 */
import type { Bus } from "../../bus/bus.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Log } from "../../kit/observe/log.ts";
import type { ReadTx, Store, Tx } from "../../store/store.ts";
import { LEAD, leadPulses, leads } from "./records.ts";

/** Pause between two renewals, or two looks of a candidate. */
const LOOK_MS = 2_000;
/** A leader that could not renew for this long stops acting, before anybody takes over. */
const HOLD_MS = 6_000;
/** A number that stands still for this long belongs to a leader that is gone. */
const TAKE_OVER_MS = 8_000;
/** A candidate that could not look for this long has not watched: it begins anew. */
const UNWATCHED_MS = 5_000;
/** Looks in a row that find the leader's bus away before a node whose bus works takes over. */
const AWAY_LOOKS = 2;

/** What is written under a lease that another node took. */
export class LeadLost extends Error {
  override readonly name = "LeadLost";
}

export interface Lead {
  /** Which lead this node has, growing over all nodes; undefined while it does not lead. */
  readonly term: number | undefined;
  /** Throws {@link LeadLost} when another node leads by now; for the transactions of what only the leader writes. */
  assert(tx: ReadTx): Promise<void>;
}

export interface ManagedLead extends Lead {
  /** Renews, watches or takes over when that is due; call it every second or so. Throws what the store throws. */
  look(): Promise<void>;
  /** Makes the next look due, because a node has gone. */
  hurry(): void;
  /** Gives the lead back, so that another node has it at once. */
  giveBack(): Promise<void>;
}

/** The lead of a process that runs alone. */
export const soleLead: ManagedLead = {
  term: 0,
  assert: async () => undefined,
  look: async () => undefined,
  hurry: () => undefined,
  giveBack: async () => undefined,
};

interface Lease {
  readonly node: string;
  readonly term: number;
  readonly beat: number;
  readonly isConnected: boolean;
}

async function readLease(tx: ReadTx): Promise<Lease | undefined> {
  const holder = await tx.get(leads, LEAD);
  const pulse = await tx.get(leadPulses, LEAD);
  if (holder === undefined || pulse === undefined) return undefined;
  return { node: holder.node, term: holder.term, beat: pulse.beat, isConnected: pulse.isConnected };
}

async function writeHolder(tx: Tx, holder: Pick<Lease, "node" | "term">): Promise<void> {
  const stored = await tx.get(leads, LEAD);
  if (stored === undefined) await tx.insert(leads, { id: LEAD, ...holder });
  else await tx.put(leads, { ...stored, ...holder });
}

async function writePulse(tx: Tx, pulse: Omit<Lease, "node">): Promise<void> {
  const stored = await tx.get(leadPulses, LEAD);
  if (stored === undefined) await tx.insert(leadPulses, { id: LEAD, ...pulse });
  else await tx.put(leadPulses, { ...stored, ...pulse });
}

export interface LeadDeps {
  readonly store: Store;
  readonly bus: Pick<Bus, "node" | "isConnected">;
  readonly clock: Clock;
  readonly log: Log;
}

class LeaseLead implements ManagedLead {
  readonly #deps: LeadDeps;
  /** Of the last renewal's beginning, monotonic milliseconds. */
  #renewedMs = -Infinity;
  #heldTerm: number | undefined;
  #lookedMs = -Infinity;
  /** The pulse of another leader, and since when it stands still. */
  #seen: Lease | undefined;
  #sinceMs = -Infinity;
  #awayLooks = 0;

  constructor(deps: LeadDeps) {
    this.#deps = deps;
  }

  get term(): number | undefined {
    return this.#deps.clock.monotonic() - this.#renewedMs < HOLD_MS ? this.#heldTerm : undefined;
  }

  async assert(tx: ReadTx): Promise<void> {
    const holder = await tx.get(leads, LEAD);
    if (holder?.node !== this.#deps.bus.node || holder.term !== this.term)
      throw new LeadLost("Another node leads by now");
  }

  hurry(): void {
    this.#lookedMs = Math.min(this.#lookedMs, this.#deps.clock.monotonic() - LOOK_MS);
  }

  async look(): Promise<void> {
    const { clock, bus, store } = this.#deps;
    const nowMs = clock.monotonic();
    const pausedMs = nowMs - this.#lookedMs;
    if (pausedMs < LOOK_MS) return;
    const lease =
      this.#heldTerm === undefined ? await store.read(readLease) : await this.#renew(this.#heldTerm);
    this.#lookedMs = nowMs;
    if (lease?.node === bus.node && lease.term === this.#heldTerm) {
      this.#renewedMs = nowMs;
      return;
    }
    this.#lose();
    if (this.#isFree(lease, { nowMs, pausedMs })) await this.#take(lease);
  }

  async giveBack(): Promise<void> {
    const term = this.#heldTerm;
    this.#lose();
    if (term === undefined) return;
    const { store, bus } = this.#deps;
    await store.transact(async (tx) => {
      const lease = await readLease(tx);
      if (lease?.node === bus.node && lease.term === term) await writeHolder(tx, { node: "", term });
    });
  }

  #lose(): void {
    if (this.#heldTerm === undefined) return;
    this.#heldTerm = undefined;
    this.#deps.log.info("This node leads no more");
  }

  /** The lease as it is after a renewal, or another node's. */
  #renew(term: number): Promise<Lease | undefined> {
    const { store, bus } = this.#deps;
    const { isConnected } = bus;
    return store.transact(async (tx) => {
      const lease = await readLease(tx);
      if (lease?.node !== bus.node || lease.term !== term) return lease;
      const beat = lease.beat + 1;
      await writePulse(tx, { term, beat, isConnected });
      return { ...lease, beat, isConnected };
    });
  }

  /** Whether nobody leads, or who does is gone, or cannot be heard while this node can. */
  #isFree(lease: Lease | undefined, { nowMs, pausedMs }: { nowMs: number; pausedMs: number }): boolean {
    const before = this.#seen;
    this.#seen = lease;
    if (lease === undefined || lease.node === "") return true;
    const isStill = before?.term === lease.term && before.beat === lease.beat;
    if (!isStill || pausedMs >= UNWATCHED_MS) this.#sinceMs = nowMs;
    const isAway = this.#deps.bus.isConnected && !lease.isConnected;
    this.#awayLooks = isAway ? this.#awayLooks + 1 : 0;
    return nowMs - this.#sinceMs >= TAKE_OVER_MS || this.#awayLooks >= AWAY_LOOKS;
  }

  async #take(found: Lease | undefined): Promise<void> {
    const { store, bus, clock, log } = this.#deps;
    const nowMs = clock.monotonic();
    const { node, isConnected } = bus;
    const term = (found?.term ?? 0) + 1;
    const isTaken = await store.transact(async (tx) => {
      const lease = await readLease(tx);
      if (lease?.node !== found?.node || lease?.term !== found?.term) return false;
      // It lives after all; one whose bus is away gives way in any case.
      if (lease?.beat !== found?.beat && !(isConnected && lease?.isConnected === false)) return false;
      await writeHolder(tx, { node, term });
      await writePulse(tx, { term, beat: 0, isConnected });
      return true;
    });
    this.#awayLooks = 0;
    if (!isTaken) return;
    this.#heldTerm = term;
    this.#renewedMs = nowMs;
    log.info("This node leads: it watches alerts and sends notices", { term });
  }
}

/** Makes the lead of a node among others; it has none before the first look. */
export function createLead(deps: LeadDeps): ManagedLead {
  return new LeaseLead(deps);
}
