/**
 * The other nodes and when they were heard of last. Hidden here: when one counts as lost, by this node's own
 * monotonic clock, and that nobody is lost while this node's own bus is away.
 */
import type { Clock } from "../../kit/clock.ts";
import type { NodePeer } from "./node.ts";
import type { NodeMessage } from "./node-schema.ts";

/** A node that was silent for this long is lost; it tells of itself each second. */
export const LOST_MS = 6_000;

export interface LostPeer {
  readonly node: string;
  /** Its last sign of life, monotonic milliseconds of this node. */
  readonly heardMs: number;
}

export interface Peers {
  list(): readonly NodePeer[];
  has(node: string): boolean;
  /** Any message of a node; true when it was not known. */
  heard(node: string): boolean;
  /** What a node told of itself; true when it asks to be told everything. */
  beat(node: string, beat: Extract<NodeMessage, { type: "beat" }>): boolean;
  /** A node has told everything. */
  told(node: string): void;
  /** Whether every node that is known has told everything. */
  readonly hasAll: boolean;
  /** Forgets a node that stops; undefined when it was not known. */
  leave(node: string): LostPeer | undefined;
  /** Everybody gets the whole time anew: this node could not hear. */
  excuse(): void;
  /** Forgets who is lost, and names them. */
  findLost(): readonly LostPeer[];
}

interface Known {
  peer: NodePeer;
  heardMs: number;
  asks: number;
  hasTold: boolean;
}

/** Makes an empty list. */
export function createPeers({ clock }: { readonly clock: Pick<Clock, "monotonic"> }): Peers {
  const known = new Map<string, Known>();

  function leave(node: string): LostPeer | undefined {
    const heardMs = known.get(node)?.heardMs;
    known.delete(node);
    return heardMs === undefined ? undefined : { node, heardMs };
  }

  return {
    list: () => Array.from(known.values(), ({ peer }) => peer),
    has: (node) => known.has(node),
    heard: (node) => {
      const entry = known.get(node);
      const heardMs = clock.monotonic();
      if (entry !== undefined) {
        entry.heardMs = heardMs;
        return false;
      }
      const peer = { node, startedAt: 0, streams: 0, isReady: false };
      known.set(node, { peer, heardMs, asks: -1, hasTold: false });
      return true;
    },
    beat: (node, { startedAt, streams, isReady, asks }) => {
      const entry = known.get(node);
      if (entry === undefined) return false;
      entry.peer = { node, startedAt, streams, isReady };
      const isAsking = asks !== entry.asks;
      entry.asks = asks;
      return isAsking;
    },
    told: (node) => {
      const entry = known.get(node);
      if (entry !== undefined) entry.hasTold = true;
    },
    get hasAll() {
      return [...known.values()].every(({ hasTold }) => hasTold);
    },
    leave,
    excuse: () => {
      for (const entry of known.values()) entry.heardMs = clock.monotonic();
    },
    findLost: () => {
      const now = clock.monotonic();
      const silent = [...known].filter(([, { heardMs }]) => now - heardMs >= LOST_MS);
      return silent.flatMap(([node]) => leave(node) ?? []);
    },
  };
}
