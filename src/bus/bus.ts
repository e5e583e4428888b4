/**
 * PORT: messages between the processes of one service. Messages are full states, so one that is lost is made
 * good by the next: they arrive at most once, in the order of one sender, or not at all. What must never be
 * lost goes through the store. Adapters: local.ts (one process), nats.ts (many).
 */

/** A message that another process sent, as plain JSON values; the receiver parses it with a schema. */
export type BusListener = (message: unknown, from: string) => void;

/** Answers a request; returning undefined or throwing sends no reply. */
export type BusAnswerer = (question: unknown, from: string) => unknown;

/** How long an asker waits, and for whom. */
export interface AskOptions {
  readonly timeoutMs: number;
  /**
   * Names of the processes that are waited for: when all of them answered or declined, or there is none, it ends.
   * What others answer until then counts too.
   */
  readonly nodes: readonly string[];
}

/** An answer, and the process that gave it. */
export interface BusAnswer {
  readonly from: string;
  readonly answer: unknown;
}

export interface Bus {
  /** Names this start of this process among all that share the bus. */
  readonly node: string;
  /** Whether there may be other processes at all; false for a process that runs alone. */
  readonly isShared: boolean;
  /** Whether messages reach other processes right now; always true for a process that runs alone. */
  readonly isConnected: boolean;
  /**
   * Sends to all other processes that subscribe; not to this one. While the bus is unavailable, the message is
   * dropped.
   * @throws RangeError when the message is larger than {@link MAX_MESSAGE_BYTES}, or the topic is not one
   */
  publish(topic: string, message: unknown): void;
  /** Calls `listener` with each message of others; returns what ends it. */
  subscribe(topic: string, listener: BusListener): () => void;
  /**
   * Queries all other processes; resolves with the answers that came in time, in any order; only rejects as `publish`
   * throws.
   */
  ask(topic: string, question: unknown, options: AskOptions): Promise<BusAnswer[]>;
  /** Answers what other processes ask; one answerer a topic. Returns what ends it. */
  answer(topic: string, answerer: BusAnswerer): () => void;
  /** Calls `listener` when messages begin or cease to reach others; returns what ends it. */
  onConnection(listener: (isConnected: boolean) => void): () => void;
  /** Throws when the bus is unavailable; for health. */
  check(): Promise<void>;
  /** Sends what is on its way and ends; later messages are dropped. */
  close(): Promise<void>;
}

/** A message's JSON may be this long; a NATS server takes 1 MiB, with the seal, by default. Split larger states. */
export const MAX_MESSAGE_BYTES = 900_000;

/**
 * Refuses a name of a topic that not every adapter takes.
 * @throws RangeError
 */
export function assertTopic(topic: string): void {
  if (!/^[a-z][a-z0-9-]{0,63}$/u.test(topic))
    throw new RangeError(`"${topic}" is not a valid topic. Use lowercase letters, digits and "-"`);
}
