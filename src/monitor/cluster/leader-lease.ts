/** The leader lease: one node does what must be done once, for as long as its node lease lives. */
import type { Bus } from "../../bus/bus.ts";
import type { Log } from "../../kit/observe/log.ts";
import type { NodeLeases } from "../../records/node-leases.ts";
import type { ReadTx, Store, Tx } from "../../store/store.ts";
import { owners } from "../base/records.ts";
import { LEADER_ID } from "../base/schema.ts";

/** Consecutive looks that find the leader without a bus before a node with a bus takes over. */
const AWAY_LOOKS = 4;

/** A write was refused because another node holds the lease. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

export interface LeaderLease {
  /** The term of this node's lease, growing over all nodes; undefined while it is not the leader. */
  readonly term: number | undefined;
  /** For transactions that only the leader may write. @throws {@link LeaseLost} when another node is the leader */
  assert(tx: ReadTx): Promise<void>;
}

export interface ManagedLease extends LeaderLease {
  /** Renews the node's lease, and takes over from a dead leader; call it every second. Throws what the store throws. */
  tick(): Promise<void>;
  /** Releases the lease, so that another node can have it at once. */
  release(): Promise<void>;
}

/** The lease of a process that runs alone. */
export const soleLease: ManagedLease = {
  term: 0,
  assert: async () => undefined,
  tick: async () => undefined,
  release: async () => undefined,
};

export interface LeaseDeps {
  readonly store: Store;
  readonly bus: Pick<Bus, "node" | "isConnected">;
  readonly log: Log;
  readonly leases: NodeLeases;
}

/** Records a node as the owner; resolves with its term, which is higher than all previous ones. */
export async function own(tx: Tx, id: string, node: string): Promise<number> {
  const before = await tx.get(owners, id);
  const term = (before?.term ?? 0) + 1;
  if (before === undefined) await tx.insert(owners, { id, node, term });
  else await tx.put(owners, { ...before, node, term });
  return term;
}

/** Creates the lease of one node among several; it is not held before the first tick. */
export function createLeaderLease({ store, bus, log, leases }: LeaseDeps): ManagedLease {
  let held: number | undefined;
  let awayLooks = 0;

  function hold(term: number | undefined): void {
    if (term === held) return;
    held = term;
    if (term === undefined) log.info("This node is no longer the leader");
    else log.info("This node is the leader: it evaluates alerts and sends notifications", { term });
  }

  const lease: ManagedLease = {
    get term() {
      return leases.isHeld ? held : undefined;
    },
    assert: async (tx) => {
      const leader = await tx.get(owners, LEADER_ID);
      if (leader?.node !== bus.node || leader.term !== lease.term)
        throw new LeaseLost("Another node is the leader");
    },
    tick: async () => {
      // Others may have taken over from a node that could not renew: it looks before it acts again.
      if (!leases.isHeld) hold(undefined);
      await leases.tick();
      const found = await store.read((tx) => tx.get(owners, LEADER_ID));
      hold(found?.node === bus.node ? found.term : undefined);
      if (held !== undefined) return;
      const { node = "" } = found ?? {};
      awayLooks = bus.isConnected && leases.has(node) && !leases.isReachable(node) ? awayLooks + 1 : 0;
      const isAway = awayLooks >= AWAY_LOOKS;
      if (leases.has(node) && !isAway) return;
      const term = await store.transact(async (tx) => {
        const present = await tx.get(owners, LEADER_ID);
        if (present?.version !== found?.version) return undefined;
        if (node !== "" && !isAway && !(await leases.isStill(tx, node))) return undefined;
        return own(tx, LEADER_ID, bus.node);
      });
      hold(term);
    },
    release: async () => {
      const term = held;
      hold(undefined);
      if (term === undefined) return;
      await store.transact(async (tx) => {
        const present = await tx.get(owners, LEADER_ID);
        if (present?.node === bus.node && present.term === term)
          await tx.put(owners, { ...present, node: "" });
      });
    },
  };
  return lease;
}
