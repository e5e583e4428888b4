/**
 * The leader lease: one node does what must be done once. The leader raises a number in the store; the others
 * watch it by their own monotonic clocks and take over when it stops.
 */
import type { Bus } from "../../bus/bus.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Log } from "../../kit/observe/log.ts";
import type { ReadTx, Store, Tx } from "../../store/store.ts";
import { LEASE_ID, heartbeats, leases } from "./records.ts";

/** Time between two renewals of the leader, or two checks of a candidate. */
const CHECK_MS = 2_000;
/** A leader that could not renew for this long stops acting, before anybody can take over. */
const HOLD_MS = 6_000;
/** A heartbeat that stands still for this long means the leader is gone. */
const TAKE_OVER_MS = 8_000;
/** A candidate that could not check for this long starts its watch again. */
const UNWATCHED_MS = 5_000;
/** Checks in a row that find the leader without a bus before a node with a bus takes over. */
const AWAY_CHECKS = 2;

/** A write was refused because another node holds the lease. */
export class LeaseLost extends Error {
  override readonly name = "LeadLost";
}

export interface LeaderLease {
  /** The term of this node's lease, growing over all nodes; undefined while it is not the leader. */
  readonly term: number | undefined;
  /** For transactions that only the leader may write. @throws {@link LeaseLost} when another node is the leader */
  assert(tx: ReadTx): Promise<void>;
}

export interface ManagedLease extends LeaderLease {
  /** Renews, watches or takes over when due; call it every second or so. Throws what the store throws. */
  tick(): Promise<void>;
  /** Makes the next check due now, because a node has gone. */
  checkSoon(): void;
  /** Releases the lease, so that another node can have it at once. */
  release(): Promise<void>;
}

/** The lease of a process that runs alone. */
export const soleLease: ManagedLease = {
  term: 0,
  assert: async () => undefined,
  tick: async () => undefined,
  checkSoon: () => undefined,
  release: async () => undefined,
};

interface Lease {
  readonly node: string;
  readonly term: number;
  readonly beat: number;
  readonly isConnected: boolean;
}

async function readLease(tx: ReadTx): Promise<Lease | undefined> {
  const holder = await tx.get(leases, LEASE_ID);
  const heartbeat = await tx.get(heartbeats, LEASE_ID);
  if (holder === undefined || heartbeat === undefined) return undefined;
  return { node: holder.node, term: holder.term, beat: heartbeat.beat, isConnected: heartbeat.isConnected };
}

async function writeHolder(tx: Tx, holder: Pick<Lease, "node" | "term">): Promise<void> {
  const stored = await tx.get(leases, LEASE_ID);
  if (stored === undefined) await tx.insert(leases, { id: LEASE_ID, ...holder });
  else await tx.put(leases, { ...stored, ...holder });
}

async function writeHeartbeat(tx: Tx, heartbeat: Omit<Lease, "node">): Promise<void> {
  const stored = await tx.get(heartbeats, LEASE_ID);
  if (stored === undefined) await tx.insert(heartbeats, { id: LEASE_ID, ...heartbeat });
  else await tx.put(heartbeats, { ...stored, ...heartbeat });
}

export interface LeaseDeps {
  readonly store: Store;
  readonly bus: Pick<Bus, "node" | "isConnected">;
  readonly clock: Clock;
  readonly log: Log;
}

class StoreLease implements ManagedLease {
  readonly #deps: LeaseDeps;
  /** When the last renewal began, monotonic milliseconds. */
  #renewedMs = -Infinity;
  #heldTerm: number | undefined;
  #checkedMs = -Infinity;
  /** The last heartbeat of another leader, and since when it stands still. */
  #seen: Lease | undefined;
  #sinceMs = -Infinity;
  #awayChecks = 0;

  constructor(deps: LeaseDeps) {
    this.#deps = deps;
  }

  get term(): number | undefined {
    return this.#deps.clock.monotonic() - this.#renewedMs < HOLD_MS ? this.#heldTerm : undefined;
  }

  async assert(tx: ReadTx): Promise<void> {
    const holder = await tx.get(leases, LEASE_ID);
    if (holder?.node !== this.#deps.bus.node || holder.term !== this.term)
      throw new LeaseLost("Another node is the leader");
  }

  checkSoon(): void {
    this.#checkedMs = Math.min(this.#checkedMs, this.#deps.clock.monotonic() - CHECK_MS);
  }

  async tick(): Promise<void> {
    const { clock, bus, store } = this.#deps;
    const nowMs = clock.monotonic();
    const pausedMs = nowMs - this.#checkedMs;
    if (pausedMs < CHECK_MS) return;
    const lease =
      this.#heldTerm === undefined ? await store.read(readLease) : await this.#renew(this.#heldTerm);
    this.#checkedMs = nowMs;
    if (lease?.node === bus.node && lease.term === this.#heldTerm) {
      this.#renewedMs = nowMs;
      return;
    }
    this.#lose();
    if (this.#isFree(lease, { nowMs, pausedMs })) await this.#take(lease);
  }

  async release(): Promise<void> {
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
    this.#deps.log.info("This node is no longer the leader");
  }

  /** The lease after the renewal, or another node's. */
  #renew(term: number): Promise<Lease | undefined> {
    const { store, bus } = this.#deps;
    const { isConnected } = bus;
    return store.transact(async (tx) => {
      const lease = await readLease(tx);
      if (lease?.node !== bus.node || lease.term !== term) return lease;
      const beat = lease.beat + 1;
      await writeHeartbeat(tx, { term, beat, isConnected });
      return { ...lease, beat, isConnected };
    });
  }

  /** Whether nobody leads, the leader is gone, or the leader's bus is away while this node's works. */
  #isFree(lease: Lease | undefined, { nowMs, pausedMs }: { nowMs: number; pausedMs: number }): boolean {
    const before = this.#seen;
    this.#seen = lease;
    if (lease === undefined || lease.node === "") return true;
    const isStill = before?.term === lease.term && before.beat === lease.beat;
    if (!isStill || pausedMs >= UNWATCHED_MS) this.#sinceMs = nowMs;
    const isAway = this.#deps.bus.isConnected && !lease.isConnected;
    this.#awayChecks = isAway ? this.#awayChecks + 1 : 0;
    return nowMs - this.#sinceMs >= TAKE_OVER_MS || this.#awayChecks >= AWAY_CHECKS;
  }

  async #take(found: Lease | undefined): Promise<void> {
    const { store, bus, clock, log } = this.#deps;
    const nowMs = clock.monotonic();
    const { node, isConnected } = bus;
    const term = (found?.term ?? 0) + 1;
    const isTaken = await store.transact(async (tx) => {
      const lease = await readLease(tx);
      if (lease?.node !== found?.node || lease?.term !== found?.term) return false;
      // The leader lives after all; only one without a bus gives way.
      if (lease?.beat !== found?.beat && !(isConnected && lease?.isConnected === false)) return false;
      await writeHolder(tx, { node, term });
      await writeHeartbeat(tx, { term, beat: 0, isConnected });
      return true;
    });
    this.#awayChecks = 0;
    if (!isTaken) return;
    this.#heldTerm = term;
    this.#renewedMs = nowMs;
    log.info("This node is the leader: it watches alerts and sends notifications", { term });
  }
}

/** Creates the lease of one node among several; it is not held before the first check. */
export function createLeaderLease(deps: LeaseDeps): ManagedLease {
  return new StoreLease(deps);
}
