/** Which node has a server's stream, in an order that needs no clock. */

/** A node's claim on a server. */
export interface Claim {
  /** Grows by one with each stream over all nodes; 0 for what a restart brought back. */
  readonly n: number;
  /** Of what a restart brought back: when the server was heard of, epoch milliseconds; otherwise 0. */
  readonly seenAt: number;
  readonly node: string;
}

/** Over 0 when `a` is the newer one: of two of one number, all nodes prefer the same. */
export function compareClaims(a: Claim, b: Claim | undefined): number {
  if (b === undefined) return 1;
  if (a.n !== b.n) return a.n - b.n;
  if (a.seenAt !== b.seenAt) return a.seenAt - b.seenAt;
  return a.node === b.node ? 0 : a.node > b.node ? 1 : -1;
}

/** What a node knows of who has a server, and what it told of it. */
export interface Holding {
  claim: Claim;
  /** Whether the claim's stream is open, as far as this node knows. */
  isOpen: boolean;
  /** What others were told, when it was this node's to tell. */
  told: Told | undefined;
  /** Of what a dead node left: when the node that is to repeat it told of it last, monotonic milliseconds. */
  spokenMs?: number;
}

/** The last that was told of a server. */
export interface Told {
  readonly state: string;
  readonly isOpen: boolean;
  /** Of the sample: its times, and which numbers it had. */
  readonly sampleKey: string;
  readonly shape: string;
  /** When the whole sample was told, monotonic milliseconds. */
  readonly fullMs: number;
}
