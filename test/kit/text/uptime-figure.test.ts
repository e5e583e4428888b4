import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { YOUNG_BELOW_MS, toUptimeFigure } from "../../../src/kit/text/uptime-figure.ts";

describe("toUptimeFigure", () => {
  it("has no figure without data", () => {
    for (const share of [null, undefined])
      for (const knownMs of [undefined, 0, 60_000, YOUNG_BELOW_MS])
        assert.deepEqual(toUptimeFigure(share, knownMs), { kind: "none" });
  });

  it("has no share of less than an hour, be it 0 or 1", () => {
    for (const share of [0, 0.5, 1])
      for (const knownMs of [0, 12 * 60_000, YOUNG_BELOW_MS - 1])
        assert.deepEqual(toUptimeFigure(share, knownMs), { kind: "young", knownMs });
  });

  it("has the share of an hour and more, and where enough is known", () => {
    for (const share of [0, 0.5, 1])
      for (const knownMs of [YOUNG_BELOW_MS, 90 * 24 * YOUNG_BELOW_MS, undefined])
        assert.deepEqual(toUptimeFigure(share, knownMs), { kind: "share", share });
  });
});
