/**
 * Limits on how often something may happen, per key in a window. Hidden here: the counters, their bound,
 * and why a wall clock plays no part.
 */
import ipaddr from "ipaddr.js";
import { toPlainAddress } from "./address.ts";
import type { Clock } from "./clock.ts";

/** Whether one more is allowed, and after how many seconds (at least 1 when refused, else 0) it would be. */
export interface RateDecision {
  readonly allowed: boolean;
  readonly retryAfterSeconds: number;
}

/** A limit per key. */
export interface RateLimit {
  /** Asks without counting. */
  check(key: string): RateDecision;
  /** Counts one if it is allowed, and tells whether it was. */
  hit(key: string): RateDecision;
  /** Forgets a key. */
  clear(key: string): void;
}

/** At most `limit` in any `windowMs`. */
export interface RateLimitOptions {
  readonly limit: number;
  readonly windowMs: number;
  readonly clock: Clock;
  /** Keys remembered at once, 10,000 unless told; the one counted longest ago is dropped first. */
  readonly maxKeys?: number;
}

interface Counter {
  /** Number of the window, counted from the clock's start. */
  window: number;
  current: number;
  previous: number;
}

const allowedNow: RateDecision = { allowed: true, retryAfterSeconds: 0 };

/**
 * A limit on two fixed windows: of the window before, the part that the sliding window still covers
 * counts. Needs two numbers a key and is exact to within the spread inside one window.
 */
export function createRateLimit(options: RateLimitOptions): RateLimit {
  const { limit, windowMs, clock } = options;
  const maxKeys = options.maxKeys ?? 10_000;
  const counters = new Map<string, Counter>();

  function decide(key: string): { decision: RateDecision; counter: Counter } {
    const now = clock.monotonic();
    const window = Math.floor(now / windowMs);
    const known = counters.get(key);
    const counter: Counter = { window, current: 0, previous: 0 };
    if (known?.window === window) Object.assign(counter, known);
    else if (known?.window === window - 1) counter.previous = known.current;
    const elapsed = now - window * windowMs;
    const carried = counter.previous * (1 - elapsed / windowMs);
    if (counter.current + carried + 1 <= limit) return { decision: allowedNow, counter };
    const retryAfterSeconds = Math.max(1, Math.ceil(waitMs(counter, elapsed) / 1_000));
    return { decision: { allowed: false, retryAfterSeconds }, counter };
  }

  /** Until enough of the older window has slid out; a full window that is alone must itself become the older one. */
  function waitMs(counter: Counter, elapsed: number): number {
    const room = limit - 1 - counter.current;
    if (room >= 0) return windowMs * (1 - room / counter.previous) - elapsed;
    if (limit < 1) return windowMs;
    return windowMs - elapsed + windowMs * (1 - (limit - 1) / counter.current);
  }

  return {
    check: (key) => decide(key).decision,
    hit: (key) => {
      const { decision, counter } = decide(key);
      if (!decision.allowed) return decision;
      counter.current += 1;
      counters.delete(key); // to the end of the order
      counters.set(key, counter);
      if (counters.size > maxKeys) {
        const oldest = counters.keys().next();
        if (oldest.done !== true) counters.delete(oldest.value);
      }
      return decision;
    },
    clear: (key) => {
      counters.delete(key);
    },
  };
}

/** What to count by for limits: an IPv4 address, or the /64 that an IPv6 customer has as a whole (RFC 6177). */
export function addressKey(address: string): string {
  const plain = toPlainAddress(address);
  if (!plain.includes(":") || !ipaddr.IPv6.isValid(plain)) return plain;
  const parsed = ipaddr.IPv6.parse(plain);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(":")}::/64`;
}
