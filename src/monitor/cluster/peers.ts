/** The other nodes, and when each was last heard from. */
import type { Clock } from "../../kit/time/clock.ts";

/** A node silent for this long is lost; heartbeats come every second. */
export const LOST_MS = 6_000;

export interface LostPeer {
  readonly node: string;
  /** Its last message, monotonic milliseconds of this node. */
  readonly heardMs: number;
}

interface Known {
  heardMs: number;
  asks: number;
  isSynced: boolean;
}

/** Creates an empty list. */
export function createPeers({ clock }: { readonly clock: Pick<Clock, "monotonic"> }) {
  const known = new Map<string, Known>();

  /** Forgets a node that said goodbye; undefined when it was not known. */
  function leave(node: string): LostPeer | undefined {
    const heardMs = known.get(node)?.heardMs;
    known.delete(node);
    return heardMs === undefined ? undefined : { node, heardMs };
  }

  return {
    /** Names of the nodes that are alive. */
    list: (): readonly string[] => [...known.keys()],
    has: (node: string): boolean => known.has(node),
    /** Notes a message from a node; true when the node was not known. */
    heard: (node: string): boolean => {
      const entry = known.get(node);
      const heardMs = clock.monotonic();
      if (entry !== undefined) {
        entry.heardMs = heardMs;
        return false;
      }
      known.set(node, { heardMs, asks: -1, isSynced: false });
      return true;
    },
    /** Notes how often a node has asked for everything; true when it asks again. */
    asked: (node: string, asks: number): boolean => {
      const entry = known.get(node);
      if (entry === undefined) return false;
      const isAsking = asks !== entry.asks;
      entry.asks = asks;
      return isAsking;
    },
    /** A node has published everything. */
    synced: (node: string): void => {
      const entry = known.get(node);
      if (entry !== undefined) entry.isSynced = true;
    },
    /** Whether every known node has published everything. */
    get allSynced(): boolean {
      return [...known.values()].every(({ isSynced }) => isSynced);
    },
    leave,
    /** Gives every node its full timeout again, because this node could not receive. */
    resetSilence: (): void => {
      for (const entry of known.values()) entry.heardMs = clock.monotonic();
    },
    /** Forgets lost nodes and returns them. */
    findLost: (): readonly LostPeer[] => {
      const now = clock.monotonic();
      const silent = [...known].filter(([, { heardMs }]) => now - heardMs >= LOST_MS);
      return silent.flatMap(([node]) => leave(node) ?? []);
    },
  };
}

export type Peers = ReturnType<typeof createPeers>;
