/** The last days of one server in memory. */

/** Days that have a place. */
export const RING_DAYS = 96;
/** Days up to today, in any zone, that are surely among them, also after a restart. */
export const HELD_DAYS = 92;

/** What is kept of a day. */
export interface DaySums {
  readonly rxBytes: number;
  readonly txBytes: number;
  /** Minutes in which the server was online. */
  readonly upMinutes: number;
  /** Minutes in which the service ran and watched. */
  readonly knownMinutes: number;
}

/** The sums of a day that nothing is known of. */
export const NOTHING: DaySums = { rxBytes: 0, txBytes: 0, upMinutes: 0, knownMinutes: 0 };

/** Adds to sums, or takes from them; they stay within 0 and 2^53 − 1. */
export function addSums(sums: DaySums, more: Partial<DaySums>): DaySums {
  const add = (name: keyof DaySums): number =>
    Math.min(Math.max(0, sums[name] + (more[name] ?? 0)), Number.MAX_SAFE_INTEGER);
  return {
    rxBytes: add("rxBytes"),
    txBytes: add("txBytes"),
    upMinutes: add("upMinutes"),
    knownMinutes: add("knownMinutes"),
  };
}

/** Numbers of a slot: its day, and the sums in the order of {@link DaySums}. */
const SLOT = 5;
const NO_DAY = Number.NEGATIVE_INFINITY;

/** Sums by day; days are numbers in the calendar, as `toDayNumber` gives them. */
export class DayRing {
  readonly #slots = new Float64Array(RING_DAYS * SLOT);

  constructor() {
    for (let at = 0; at < this.#slots.length; at += SLOT) this.#slots[at] = NO_DAY;
  }

  get(day: number): DaySums | undefined {
    const at = this.#place(day);
    return this.#slots[at] === day ? this.#read(at) : undefined;
  }

  /** Adds to a day, or takes from it; sums stay within 0 and 2^53 − 1. */
  add(day: number, { rxBytes = 0, txBytes = 0, upMinutes = 0, knownMinutes = 0 }: Partial<DaySums>): void {
    const at = this.#claim(day);
    this.#increase(at + 1, rxBytes);
    this.#increase(at + 2, txBytes);
    this.#increase(at + 3, upMinutes);
    this.#increase(at + 4, knownMinutes);
  }

  /** Sets a day to what the store has. */
  put(day: number, { rxBytes, txBytes, upMinutes, knownMinutes }: DaySums): void {
    this.#slots.set([rxBytes, txBytes, upMinutes, knownMinutes], this.#claim(day) + 1);
  }

  /** The sums of the days from `first` up to, not including, `end`. */
  sum(first: number, end: number): DaySums {
    const slots = this.#slots;
    const total = { rxBytes: 0, txBytes: 0, upMinutes: 0, knownMinutes: 0 };
    for (let at = 0; at < slots.length; at += SLOT) {
      const day = slots[at] ?? NO_DAY;
      if (day < first || day >= end) continue;
      total.rxBytes += slots[at + 1] ?? 0;
      total.txBytes += slots[at + 2] ?? 0;
      total.upMinutes += slots[at + 3] ?? 0;
      total.knownMinutes += slots[at + 4] ?? 0;
    }
    return total;
  }

  #place(day: number): number {
    // A day before 1970 has a negative number.
    return (((day % RING_DAYS) + RING_DAYS) % RING_DAYS) * SLOT;
  }

  #claim(day: number): number {
    const at = this.#place(day);
    if (this.#slots[at] !== day) {
      this.#slots.fill(0, at, at + SLOT);
      this.#slots[at] = day;
    }
    return at;
  }

  #increase(at: number, by: number): void {
    this.#slots[at] = Math.min(Math.max(0, (this.#slots[at] ?? 0) + by), Number.MAX_SAFE_INTEGER);
  }

  #read(at: number): DaySums {
    const slots = this.#slots;
    // Read one by one: a page of uptime asks for ninety thousand days.
    return {
      rxBytes: slots[at + 1] ?? 0,
      txBytes: slots[at + 2] ?? 0,
      upMinutes: slots[at + 3] ?? 0,
      knownMinutes: slots[at + 4] ?? 0,
    };
  }
}

/** Makes a ring without days. */
export function createDayRing(): DayRing {
  return new DayRing();
}
