/** What the rest of the monitor knows of other processes that serve it ("nodes"). Types only. */

/** Another node that is alive, as it told of itself. */
export interface NodePeer {
  readonly node: string;
  /** Its start by its own clock, epoch milliseconds; for people. */
  readonly startedAt: number;
  /** Agent streams that it has open. */
  readonly streams: number;
  /** Whether it knows what the others know, and takes agents. */
  readonly isReady: boolean;
}

/** A server's stream changed nodes, or began on the first. */
export interface StreamMove {
  readonly serverId: string;
  /** The node that has the stream from now on. */
  readonly node: string;
  /** Whether that is this node. */
  readonly isHere: boolean;
  /** The node that had the server's stream before, this one perhaps; undefined when none is known. */
  readonly from: string | undefined;
}

/** The nodes of the monitor as its other parts see them; a process that runs alone has no peers and always leads. */
export interface Nodes {
  /** Names this start of this process. */
  readonly node: string;
  /** Whether there may be other nodes at all. */
  readonly isShared: boolean;
  /** Whether messages reach other nodes right now. */
  readonly isConnected: boolean;
  /** The other nodes that are alive, as far as this one knows. */
  peers(): readonly NodePeer[];
  /** Whether this node does what must be done once: alerts, notices, minutes of uptime. */
  readonly isLeader: boolean;
  /** The node that has the server's stream, or had it last; undefined when none is known. May be dead by now. */
  findHolder(serverId: string): string | undefined;
  /**
   * Calls `listener` when a server's stream begins on another node than before: here (before the first report of
   * the stream is taken) or elsewhere (when this node hears of it). A stream that comes back to its node is no move.
   */
  onMove(listener: (move: StreamMove) => void): void;
}
