/** Which node owns a server's stream, in an order that needs no common clock. */

/** A node's claim on a server. */
export interface Claim {
  /** Grows by one with each stream over all nodes; 0 after a restart. */
  readonly n: number;
  /** After a restart: when the server was last heard from, epoch milliseconds; otherwise 0. */
  readonly seenAt: number;
  readonly node: string;
}

/** Positive when `a` is newer. Equal numbers are ordered by time and node name, the same on every node. */
export function compareClaims(a: Claim, b: Claim | undefined): number {
  if (b === undefined) return 1;
  if (a.n !== b.n) return a.n - b.n;
  if (a.seenAt !== b.seenAt) return a.seenAt - b.seenAt;
  return a.node === b.node ? 0 : a.node > b.node ? 1 : -1;
}

/** What this node knows about a server's owner, and what it has published about the server. */
export interface Ownership {
  claim: Claim;
  /** Whether the claim's stream is open, as far as this node knows. */
  isOpen: boolean;
  /** What this node last published, if the server was its to publish. */
  published: Published | undefined;
  /** For a dead node's server: when its successor last repeated the state, monotonic milliseconds. */
  repeatedMs?: number;
}

/** The last state published for a server. */
export interface Published {
  readonly state: string;
  readonly isOpen: boolean;
  /** The sample's times and the set of metrics it had. */
  readonly sampleKey: string;
  readonly shape: string;
  /** When the whole sample was last published, monotonic milliseconds. */
  readonly fullMs: number;
}
