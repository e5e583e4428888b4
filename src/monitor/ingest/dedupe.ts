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
 * The state of a `collected_at`: "new" (store it, then `record` it in the same turn), "stored" (acknowledge it), or a
 * promise (in flight: acknowledge it when that resolves, and not at all when it rejects).
 */
export type Claim = "new" | "stored" | Promise<unknown>;

export interface DedupeOptions {
  /** Arrivals that are remembered. Default 2,048. */
  readonly capacity?: number;
  /** An earlier result of `serialise`. */
  readonly from?: Uint8Array;
}

/** Times in order of arrival: 4 bytes each while they lie within 24 days of the first, else 8. */
class ArrivalRing {
  readonly #capacity: number;
  #slots: Uint32Array | Float64Array = new Uint32Array(0);
  #base = 0;
  #start = 0;
  #count = 0;
  /** The largest that was ever pushed. */
  #newest = Number.NEGATIVE_INFINITY;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  has(at: number): boolean {
    if (at > this.#newest || !this.#fits(at)) return false;
    // Slots are taken from 0 on and given up only when all are taken, so the first `#count` are in use.
    return this.#slots.lastIndexOf(at - this.#base, this.#count - 1) !== -1;
  }

  push(at: number): void {
    if (this.#count === 0) this.#base = this.#slots instanceof Float64Array ? 0 : at - UINT32_SPAN / 2;
    if (!this.#fits(at)) this.#rebuild(this.#slots.length, true);
    if (this.#count === this.#slots.length && this.#count < this.#capacity) {
      const length = Math.min(this.#capacity, Math.max(FIRST_CAPACITY, this.#count * 2));
      this.#rebuild(length, this.#slots instanceof Float64Array);
    }
    if (this.#count === this.#slots.length) {
      this.#start = (this.#start + 1) % this.#slots.length;
      this.#count -= 1;
    }
    this.#slots[(this.#start + this.#count) % this.#slots.length] = at - this.#base;
    this.#count += 1;
    this.#newest = Math.max(this.#newest, at);
  }

  /** Oldest arrival first. */
  values(): number[] {
    const slots = this.#slots;
    const read = (index: number): number => slots[(this.#start + index) % slots.length] ?? 0;
    return Array.from({ length: this.#count }, (_, index) => this.#base + read(index));
  }

  #rebuild(length: number, isWide: boolean): void {
    const kept = this.values();
    if (isWide) this.#base = 0;
    this.#slots = isWide ? new Float64Array(length) : new Uint32Array(length);
    for (const [index, at] of kept.entries()) this.#slots[index] = at - this.#base;
    this.#start = 0;
  }

  #fits(at: number): boolean {
    return this.#slots instanceof Float64Array || (at >= this.#base && at < this.#base + UINT32_SPAN);
  }
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

/** The arrivals of one server. A class, as the ring is: a monitor has one a server, and closures would cost a kilobyte each. */
export class Dedupe {
  readonly #ring: ArrivalRing;
  /** By milliseconds since `#origin`: small numbers are quicker keys than instants. */
  readonly #inFlight = new Map<number, Promise<unknown>>();
  #origin = 0;

  /** @throws RangeError when `from` cannot be read */
  constructor({ capacity = DEFAULT_CAPACITY, from }: DedupeOptions) {
    this.#ring = new ArrivalRing(capacity);
    for (const at of from === undefined ? [] : decode(from)) this.#ring.push(at);
  }

  claim(at: number): Claim {
    return this.#inFlight.get(at - this.#origin) ?? (this.#ring.has(at) ? "stored" : "new");
  }

  /** `at` is on its way: stored once `durable` resolves, forgotten when it rejects. */
  record(at: number, durable: Promise<unknown>): void {
    if (this.#inFlight.size === 0) this.#origin = at;
    const key = at - this.#origin;
    this.#inFlight.set(key, durable);
    durable.then(
      () => {
        this.#inFlight.delete(key);
        this.#ring.push(at);
      },
      () => this.#inFlight.delete(key),
    );
  }

  /** `at` is known to be stored, as rows read back at start are. */
  remember(at: number): void {
    if (!this.#ring.has(at)) this.#ring.push(at);
  }

  /** The last that arrived, oldest first, once what is in flight now is stored or forgotten. */
  async settle(count: number): Promise<readonly number[]> {
    await Promise.allSettled(this.#inFlight.values());
    return this.#ring.values().slice(-count);
  }

  /** The stored entries, for `createDedupe({ from })`; without those in flight. */
  serialise(): Uint8Array {
    return encode(this.#ring.values());
  }
}

/** Creates the memory of one server's arrivals. @throws RangeError when `from` cannot be read. */
export function createDedupe(options: DedupeOptions = {}): Dedupe {
  return new Dedupe(options);
}
