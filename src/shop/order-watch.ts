/** Waiting for an order to change. Hidden here: who waits for which order, and looks for changes that nobody told. */

import { addressKey } from "../kit/rate-limit.ts";

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

/** Counts what is held at the same time, by key. */
function createPlaces(max: number): { enter(key: string): boolean; leave(key: string): void } {
  const held = new Map<string, number>();
  return {
    enter: (key) => {
      const count = held.get(key) ?? 0;
      if (count >= max) return false;
      held.set(key, count + 1);
      return true;
    },
    leave: (key) => {
      const left = (held.get(key) ?? 0) - 1;
      if (left > 0) held.set(key, left);
      else held.delete(key);
    },
  };
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
  const ofOrder = createPlaces(MAX_OF_ORDER);
  const ofAddress = createPlaces(MAX_OF_ADDRESS);
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
      if (!ofOrder.enter(orderId)) return look();
      try {
        if (!ofAddress.enter(from)) return await look();
        try {
          return await wait(orderId, look, options);
        } finally {
          ofAddress.leave(from);
        }
      } finally {
        ofOrder.leave(orderId);
      }
    },
    close: () => {
      isClosed = true;
      for (const others of waiting.values()) for (const wake of others) wake();
    },
  };
}
