/** Limits that hold over all processes of a service. */
import { z } from "zod";
import type { Bus } from "./bus.ts";
import type { Clock } from "../kit/time/clock.ts";
import {
  type JoinedRateLimit,
  type RateLimit,
  type RateLimitOptions,
  createJoinedRateLimit,
  createRateLimit,
} from "../kit/limits/rate-limit.ts";

/** Where limits come from: counted by this process alone, or with all others of the service. */
export interface LimitSource {
  /** Creates a limit; `name` identifies it in every process, and is used once. */
  create(name: string, options: Omit<RateLimitOptions, "clock">): RateLimit;
}

/** Creates limits that count what this process sees. */
export function createLocalLimits(clock: Pick<Clock, "monotonic">): LimitSource {
  return { create: (_name, options) => createRateLimit({ ...options, clock }) };
}

const TOPIC = "limits";
/** Counts within this time are sent together. */
const TELL_MS = 25;
/** Counts in one message, some 70 bytes each. */
const COUNTS_A_MESSAGE = 500;
/** Counts that wait to be published; beyond it the oldest is published at its next change. */
const MAX_WAITING = 20_000;

/** Limit, hashed key, count of the window, of the one before, and milliseconds since the window began. */
const countSchema = z.tuple([
  z.string(),
  z.string(),
  z.number().nonnegative(),
  z.number().nonnegative(),
  z.number().nonnegative(),
]);

const messageSchema = z.object({
  counts: z.array(countSchema).max(COUNTS_A_MESSAGE).default([]),
  /** A process with a new limit, or back after an outage, requests all counts. */
  isNew: z.boolean().default(false),
});

export interface SharedLimitDeps {
  readonly bus: Bus;
  readonly clock: Pick<Clock, "monotonic">;
  /** A hash, keyed with what only processes of the service know: addresses can be guessed. */
  readonly mac: (text: string) => string;
}

class SharedLimits implements LimitSource {
  readonly #deps: SharedLimitDeps;
  readonly #limits = new Map<string, JoinedRateLimit>();
  /** Unpublished counts; the text of both parts, which can be parsed again. */
  readonly #waiting = new Map<string, readonly [name: string, key: string]>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(deps: SharedLimitDeps) {
    this.#deps = deps;
    const { bus } = deps;
    bus.subscribe(TOPIC, (message, from) => this.#take(message, from));
    bus.onConnection((isConnected) => {
      if (isConnected) this.#greet();
    });
  }

  create(name: string, options: Omit<RateLimitOptions, "clock">): RateLimit {
    if (this.#limits.has(name)) throw new RangeError(`The limit "${name}" already exists`);
    const { bus, clock, mac } = this.#deps;
    const limit = createJoinedRateLimit({ ...options, clock });
    this.#limits.set(name, limit);
    // Counts that others published before were not stored.
    if (bus.isConnected) bus.publish(TOPIC, { isNew: true });
    const hashed = (key: string): string => mac(`${name}\n${key}`).slice(0, 22);
    return {
      check: (key, most) => limit.check(hashed(key), most),
      hit: (key, most) => {
        const hash = hashed(key);
        const decision = limit.hit(hash, most);
        // Rejected requests are not counted, so a flood from one address publishes no more than its limit.
        if (decision.allowed) this.#publish(name, hash);
        return decision;
      },
    };
  }

  #publish(name: string, key: string): void {
    this.#waiting.set(`${name}\n${key}`, [name, key]);
    if (this.#waiting.size > MAX_WAITING) this.#waiting.delete(this.#waiting.keys().next().value ?? "");
    if (this.#timer === undefined) this.#timer = setTimeout(() => this.#send(), TELL_MS);
  }

  #send(): void {
    this.#timer = undefined;
    const { bus } = this.#deps;
    // Without the others each goes on by itself; when they meet again all is published again.
    if (!bus.isConnected) return this.#waiting.clear();
    const counts: z.input<typeof countSchema>[] = [];
    for (const [id, [name, key]] of this.#waiting) {
      if (counts.length === COUNTS_A_MESSAGE) break;
      this.#waiting.delete(id);
      const count = this.#limits.get(name)?.find(key);
      if (count !== undefined) counts.push([name, key, count.current, count.previous, count.ageMs]);
    }
    if (counts.length > 0) bus.publish(TOPIC, { counts });
    if (this.#waiting.size > 0) this.#timer = setTimeout(() => this.#send(), TELL_MS);
  }

  /** Both sides may have counted while they were apart. */
  #greet(): void {
    this.#deps.bus.publish(TOPIC, { isNew: true });
    this.#tellAll();
  }

  #tellAll(): void {
    for (const [name, limit] of this.#limits) for (const key of limit.keys()) this.#publish(name, key);
  }

  #take(message: unknown, from: string): void {
    const { counts, isNew } = messageSchema.parse(message);
    for (const [name, key, current, previous, ageMs] of counts)
      this.#limits.get(name)?.take(key, from, { current, previous, ageMs });
    if (isNew) this.#tellAll();
  }
}

/**
 * Creates limits whose counts all processes of the service add up. Each publishes its own counts as full states, so
 * a lost message is made good by the next and their order does not matter. Tries that reach several processes
 * within the time of a message (some 30 ms) may each be allowed: what must be exact is counted in the store.
 */
export function createSharedLimits(deps: SharedLimitDeps): LimitSource {
  return deps.bus.isShared ? new SharedLimits(deps) : createLocalLimits(deps.clock);
}
