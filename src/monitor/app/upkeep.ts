/** Periodic work while the monitor runs. */
import type { Clock } from "../../kit/time/clock.ts";
import type { SampleLog } from "../../store/series/samples/samples.ts";
import type { Store } from "../../store/store.ts";
import type { Nodes } from "../cluster/cluster.ts";
import type { Live } from "../fleet/live.ts";
import type { PublicSnapshot } from "../fleet/snapshot.ts";
import { createFollow } from "../base/follow.ts";
import type { AgentRegistry } from "../ingest/agent-registry.ts";
import type { Usage } from "../usage/usage.ts";

interface UpkeepDeps {
  readonly store: Store;
  readonly samples: SampleLog;
  readonly clock: Clock;
}

/** Creates what timers call. */
export function createUpkeep(
  { store, samples, clock }: UpkeepDeps,
  parts: {
    nodes: Nodes;
    live: Live;
    usage: Usage;
    publicSnapshot: PublicSnapshot;
    registry: AgentRegistry;
    refresh: () => Promise<void>;
    swept: readonly { sweep(): Promise<unknown> | void }[];
  },
) {
  const { nodes, live, usage, publicSnapshot, registry, refresh, swept } = parts;
  return {
    /** Renews this node's leases and watches the others'; call it every second. Throws what the store throws. */
    renewLease: () => nodes.renew(),
    /** Resolves when reports and changes can be stored; throws `store_unavailable` when they cannot. */
    check: async () => {
      await store.check();
      await samples.check();
    },
    /** Lets the sample log do what is due, also when no report comes; call it every few seconds. */
    maintain: () => samples.maintain(),
    /** Applies changes of other processes on the same store; true when it polled. Call it every second. */
    follow: createFollow({ store, clock, refresh }),
    /** Checks for silent servers and streams that are no longer allowed; call it every second. */
    tick: () => {
      nodes.tick();
      live.tick();
      usage.minute(nodes.isLeader);
      publicSnapshot.tick();
      registry.review((id) => publicSnapshot.findRecord(id));
    },
    /** Removes what has expired, in bounded steps; call it every minute. */
    sweep: async () => {
      for (const part of swept) await part.sweep();
    },
  };
}
