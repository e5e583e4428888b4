/** Days in memory: sums and places. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createDayRing, HELD_DAYS, RING_DAYS } from "../../../src/monitor/usage/day-ring.ts";

describe("day ring", () => {
  it("adds to days and sums a range of them", () => {
    const ring = createDayRing();
    ring.add(100, { rxBytes: 5, txBytes: 7 });
    ring.add(100, { rxBytes: 1, upMinutes: 1, knownMinutes: 1 });
    ring.add(101, { rxBytes: 10, knownMinutes: 1 });
    ring.add(-3, { rxBytes: 1_000 });
    assert.deepEqual(ring.get(100), { rxBytes: 6, txBytes: 7, upMinutes: 1, knownMinutes: 1 });
    assert.deepEqual(ring.sum(100, 102), { rxBytes: 16, txBytes: 7, upMinutes: 1, knownMinutes: 2 });
    assert.deepEqual(ring.sum(100, 101), ring.get(100));
    assert.equal(ring.get(-3)?.rxBytes, 1_000);
    assert.equal(ring.get(102), undefined);
  });

  it("holds the days it promises, and gives a place to the next by forgetting the oldest", () => {
    const ring = createDayRing();
    for (let day = 0; day <= 200; day += 1) ring.add(day, { rxBytes: day });
    for (let day = 200 - HELD_DAYS; day <= 200; day += 1) assert.equal(ring.get(day)?.rxBytes, day);
    assert.equal(ring.get(200 - RING_DAYS), undefined);
    assert.equal(
      ring.sum(0, 201).rxBytes,
      Array.from({ length: RING_DAYS }, (_, i) => 200 - i).reduce((a, b) => a + b),
    );
  });

  it("creates days in any order", () => {
    const ring = createDayRing();
    const sums = { rxBytes: 1, txBytes: 2, upMinutes: 3, knownMinutes: 4 };
    const days = [20_000, 19_994, 19_988, 19_999, 20_060];
    for (const day of days) ring.put(day, sums);
    for (const day of days) assert.deepEqual(ring.get(day), sums);
    assert.equal(ring.sum(19_000, 21_000).knownMinutes, 4 * days.length);
  });

  it("forgets one day at most when a clock goes far ahead and comes back", () => {
    const ring = createDayRing();
    for (let day = 0; day < 90; day += 1) ring.add(day, { rxBytes: 1 });
    ring.add(4_000, { rxBytes: 1 });
    assert.ok(ring.sum(0, 90).rxBytes >= 89);
  });

  it("never passes 2^53 − 1", () => {
    const ring = createDayRing();
    ring.add(1, { rxBytes: Number.MAX_SAFE_INTEGER });
    ring.add(1, { rxBytes: 10 });
    assert.equal(ring.get(1)?.rxBytes, Number.MAX_SAFE_INTEGER);
  });
});
