/** The other nodes and when they were heard of last. */
import type { Clock } from "../../kit/time/clock.ts";

/** A node that was silent for this long is lost; it tells of itself each second. */
export const LOST_MS = 6_000;

export interface LostPeer {
  readonly node: string;
  /** Its last sign of life, monotonic milliseconds of this node. */
  readonly heardMs: number;
}

export interface Peers {
  /** The names of those that live. */
  list(): readonly string[];
  has(node: string): boolean;
  /** Any message of a node; true when it was not known. */
  heard(node: string): boolean;
  /** How often a node has asked to be told everything; true when it asks anew. */
  asked(node: string, asks: number): boolean;
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
    list: () => [...known.keys()],
    has: (node) => known.has(node),
    heard: (node) => {
      const entry = known.get(node);
      const heardMs = clock.monotonic();
      if (entry !== undefined) {
        entry.heardMs = heardMs;
        return false;
      }
      known.set(node, { heardMs, asks: -1, hasTold: false });
      return true;
    },
    asked: (node, asks) => {
      const entry = known.get(node);
      if (entry === undefined) return false;
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
