/** The days of one server in memory. */
import type { CarriedDays, StoredDays, UnsavedDays } from "./bookmarks.ts";
import type { Reading } from "./counting.ts";
import type { UsageCheckpoint, ReadingTuple } from "./schema.ts";
import { type DayRing, type DaySums, createDayRing, NOTHING } from "./day-ring.ts";
import type { DaySpan } from "./local-days.ts";
import { type MinuteMark, type UnsavedMinutes, mergeDays, minutesPast, NO_MINUTES } from "./minutes.ts";
import { type Readings, createReadings } from "./readings.ts";
import { type CountedReport, type TrafficCounter, countTraffic } from "./traffic-counter.ts";

/** Data that is being written. */
type Saving = Pick<UnsavedDays, "readings" | "minutes">;

const nothingUnsaved = (from: MinuteMark): UnsavedMinutes => ({ from, days: new Map() });

function toTuple({ at, rx, tx, day, begins }: Reading): ReadingTuple {
  return [at, Number.isNaN(rx) ? null : rx, Number.isNaN(tx) ? null : tx, day, begins ? 1 : 0];
}

function toReading([at, rx, tx, day, begins]: ReadingTuple): Reading {
  return { at, rx: rx ?? Number.NaN, tx: tx ?? Number.NaN, day, begins: begins === 1 };
}

/** The usage of a server. */
export class ServerDays {
  /** The visible days. */
  readonly ring: DayRing = createDayRing();
  /** The day of the last report that counted. */
  span: DaySpan | undefined;
  readonly #readings: Readings;
  /** The latest reading in what the store has, and in what people see. */
  #storedCounter: TrafficCounter | undefined;
  #counter: TrafficCounter | undefined;
  /** Of this process's readings; what is older came late. */
  #lastAt = -Infinity;
  #begins = true;
  /** Until the first stream, rows come from the log, which does not say where a stream of others lay between two. */
  #isReplay: boolean;
  #minutes: UnsavedMinutes = nothingUnsaved(NO_MINUTES);
  #carried: CarriedDays | undefined;
  #saving: Saving | undefined;
  /** The part of the ring beyond the store, by day. */
  readonly #shown = new Map<number, { -readonly [Name in keyof DaySums]: number }>();
  #version = -1;

  /** So many readings are kept as they are while the store lacks them. */
  constructor(keepReadings: number) {
    this.#readings = createReadings(keepReadings);
    // A process that is alone keeps none.
    this.#isReplay = keepReadings > 0;
  }

  /** Of the state of the store that is known; −1 before any. */
  get version(): number {
    return this.#version;
  }

  get isUnsaved(): boolean {
    const { days } = this.#minutes;
    return this.#readings.list.length > 0 || days.size > 0 || this.#carried !== undefined;
  }

  /** Others may have taken readings since the last one here. */
  begin(): void {
    this.#begins = true;
    this.#isReplay = false;
  }

  /** Whether a report is later than the last that was taken, and has a counter. */
  isNews({ at, rx, tx }: CountedReport): boolean {
    return at > this.#lastAt && !(Number.isNaN(rx) && Number.isNaN(tx));
  }

  /** Counts a new report; its traffic belongs to `day`. */
  take({ at, rx, tx }: CountedReport, day: number): void {
    const reading = { at, rx, tx, day, begins: this.#begins || this.#isReplay };
    this.#lastAt = at;
    this.#begins = false;
    this.#readings.add(reading);
    this.#show(reading);
  }

  /** Counts a minute that was watched. */
  watch(day: number, isUp: boolean): void {
    const minute = { upMinutes: isUp ? 1 : 0, knownMinutes: 1 };
    const { from, days } = this.#minutes;
    this.#minutes = { from, days: mergeDays(days, new Map([[day, minute]])) };
    this.#add(day, minute);
  }

  /** Adopts the stored data, unless it is known already. */
  adopt(stored: StoredDays, origin: string): void {
    const hasNone = stored.version === 0 && this.#version === 0;
    if (stored.version < this.#version || hasNone) return;
    this.#rebase(() => this.#put(stored, origin));
  }

  /** The data to write now; the next call of its kind is `endSave`. */
  beginSave(): Pick<UnsavedDays, "readings" | "minutes" | "carried"> {
    const minutes = this.#minutes;
    this.#saving = { readings: this.#readings.takeAll(), minutes };
    this.#minutes = nothingUnsaved(NO_MINUTES);
    return { ...this.#saving, carried: this.#carried };
  }

  /** Reports what the store has now; undefined if it was not written, or the outcome is unknown. */
  endSave(stored: StoredDays | undefined, origin: string): void {
    const saving = this.#saving;
    if (saving === undefined) return;
    if (stored === undefined) {
      this.#saving = undefined;
      this.#readings.putBack(saving.readings);
      const { from, days } = saving.minutes;
      this.#minutes = { from, days: mergeDays(days, this.#minutes.days) };
      return;
    }
    this.#rebase(() => {
      this.#saving = undefined;
      this.#carried = undefined;
      this.#minutes = { from: stored.minutes, days: this.#minutes.days };
      if (stored.version >= this.#version) this.#put(stored, origin);
    });
  }

  snapshot(): UsageCheckpoint {
    const { from, days } = this.#allMinutes();
    const readings = [...(this.#saving?.readings ?? []), ...this.#readings.list];
    const { counter, days: carried = [] } = this.#carried ?? {};
    return {
      ...(counter === undefined ? {} : { counter }),
      days: [...carried],
      ...(this.#lastAt === -Infinity ? {} : { lastAt: this.#lastAt }),
      readings: readings.map(toTuple),
      minutesFrom: [from.upMinutes, from.knownMinutes],
      minutes: [...days].map(([day, { upMinutes, knownMinutes }]) => [day, upMinutes, knownMinutes]),
    };
  }

  /** Lays a checkpoint over what the store had. */
  restore(checkpoint: UsageCheckpoint): void {
    const [upMinutes, knownMinutes] = checkpoint.minutesFrom ?? [0, 0];
    const days = new Map(
      checkpoint.minutes?.map(([day, up, known]) => [day, { upMinutes: up, knownMinutes: known }]),
    );
    this.#lastAt = Math.max(this.#lastAt, checkpoint.lastAt ?? checkpoint.counter?.countedAt ?? -Infinity);
    this.#rebase(() => {
      // A later version of the program, or another process, may have written bookmarks since.
      if (this.#version <= 0 && (checkpoint.counter !== undefined || checkpoint.days.length > 0)) {
        const { counter, days: carried } = checkpoint;
        this.#carried = { counter, days: carried };
      }
      this.#minutes = minutesPast({ from: { upMinutes, knownMinutes }, days }, this.#minutes.from);
      this.#readings.putBack((checkpoint.readings ?? []).map(toReading));
    });
  }

  #allMinutes(): UnsavedMinutes {
    if (this.#saving === undefined) return this.#minutes;
    const { from, days } = this.#saving.minutes;
    return { from, days: mergeDays(days, this.#minutes.days) };
  }

  #put(stored: StoredDays, origin: string): void {
    for (const [day, sums] of stored.days) this.ring.put(day, sums);
    this.#version = stored.version;
    this.#storedCounter = stored.counter;
    if (this.#saving === undefined) this.#minutes = minutesPast(this.#minutes, stored.minutes);
    // Whatever this process read up to there is counted. Before there were bookmarks, there was one process.
    if (stored.origin === origin || stored.version === 0)
      this.#lastAt = Math.max(this.#lastAt, stored.counter?.countedAt ?? -Infinity);
  }

  /** Changes what is below, with what is above taken off and laid on again. */
  #rebase(change: () => void): void {
    for (const [day, { rxBytes, txBytes, upMinutes, knownMinutes }] of this.#shown) {
      if (this.ring.get(day) === undefined) continue;
      this.ring.add(day, {
        rxBytes: -rxBytes,
        txBytes: -txBytes,
        upMinutes: -upMinutes,
        knownMinutes: -knownMinutes,
      });
    }
    this.#shown.clear();
    change();
    this.#counter = this.#storedCounter;
    if (this.#carried !== undefined) this.#showCarried(this.#carried);
    for (const reading of this.#saving?.readings ?? []) this.#show(reading);
    for (const reading of this.#readings.list) this.#show(reading);
    for (const [day, minutes] of this.#allMinutes().days) this.#add(day, minutes);
  }

  #show(reading: Reading): void {
    const counted = countTraffic(this.#counter, reading);
    if (counted === undefined) return;
    this.#counter = counted.counter;
    this.#add(reading.day, counted);
  }

  #showCarried({ counter, days }: CarriedDays): void {
    const isLater = (counter?.countedAt ?? -Infinity) >= (this.#counter?.countedAt ?? -Infinity);
    if (isLater) this.#counter = counter;
    for (const [day, rxBytes, txBytes, upMinutes, knownMinutes] of days) {
      const stored = this.ring.get(day) ?? NOTHING;
      this.#add(day, {
        rxBytes: isLater ? rxBytes - stored.rxBytes : 0,
        txBytes: isLater ? txBytes - stored.txBytes : 0,
        upMinutes: Math.max(0, upMinutes - stored.upMinutes),
        knownMinutes: Math.max(0, knownMinutes - stored.knownMinutes),
      });
    }
  }

  #add(day: number, more: Partial<DaySums>): void {
    this.ring.add(day, more);
    let shown = this.#shown.get(day);
    if (shown === undefined) {
      shown = { ...NOTHING };
      this.#shown.set(day, shown);
    }
    shown.rxBytes += more.rxBytes ?? 0;
    shown.txBytes += more.txBytes ?? 0;
    shown.upMinutes += more.upMinutes ?? 0;
    shown.knownMinutes += more.knownMinutes ?? 0;
  }
}
