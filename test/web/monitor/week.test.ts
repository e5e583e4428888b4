/** The present week of a time zone, Monday to Monday. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findWeek } from "../../../src/web/monitor/channels/week.ts";

function week(now: string, timeZone: string): readonly string[] {
  const { from, to } = findWeek(Date.parse(now), timeZone);
  return [from, to].map((ms) => new Date(ms).toISOString());
}

describe("the present week", () => {
  it("begins and ends on Mondays at midnight of the zone", () => {
    assert.deepEqual(week("2026-11-29T12:00:00Z", "UTC"), [
      "2026-11-23T00:00:00.000Z",
      "2026-11-30T00:00:00.000Z",
    ]);
    // It is Monday in Tokyo, and still Sunday in Los Angeles.
    assert.deepEqual(week("2026-11-29T15:00:00Z", "Asia/Tokyo"), [
      "2026-11-29T15:00:00.000Z",
      "2026-12-06T15:00:00.000Z",
    ]);
    assert.deepEqual(week("2026-11-30T07:59:59Z", "America/Los_Angeles"), [
      "2026-11-23T08:00:00.000Z",
      "2026-11-30T08:00:00.000Z",
    ]);
  });

  it("has an hour more or less when the clocks change", () => {
    assert.deepEqual(week("2026-10-22T12:00:00Z", "Europe/Berlin"), [
      "2026-10-18T22:00:00.000Z",
      "2026-10-25T23:00:00.000Z",
    ]);
    assert.deepEqual(week("2026-03-25T12:00:00Z", "Europe/Berlin"), [
      "2026-03-22T23:00:00.000Z",
      "2026-03-29T22:00:00.000Z",
    ]);
  });

  it("is that of UTC while the typed zone is none", () => {
    assert.deepEqual(week("2026-11-29T12:00:00Z", "Europe/Ber"), week("2026-11-29T12:00:00Z", "UTC"));
  });
});
