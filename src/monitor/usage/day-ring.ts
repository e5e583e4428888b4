/** The last days of one server in memory. */

/** Days that have a place. */
export const RING_DAYS = 96;
/** Days up to today, in any zone, that are surely among them, also after a restart. */
export const HELD_DAYS = 92;

/** The sums of a day. */
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
/** Places of a new ring, which doubles until it has all. */
const FIRST_DAYS = 6;

function createSlots(days: number): Float64Array {
  const slots = new Float64Array(days * SLOT);
  for (let at = 0; at < slots.length; at += SLOT) slots[at] = NO_DAY;
  return slots;
}

/** The day's place among so many. A day before 1970 has a negative number. */
function toPlace(slots: Float64Array, day: number): number {
  const days = slots.length / SLOT;
  return (((day % days) + days) % days) * SLOT;
}

/** Sums by day; days are numbers in the calendar, as `toDayNumber` gives them. */
export class DayRing {
  #slots = createSlots(FIRST_DAYS);

  get(day: number): DaySums | undefined {
    const at = toPlace(this.#slots, day);
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
    const at = this.#claim(day); // which may make other slots
    this.#slots.set([rxBytes, txBytes, upMinutes, knownMinutes], at + 1);
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

  #claim(day: number): number {
    let at = toPlace(this.#slots, day);
    while (this.#slots[at] !== day && this.#slots[at] !== NO_DAY && this.#slots.length < RING_DAYS * SLOT) {
      this.#grow();
      at = toPlace(this.#slots, day);
    }
    if (this.#slots[at] !== day) {
      this.#slots.fill(0, at, at + SLOT);
      this.#slots[at] = day;
    }
    return at;
  }

  /** Doubles the places; days that had different ones still have. */
  #grow(): void {
    const before = this.#slots;
    this.#slots = createSlots((before.length / SLOT) * 2);
    for (let at = 0; at < before.length; at += SLOT) {
      const day = before[at] ?? NO_DAY;
      if (day !== NO_DAY) this.#slots.set(before.subarray(at, at + SLOT), toPlace(this.#slots, day));
    }
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

export function createDayRing(): DayRing {
  return new DayRing();
}
