/**
 * From readings of counters by any process to bytes by day, pure. The sum over readings needs only the steps between
 * neighbours. A reading that arrives late falls into a step that was counted already; it changes that sum only if a
 * restart of the machine lies in the step. So the steps that may hide readings of others are kept for a while, and are
 * counted again in parts.
 */
import { type CountedTraffic, type TrafficCounter, countTraffic } from "./traffic-counter.ts";

/** The counters of a report, and the day that its traffic belongs to. */
export interface Reading {
  /** Order time, epoch milliseconds. */
  readonly at: number;
  /** Bytes received since the machine started; NaN when the report did not say. */
  readonly rx: number;
  /** Bytes sent, likewise. */
  readonly tx: number;
  /** The number of the day in the calendar. */
  readonly day: number;
  /** Whether others may have taken readings between this process's reading before and this one. */
  readonly begins: boolean;
}

/** A step that was counted, into which readings of others may still fall. */
export interface Gap {
  /** Absent before the first reading of all. */
  readonly from?: TrafficCounter | undefined;
  readonly to: TrafficCounter;
  /** The day that the step was counted to. */
  readonly day: number;
}

/** The bookmark of a server. */
export interface CountingState {
  /** The latest reading that was counted. */
  readonly counter?: TrafficCounter | undefined;
  /** The process that counted it. */
  readonly origin?: string | undefined;
  /** In no order. */
  readonly gaps: readonly Gap[];
}

/** Bytes by number of the day; those of a day that a step was counted to too much are negative. */
export type TrafficByDay = ReadonlyMap<number, { readonly rxBytes: number; readonly txBytes: number }>;

/** Gaps that are kept of a server, the latest ones. */
const KEPT_GAPS = 16;

function latest(gaps: readonly Gap[]): readonly Gap[] {
  return gaps.toSorted((a, b) => a.to.countedAt - b.to.countedAt).slice(-KEPT_GAPS);
}

function isWithin({ from, to }: Gap, at: number): boolean {
  return at > (from?.countedAt ?? -Infinity) && at < to.countedAt;
}

function toReading({ countedAt, rx, tx }: TrafficCounter): { at: number; rx: number; tx: number } {
  return { at: countedAt, rx: rx ?? Number.NaN, tx: tx ?? Number.NaN };
}

class Counting {
  readonly #origin: string;
  readonly #days = new Map<number, { rxBytes: number; txBytes: number }>();
  #state: CountingState;
  /** Of the reading before, when it was counted here. */
  #lastAt = Number.NaN;

  constructor(state: CountingState, origin: string) {
    this.#state = state;
    this.#origin = origin;
  }

  get result(): { state: CountingState; days: TrafficByDay } {
    return { state: { ...this.#state, gaps: latest(this.#state.gaps) }, days: this.#days };
  }

  take(reading: Reading): void {
    const { counter, gaps } = this.#state;
    if (counter === undefined || reading.at > counter.countedAt) return this.#append(reading);
    const gap = gaps.find((one) => isWithin(one, reading.at));
    if (gap !== undefined) this.#split(gap, reading);
  }

  #append(reading: Reading): void {
    const { counter: from, gaps, origin } = this.#state;
    const counted = countTraffic(from, reading);
    if (counted === undefined) return;
    this.#add(reading.day, counted, 1);
    const isOwn = this.#isOwn(from, reading) || (origin === this.#origin && !reading.begins);
    const gap = { from, to: counted.counter, day: reading.day };
    this.#state = {
      counter: counted.counter,
      origin: this.#origin,
      // All that follow are later, so those that go here would go in the end.
      gaps: isOwn && !counted.restarted ? gaps : latest([...gaps, gap]),
    };
    this.#lastAt = reading.at;
  }

  #split(gap: Gap, reading: Reading): void {
    const { from, to, day } = gap;
    const before = countTraffic(from, toReading(to));
    const first = countTraffic(from, reading);
    const second = countTraffic(first?.counter, toReading(to));
    if (before === undefined || first === undefined || second === undefined) return;
    this.#add(day, before, -1);
    this.#add(reading.day, first, 1);
    this.#add(day, second, 1);
    const parts: Gap[] = [{ from: first.counter, to, day }];
    if (first.restarted || !this.#isOwn(from, reading))
      parts.push({ from, to: first.counter, day: reading.day });
    this.#state = { ...this.#state, gaps: [...this.#state.gaps.filter((one) => one !== gap), ...parts] };
    this.#lastAt = reading.at;
  }

  /** Whether no other process can have taken a reading between the two. */
  #isOwn(from: TrafficCounter | undefined, reading: Reading): boolean {
    return from?.countedAt === this.#lastAt && !reading.begins;
  }

  #add(day: number, { rxBytes, txBytes }: CountedTraffic, sign: 1 | -1): void {
    const sums = this.#days.get(day) ?? { rxBytes: 0, txBytes: 0 };
    this.#days.set(day, { rxBytes: sums.rxBytes + sign * rxBytes, txBytes: sums.txBytes + sign * txBytes });
  }
}

/**
 * Counts readings, sorted by time, on top of a state; the same ones again change nothing. `origin` names who
 * took them.
 */
export function countReadings(
  state: CountingState,
  options: { readonly readings: readonly Reading[]; readonly origin: string },
): { readonly state: CountingState; readonly days: TrafficByDay } {
  const counting = new Counting(state, options.origin);
  for (const reading of options.readings) counting.take(reading);
  return counting.result;
}
