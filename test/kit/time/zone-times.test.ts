import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toInstant, toWallText } from "../../../src/kit/time/zone-times.ts";

const timeZone = "America/New_York";

function instant(day: string, minutes: number, pick: "first" | "last" = "first"): string {
  return new Date(toInstant({ day, minutes }, { timeZone, pick })).toISOString();
}

describe("times of day in a zone", () => {
  it("are found in winter and summer", () => {
    assert.equal(instant("2026-01-31", 0), "2026-01-31T05:00:00.000Z");
    assert.equal(instant("2026-07-31", 23 * 60 + 59), "2026-08-01T03:59:00.000Z");
  });

  it("that are lived twice are the first or the last", () => {
    // 2026-11-01: 02:00 becomes 01:00.
    assert.equal(instant("2026-11-01", 90, "first"), "2026-11-01T05:30:00.000Z");
    assert.equal(instant("2026-11-01", 90, "last"), "2026-11-01T06:30:00.000Z");
    assert.equal(instant("2026-11-01", 180, "first"), instant("2026-11-01", 180, "last"));
  });

  it("that are skipped use the offset before the change", () => {
    // 2026-03-08: 02:00 becomes 03:00.
    assert.equal(instant("2026-03-08", 150), "2026-03-08T07:30:00.000Z");
  });

  it("know zones with odd offsets", () => {
    const at = toInstant({ day: "2026-01-31", minutes: 345 }, { timeZone: "Asia/Kathmandu", pick: "first" });
    assert.equal(new Date(at).toISOString(), "2026-01-31T00:00:00.000Z");
    assert.equal(toWallText(at, "Asia/Kathmandu"), "2026-01-31 05:45");
    assert.equal(toWallText(at + 59_999, "UTC"), "2026-01-31 00:00");
  });

  it("of an unknown zone are refused", () => {
    assert.throws(() => toWallText(0, "Mars/Olympus"), RangeError);
  });
});
