/** What is kept of a server while the store lacks it. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Reading, countReadings } from "../../../src/monitor/usage/counting.ts";
import { createReadings } from "../../../src/monitor/usage/readings.ts";

const reading = (at: number, rx: number, tx = Number.NaN): Reading => ({
  at,
  rx,
  tx,
  day: 1,
  begins: at === 1,
});

function count(readings: readonly Reading[]): number {
  const { days } = countReadings({ gaps: [] }, { readings, origin: "a" });
  return days.get(1)?.rxBytes ?? 0;
}

describe("createReadings", () => {
  for (const keep of [0, 64]) {
    it(`needs few of an agent that tells one counter alone (${keep})`, () => {
      const readings = createReadings(keep);
      for (let at = 1; at <= 10_000; at += 1) readings.add(reading(at, 3 * at));
      assert.ok(readings.list.length <= Math.max(3, keep + 1), `${readings.list.length}`);
      assert.equal(count(readings.list), 3 * 9_999);
    });

    it(`has a bound for counters that fall again and again (${keep})`, () => {
      const readings = createReadings(keep);
      for (let at = 1; at <= 50_000; at += 1) readings.add(reading(at, at % 2 === 0 ? 1 : 5, 0));
      assert.ok(readings.list.length <= 4_097, `${readings.list.length}`);
      const { list } = readings;
      assert.deepEqual([list[0]?.at, list.at(-1)?.at], [1, 50_000]);
      assert.equal(list[1]?.begins, true);
      assert.ok(list.every(({ at }, index) => at > (list[index - 1]?.at ?? 0)));
    });
  }

  it("counts many restarts at a time, and keeps the latest gaps", () => {
    const readings = Array.from({ length: 20_000 }, (_, n) => reading(n + 1, n % 2 === 0 ? 5 : 1, 0));
    const { state, days } = countReadings({ gaps: [] }, { readings, origin: "a" });
    assert.equal(days.get(1)?.rxBytes, 10_000 * 1 + 9_999 * 4);
    assert.deepEqual(
      state.gaps.map(({ to }) => to.countedAt),
      Array.from({ length: 16 }, (_, n) => 19_970 + 2 * n),
    );
  });
});
