/** The readings of one server that the store lacks. */
import type { Reading } from "./counting.ts";

/** The list's own: nobody else holds its last one, which may be written over. */
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

/** Makes an empty list; beyond `keep` readings, needless ones go. */
export function createReadings(keep: number) {
  let list: OwnReading[] = [];
  /** Those that are needed may be more than `keep`: they are not looked at again with each further one. */
  let thinAt = keep;

  function bound(): void {
    if (list.length <= thinAt) return;
    list = cut(thin(list));
    thinAt = Math.max(keep, list.length * 2);
  }

  return {
    get list(): readonly Reading[] {
      return list;
    },
    add(reading: Reading): void {
      const left = list.at(-2);
      const middle = list.at(-1);
      // A process that is alone has this for every report; day and `begins` are the same, or it were needed.
      if (keep === 0 && left !== undefined && middle !== undefined && isNeedless(left, middle, reading)) {
        middle.at = reading.at;
        middle.rx = reading.rx;
        middle.tx = reading.tx;
        return;
      }
      list.push(reading);
      bound();
    },
    /** Puts readings back that are older than all of these. */
    putBack(older: readonly Reading[]): void {
      list = [...older, ...list];
      bound();
    },
    /** Takes all of them out. */
    takeAll(): readonly Reading[] {
      const taken = list;
      list = [];
      thinAt = keep;
      return taken;
    },
  };
}

/** Readings not yet in the store, sorted by time. */
export type Readings = ReturnType<typeof createReadings>;
