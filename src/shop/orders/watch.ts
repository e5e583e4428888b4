/** Waiting for an order to change. */
import { createHeldCounts } from "../../kit/limits/held-counts.ts";
import { addressKey } from "../../kit/limits/rate-limit.ts";

/** Requests that may wait at the same time for one order, and from one address (IPv6: a /64). */
const MAX_OF_ORDER = 3;
const MAX_OF_ADDRESS = 20;

export type OrderWatch = ReturnType<typeof createOrderWatch>;

/** Creates the watch; times in milliseconds. */
export function createOrderWatch({
  monotonic,
  pollMs,
}: {
  monotonic: () => number;
  /** How long to wait for a signal before the order is read again; asked before each wait. */
  pollMs: () => number;
}) {
  const waiting = new Map<string, Set<() => void>>();
  const ofOrder = createHeldCounts();
  const ofAddress = createHeldCounts();
  let isClosed = false;

  /** Resolves at the next change of the order, or after `ms`. */
  function pause(orderId: string, ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const others = waiting.get(orderId) ?? new Set();
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", wake);
        others.delete(wake);
        if (others.size === 0) waiting.delete(orderId);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      signal.addEventListener("abort", wake);
      others.add(wake);
      waiting.set(orderId, others);
    });
  }

  async function wait<T>(
    orderId: string,
    read: () => Promise<T | undefined>,
    { waitMs, signal }: { waitMs: number; signal: AbortSignal },
  ): Promise<T | undefined> {
    const endMs = monotonic() + waitMs;
    for (;;) {
      // Begun before the read, so that a change between the two is not missed.
      const rest = endMs - monotonic();
      const isOver = rest <= 0 || signal.aborted || isClosed;
      const paused = isOver ? undefined : pause(orderId, Math.min(rest, pollMs()), signal);
      const found = await read();
      if (found !== undefined || paused === undefined) return found;
      await paused;
    }
  }

  return {
    /** Wakes the readers of one of these orders; without IDs, all. */
    touch: (orderIds: Iterable<string> = waiting.keys()): void => {
      for (const id of orderIds) for (const wake of waiting.get(id) ?? []) wake();
    },
    /**
     * Calls `read` until it answers something else than undefined, or until `waitMs` have passed or `signal` was
     * aborted: after each `touch` of the order, and every `pollMs()`. When too many wait already, it reads once.
     */
    until: async <T>(
      orderId: string,
      read: () => Promise<T | undefined>,
      { address, ...options }: { waitMs: number; signal: AbortSignal; address: string },
    ): Promise<T | undefined> => {
      const from = addressKey(address);
      if (ofOrder.of(orderId) >= MAX_OF_ORDER || ofAddress.of(from) >= MAX_OF_ADDRESS) return read();
      ofOrder.take(orderId);
      ofAddress.take(from);
      try {
        return await wait(orderId, read, options);
      } finally {
        ofOrder.release(orderId);
        ofAddress.release(from);
      }
    },
    /** Ends all waiting: the service stops. */
    close: (): void => {
      isClosed = true;
      for (const others of waiting.values()) for (const wake of others) wake();
    },
  };
}
