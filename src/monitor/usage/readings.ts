/** The readings of one server that the store lacks. */
import type { Reading } from "./counting.ts";

/** Owned by the list: its last reading is not shared and may be overwritten. */
type OwnReading = { -readonly [Key in keyof Reading]: Reading[Key] };

/** Readings that are kept of a server; only counters that fall again and again make more needed. */
const MOST = 2_048;

/** Whether a counter never fell, or none of the three has it; a comparison with NaN is false. */
function rises(a: number, b: number, c: number): boolean {
  return (a <= b && b <= c) || (Number.isNaN(a) && Number.isNaN(b) && Number.isNaN(c));
}

/** Whether the step over `middle` counts what the two steps count: nothing fell, and they are of one day. */
function isNeedless(left: Reading, middle: Reading, right: Reading): boolean {
  if (middle.begins || right.begins || middle.day !== right.day) return false;
  return rises(left.rx, middle.rx, right.rx) && rises(left.tx, middle.tx, right.tx);
}

function thin(readings: readonly OwnReading[]): OwnReading[] {
  const kept: OwnReading[] = [];
  for (const reading of readings) {
    const left = kept.at(-2);
    const middle = kept.at(-1);
    if (left !== undefined && middle !== undefined && isNeedless(left, middle, reading)) kept.pop();
    kept.push(reading);
  }
  return kept;
}

/** The first one, where counting goes on, and the latest: what fell between them is not counted. */
function cut(readings: OwnReading[]): OwnReading[] {
  const [first] = readings;
  const [next, ...rest] = readings.slice(1 - MOST);
  if (readings.length <= MOST || first === undefined || next === undefined) return readings;
  return [first, { ...next, begins: true }, ...rest];
}

/** Readings not yet in the store, sorted by time. A class: a monitor has one a server, and closures would cost a kilobyte each. */
export class Readings {
  readonly #keep: number;
  #list: OwnReading[] = [];
  /** Those that are needed may be more than `keep`: they are not looked at again with each further one. */
  #thinAt: number;

  constructor(keep: number) {
    this.#keep = keep;
    this.#thinAt = keep;
  }

  get list(): readonly Reading[] {
    return this.#list;
  }

  add(reading: Reading): void {
    const left = this.#list.at(-2);
    const middle = this.#list.at(-1);
    // A process that is alone has this for every report; day and `begins` are the same, or it were needed.
    if (this.#keep === 0 && left !== undefined && middle !== undefined && isNeedless(left, middle, reading)) {
      middle.at = reading.at;
      middle.rx = reading.rx;
      middle.tx = reading.tx;
      return;
    }
    this.#list.push(reading);
    this.#bound();
  }

  /** Puts readings back that are older than all of these. */
  putBack(older: readonly Reading[]): void {
    this.#list = [...older, ...this.#list];
    this.#bound();
  }

  takeAll(): readonly Reading[] {
    const taken = this.#list;
    this.#list = [];
    this.#thinAt = this.#keep;
    return taken;
  }

  #bound(): void {
    if (this.#list.length <= this.#thinAt) return;
    this.#list = cut(thin(this.#list));
    this.#thinAt = Math.max(this.#keep, this.#list.length * 2);
  }
}

/** Creates an empty list; beyond `keep` readings, needless ones go. */
export function createReadings(keep: number): Readings {
  return new Readings(keep);
}
