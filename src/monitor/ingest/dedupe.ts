/**
 * Which reports of one server are stored already, by `collected_at`. Agents send again only what was not
 * acknowledged, which is among the last that arrived, however old it is by its own time.
 */
import { createByteReader, createByteWriter } from "../../kit/text/varint.ts";

/** More than an agent's ring of un-acknowledged reports (24 h at one per minute) and what it adds meanwhile. */
const DEFAULT_CAPACITY = 2_048;
const FIRST_CAPACITY = 64;
const UINT32_SPAN = 2 ** 32;
const VERSION = 1;

/**
 * What is known of a `collected_at`: "new" (store it, then `record` it in the same turn), "stored"
 * (acknowledge it), or a promise (in flight: acknowledge it when that resolves, and not at all when it rejects).
 */
export type Claim = "new" | "stored" | Promise<unknown>;

export interface DedupeOptions {
  /** Arrivals that are remembered. Default 2,048. */
  readonly capacity?: number;
  /** What `serialise` gave before. */
  readonly from?: Uint8Array;
}

/** Times in order of arrival: 4 bytes each while they lie within 24 days of the first, else 8. */
function createRing(capacity: number) {
  let slots: Uint32Array | Float64Array = new Uint32Array(0);
  let base = 0;
  let start = 0;
  let count = 0;
  /** The largest that was ever pushed. */
  let newest = Number.NEGATIVE_INFINITY;

  /** Oldest arrival first. */
  function values(): number[] {
    return Array.from({ length: count }, (_, index) => base + (slots[(start + index) % slots.length] ?? 0));
  }

  function rebuild(length: number, isWide: boolean): void {
    const kept = values();
    if (isWide) base = 0;
    slots = isWide ? new Float64Array(length) : new Uint32Array(length);
    for (const [index, at] of kept.entries()) slots[index] = at - base;
    start = 0;
  }

  function fits(at: number): boolean {
    return slots instanceof Float64Array || (at >= base && at < base + UINT32_SPAN);
  }

  return {
    has(at: number): boolean {
      if (at > newest || !fits(at)) return false;
      // Slots are taken from 0 on and given up only when all are taken, so the first `count` are in use.
      return slots.lastIndexOf(at - base, count - 1) !== -1;
    },
    push(at: number): void {
      if (count === 0) base = slots instanceof Float64Array ? 0 : at - UINT32_SPAN / 2;
      if (!fits(at)) rebuild(slots.length, true);
      if (count === slots.length && count < capacity) {
        rebuild(Math.min(capacity, Math.max(FIRST_CAPACITY, count * 2)), slots instanceof Float64Array);
      }
      if (count === slots.length) {
        start = (start + 1) % slots.length;
        count -= 1;
      }
      slots[(start + count) % slots.length] = at - base;
      count += 1;
      newest = Math.max(newest, at);
    },
    values,
  };
}

/** A steady cadence makes the change of the step small, mostly one byte an arrival. */
function encode(times: readonly number[]): Uint8Array {
  const writer = createByteWriter(64 + 2 * times.length);
  writer.byte(VERSION);
  writer.varint(times.length);
  let last = 0;
  let step = 0;
  for (const at of times) {
    writer.signed(at - last - step);
    step = at - last;
    last = at;
  }
  return writer.take();
}

function decode(bytes: Uint8Array): number[] {
  const reader = createByteReader(bytes);
  const version = reader.byte();
  if (version !== VERSION)
    throw new RangeError(`Arrivals of version ${version} are not known to this program`);
  const times: number[] = [];
  let last = 0;
  let step = 0;
  for (let left = reader.varint(); left > 0; left -= 1) {
    step += reader.signed();
    last += step;
    times.push(last);
  }
  return times;
}

/** Makes the memory of one server's arrivals. @throws RangeError when `from` cannot be read. */
export function createDedupe(options: DedupeOptions = {}) {
  const ring = createRing(options.capacity ?? DEFAULT_CAPACITY);
  /** By milliseconds since `origin`: small numbers are quicker keys than instants. */
  const inFlight = new Map<number, Promise<unknown>>();
  let origin = 0;
  for (const at of options.from === undefined ? [] : decode(options.from)) ring.push(at);

  return {
    claim: (at: number): Claim => inFlight.get(at - origin) ?? (ring.has(at) ? "stored" : "new"),
    /** `at` is on its way: stored once `durable` resolves, forgotten when it rejects. */
    record(at: number, durable: Promise<unknown>): void {
      if (inFlight.size === 0) origin = at;
      const key = at - origin;
      inFlight.set(key, durable);
      durable.then(
        () => {
          inFlight.delete(key);
          ring.push(at);
        },
        () => inFlight.delete(key),
      );
    },
    /** `at` is known to be stored, as rows read back at start are. */
    remember(at: number): void {
      if (!ring.has(at)) ring.push(at);
    },
    /** The last that arrived, oldest first, once what is in flight now is stored or forgotten. */
    async settle(count: number): Promise<readonly number[]> {
      await Promise.allSettled(inFlight.values());
      return ring.values().slice(-count);
    },
    /** What is stored, for `createDedupe({ from })`; what is in flight is not in it. */
    serialise: (): Uint8Array => encode(ring.values()),
  };
}

/** The arrivals of one server. */
export type Dedupe = ReturnType<typeof createDedupe>;
