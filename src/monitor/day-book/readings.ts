/**
 * The readings of one server that the store lacks. Hidden here: which of them can go without changing a sum,
 * so that a store that is away for hours costs a few numbers a server.
 */
import type { Reading } from "./counting.ts";

/** Readings not yet in the store, sorted by time. */
export interface Readings {
  readonly list: readonly Reading[];
  add(reading: Reading): void;
  /** Puts readings back that are older than all of these. */
  putBack(older: readonly Reading[]): void;
  /** Takes all of them out. */
  takeAll(): readonly Reading[];
}

/** Whether all are known and none is less than the one before; a comparison with NaN is false. */
function rises(a: number, b: number, c: number): boolean {
  return a <= b && b <= c;
}

/** Whether the step over `middle` counts what the two steps count: nothing fell, and they are of one day. */
function isNeedless(left: Reading, middle: Reading, right: Reading): boolean {
  if (middle.begins || right.begins || middle.day !== right.day) return false;
  return rises(left.rx, middle.rx, right.rx) && rises(left.tx, middle.tx, right.tx);
}

function thin(readings: readonly Reading[]): Reading[] {
  const kept: Reading[] = [];
  for (const reading of readings) {
    const [left, middle] = kept.slice(-2);
    if (left !== undefined && middle !== undefined && isNeedless(left, middle, reading)) kept.pop();
    kept.push(reading);
  }
  return kept;
}

/** Makes an empty list; beyond `keep` readings, needless ones go. */
export function createReadings(keep: number): Readings {
  let list: Reading[] = [];
  /** Those that are needed may be more than `keep`: they are not looked at again with each further one. */
  let thinAt = keep;

  function bound(): void {
    if (list.length <= thinAt) return;
    list = thin(list);
    thinAt = Math.max(keep, list.length * 2);
  }

  return {
    get list() {
      return list;
    },
    add(reading) {
      const left = list.at(-2);
      const middle = list.at(-1);
      // A process that is alone has this for every report: the list stays at two without being made anew.
      if (keep === 0 && left !== undefined && middle !== undefined && isNeedless(left, middle, reading))
        list.pop();
      list.push(reading);
      bound();
    },
    putBack(older) {
      list = [...older, ...list];
      bound();
    },
    takeAll() {
      const taken = list;
      list = [];
      thinAt = keep;
      return taken;
    },
  };
}
