/** Limits on how often something may happen, per key in a window. */
import ipaddr from "ipaddr.js";
import { toPlainAddress } from "../outbound/ip-address.ts";
import type { Clock } from "../time/clock.ts";

/** Whether one more is allowed, and after how many seconds (at least 1 when refused, else 0) it would be. */
export interface RateDecision {
  readonly allowed: boolean;
  readonly retryAfterSeconds: number;
}

/** A limit per key. */
export interface RateLimit {
  /** Checks without counting; `limit` takes precedence over the configured one. */
  check(key: string, limit?: number): RateDecision;
  /** Counts one if it is allowed, and returns whether it was; `limit` likewise. */
  hit(key: string, limit?: number): RateDecision;
}

/** At most `limit` in any `windowMs`. */
export interface RateLimitOptions {
  readonly limit: number;
  readonly windowMs: number;
  readonly clock: Pick<Clock, "monotonic">;
  /** Keys remembered at most, default 10,000; those counted longest ago are dropped first, a sixteenth at once. */
  readonly maxKeys?: number;
}

/**
 * What one process counted for a key: in its current window, which began `ageMs` ago, and in the one before.
 */
export interface KeyCount {
  readonly current: number;
  readonly previous: number;
  readonly ageMs: number;
}

/** A limit that other processes' counts are added to. */
export interface JoinedRateLimit extends RateLimit {
  /** The count of this process for a key; undefined once it has expired. */
  find(key: string): KeyCount | undefined;
  /** Replaces the earlier counts of the process `from` for a key. */
  take(key: string, from: string, count: KeyCount): void;
  /** Keys for which this process counted something that still matters. */
  keys(): string[];
}

/** Counts of two windows side by side; `startMs` is the begin of the current one on this process's clock. */
interface Counter {
  startMs: number;
  current: number;
  previous: number;
}

interface Entry {
  own?: Counter;
  /** By the name of the process that counted. */
  others?: Map<string, Counter>;
}

/** Processes that are remembered for a key; a process that restarts often has many names. */
const MAX_OTHERS = 32;
const allowedNow: RateDecision = { allowed: true, retryAfterSeconds: 0 };

/** The weight of a counter at a time: of the window before, the part that the sliding window still covers. */
function weigh({ startMs, current, previous }: Counter, atMs: number, windowMs: number): number {
  const windows = Math.max(0, atMs - startMs) / windowMs;
  if (windows < 1) return current + previous * (1 - windows);
  return current * Math.max(0, 2 - windows);
}

/** Resets the limit. */
function isOver({ startMs }: Counter, atMs: number, windowMs: number): boolean {
  return atMs - startMs >= 2 * windowMs;
}

/**
 * The first moment from `fromMs` on, to the millisecond, at which counters weigh at most `most` without
 * further requests.
 */
function findMoment(
  counters: readonly Counter[],
  { fromMs, windowMs, most }: { fromMs: number; windowMs: number; most: number },
): number {
  // A weight only shrinks with time, and is zero after two windows.
  let low = fromMs;
  let high = fromMs + 2 * windowMs;
  while (high - low > 1) {
    const middle = (low + high) / 2;
    const sum = counters.reduce((all, counter) => all + weigh(counter, middle, windowMs), 0);
    if (sum <= most) high = middle;
    else low = middle;
  }
  return high;
}

class TwoWindowLimit implements JoinedRateLimit {
  readonly #options: RateLimitOptions;
  readonly #maxKeys: number;
  readonly #entries = new Map<string, Entry>();

  constructor(options: RateLimitOptions) {
    this.#options = options;
    this.#maxKeys = options.maxKeys ?? 10_000;
  }

  check(key: string, limit: number = this.#options.limit): RateDecision {
    return this.#decide(key, limit);
  }

  hit(key: string, limit: number = this.#options.limit): RateDecision {
    const decision = this.#decide(key, limit);
    if (!decision.allowed) return decision;
    const entry = this.#entries.get(key) ?? {};
    entry.own = this.#toPresent(entry.own);
    entry.own.current += 1;
    this.#keep(key, entry);
    return decision;
  }

  find(key: string): KeyCount | undefined {
    const own = this.#entries.get(key)?.own;
    const nowMs = this.#options.clock.monotonic();
    if (own === undefined || isOver(own, nowMs, this.#options.windowMs)) return undefined;
    const { current, previous, startMs } = own;
    return { current, previous, ageMs: Math.max(0, Math.round(nowMs - startMs)) };
  }

  take(key: string, from: string, { current, previous, ageMs }: KeyCount): void {
    const { clock, windowMs } = this.#options;
    const nowMs = clock.monotonic();
    const entry = this.#entries.get(key) ?? {};
    const others = entry.others ?? new Map<string, Counter>();
    for (const [name, counter] of others) if (isOver(counter, nowMs, windowMs)) others.delete(name);
    others.delete(from); // to the end of the order
    others.set(from, { current, previous, startMs: nowMs - ageMs });
    dropFirst(others, MAX_OTHERS);
    this.#keep(key, { ...entry, others });
  }

  keys(): string[] {
    return [...this.#entries.keys()].filter((key) => this.find(key) !== undefined);
  }

  #decide(key: string, limit: number): RateDecision {
    const { clock, windowMs } = this.#options;
    const nowMs = clock.monotonic();
    const { own, others } = this.#entries.get(key) ?? {};
    const counters = [...(own === undefined ? [] : [own]), ...(others?.values() ?? [])];
    const counted = counters.reduce((sum, counter) => sum + weigh(counter, nowMs, windowMs), 0);
    if (counted + 1 <= limit) return allowedNow;
    const thenMs = limit < 1 ? nowMs + windowMs : this.#findMoment(counters, { nowMs, limit });
    return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil((thenMs - nowMs) / 1_000)) };
  }

  #findMoment(counters: readonly Counter[], { nowMs, limit }: { nowMs: number; limit: number }): number {
    return findMoment(counters, { fromMs: nowMs, windowMs: this.#options.windowMs, most: limit - 1 });
  }

  /** The counter with the window of now as its current one. */
  #toPresent(counter: Counter | undefined): Counter {
    const { clock, windowMs } = this.#options;
    const nowMs = clock.monotonic();
    const startMs = Math.floor(nowMs / windowMs) * windowMs;
    if (counter?.startMs === startMs) return counter;
    const isNext = counter !== undefined && counter.startMs === startMs - windowMs;
    return { startMs, current: 0, previous: isNext ? counter.current : 0 };
  }

  #keep(key: string, entry: Entry): void {
    this.#entries.delete(key); // to the end of the order
    this.#entries.set(key, entry);
    // A sixteenth at once: to find the first key, a map walks over the places of all that were removed before it.
    if (this.#entries.size > this.#maxKeys) dropFirst(this.#entries, this.#maxKeys - (this.#maxKeys >> 4));
  }
}

/** Removes the oldest keys of a map until it has `maxSize`. */
function dropFirst<V>(map: Map<string, V>, maxSize: number): void {
  if (map.size <= maxSize) return;
  for (const key of map.keys()) {
    map.delete(key);
    if (map.size <= maxSize) return;
  }
}

/**
 * A limit on two fixed windows, which needs two numbers a key and is exact to within the spread inside one
 * window. Windows of other processes begin at other moments: each counter slides by itself, and the limit
 * applies to their sum. So clocks need the same speed, but not the same time.
 */
export function createJoinedRateLimit(options: RateLimitOptions): JoinedRateLimit {
  return new TwoWindowLimit(options);
}

/** The same for a process that counts alone. */
export function createRateLimit(options: RateLimitOptions): RateLimit {
  return createJoinedRateLimit(options);
}

/** The key for limits: an IPv4 address, or the /64 that an IPv6 customer has as a whole (RFC 6177). */
export function addressKey(address: string): string {
  const plain = toPlainAddress(address);
  if (!plain.includes(":") || !ipaddr.IPv6.isValid(plain)) return plain;
  const parsed = ipaddr.IPv6.parse(plain);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(":")}::/64`;
}
