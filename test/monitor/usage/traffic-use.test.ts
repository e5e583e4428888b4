/** Use of a cycle: modes, corrections, limits. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toTrafficUse } from "../../../src/monitor/usage/traffic-use.ts";
import { trafficSchema } from "../../../src/monitor/base/schema.ts";

const cycle = { from: 1_000, to: 2_000, firstDay: 0, endDay: 1 };
const sums = { rxBytes: 300, txBytes: 200 };

function use(traffic: object, trafficOffsetAt?: number): { usedBytes: number; percent?: number } {
  const record = {
    traffic: trafficSchema.parse(traffic),
    ...(trafficOffsetAt === undefined ? {} : { trafficOffsetAt }),
  };
  return toTrafficUse(record, { cycle, sums });
}

describe("toTrafficUse", () => {
  const modes = [
    ["sum", 500],
    ["max", 300],
    ["rx", 300],
    ["tx", 200],
  ] as const;
  for (const [mode, used] of modes) {
    it(`counts by "${mode}"`, () => {
      assert.equal(use({ mode }).usedBytes, used);
    });
  }

  it("adds the correction in the cycle in which it was set, and in no other", () => {
    const corrected = { usedOffsetBytes: 1_000 };
    assert.equal(use(corrected, 1_000).usedBytes, 1_500);
    assert.equal(use(corrected, 1_999).usedBytes, 1_500);
    assert.equal(use(corrected, 999).usedBytes, 500);
    assert.equal(use(corrected, 2_000).usedBytes, 500);
    assert.equal(use(corrected).usedBytes, 500);
  });

  it("takes away with a correction below 0, but never gives less than 0", () => {
    assert.equal(use({ usedOffsetBytes: -100 }, 1_500).usedBytes, 400);
    assert.equal(use({ usedOffsetBytes: -501 }, 1_500).usedBytes, 0);
  });

  it("gives percent of the limit, in hundredths and above 100, and none without a limit", () => {
    assert.equal(use({ limitBytes: 1_500 }).percent, 33.33);
    assert.equal(use({ limitBytes: 250 }).percent, 200);
    assert.equal("percent" in use({}), false);
  });

  it("stays within whole numbers that JSON can carry", () => {
    const all = { rxBytes: Number.MAX_SAFE_INTEGER, txBytes: Number.MAX_SAFE_INTEGER };
    const record = { traffic: trafficSchema.parse({ usedOffsetBytes: 5 }), trafficOffsetAt: 1_500 };
    assert.equal(toTrafficUse(record, { cycle, sums: all }).usedBytes, Number.MAX_SAFE_INTEGER);
  });
});
