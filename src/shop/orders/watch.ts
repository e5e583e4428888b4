/** Waiting for an order to change. */

import { createHeldCounts } from "../../kit/limits/held-counts.ts";
import { addressKey } from "../../kit/limits/rate-limit.ts";

/** Requests that may wait at the same time for one order, and from one address (IPv6: a /64). */
const MAX_OF_ORDER = 3;
const MAX_OF_ADDRESS = 20;

export interface OrderWatch {
  /** Wakes everybody who waits for one of these orders; without ids, everybody. */
  touch(orderIds?: Iterable<string>): void;
  /**
   * Calls `look` until it gives something else than undefined, or until `waitMs` have passed or `signal` was
   * aborted: after each `touch` of the order, and every `lookMs()`. When too many wait already, it looks once.
   */
  until<T>(
    orderId: string,
    look: () => Promise<T | undefined>,
    options: { waitMs: number; signal: AbortSignal; address: string },
  ): Promise<T | undefined>;
  /** Ends all waiting: the service stops. */
  close(): void;
}

/** Makes the watch; times in milliseconds. */
export function createOrderWatch({
  monotonic,
  lookMs,
}: {
  monotonic: () => number;
  /** Asked before each wait: what other processes change may be told, or not. */
  lookMs: () => number;
}): OrderWatch {
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
    look: () => Promise<T | undefined>,
    { waitMs, signal }: { waitMs: number; signal: AbortSignal },
  ): Promise<T | undefined> {
    const endMs = monotonic() + waitMs;
    for (;;) {
      // Begun before the look: a change between the two is not slept through.
      const rest = endMs - monotonic();
      const isOver = rest <= 0 || signal.aborted || isClosed;
      const paused = isOver ? undefined : pause(orderId, Math.min(rest, lookMs()), signal);
      const found = await look();
      if (found !== undefined || paused === undefined) return found;
      await paused;
    }
  }

  return {
    touch: (orderIds = waiting.keys()) => {
      for (const id of orderIds) for (const wake of waiting.get(id) ?? []) wake();
    },
    until: async (orderId, look, { address, ...options }) => {
      const from = addressKey(address);
      if (ofOrder.of(orderId) >= MAX_OF_ORDER || ofAddress.of(from) >= MAX_OF_ADDRESS) return look();
      ofOrder.take(orderId);
      ofAddress.take(from);
      try {
        return await wait(orderId, look, options);
      } finally {
        ofOrder.release(orderId);
        ofAddress.release(from);
      }
    },
    close: () => {
      isClosed = true;
      for (const others of waiting.values()) for (const wake of others) wake();
    },
  };
}
