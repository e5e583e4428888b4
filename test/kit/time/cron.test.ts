import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findNextCron, isCron } from "../../../src/kit/time/cron.ts";

function next(expression: string, timeZone: string, after: string): string | undefined {
  const ms = findNextCron(expression, timeZone, Date.parse(after));
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

describe("isCron", () => {
  it("takes five fields and nicknames", () => {
    for (const good of [
      "* * * * *",
      "*/5 8-18 * * MON-FRI",
      "0 0 29 2 *",
      "0 3 L * *",
      "@daily",
      "@hourly",
      "@weekly",
    ])
      assert.equal(isCron(good), true, good);
  });

  it("refuses what is no line of a crontab, and what never comes", () => {
    const bad = [
      "",
      "*",
      "0 0 * * * *",
      "60 0 * * *",
      "0 0 30 2 *",
      "0 0 31 4 *",
      "@reboot",
      "@never",
      "2026-05-01T00:00:00",
    ];
    for (const each of [...bad, "*/61 * * * *", "a b c d e", "0 0 * * 8", "-1 0 * * *"])
      assert.equal(isCron(each), false, each);
  });
});

describe("findNextCron", () => {
  it("is due after the time that is named, never at it", () => {
    assert.equal(next("* * * * *", "UTC", "2026-01-31T12:00:00Z"), "2026-01-31T12:01:00.000Z");
    assert.equal(next("* * * * *", "UTC", "2026-01-31T12:00:59.999Z"), "2026-01-31T12:01:00.000Z");
    assert.equal(next("@daily", "Asia/Kolkata", "2026-01-31T12:00:00Z"), "2026-01-31T18:30:00.000Z");
    assert.equal(next("0 0 29 2 *", "UTC", "2026-03-01T00:00:00Z"), "2028-02-29T00:00:00.000Z");
  });

  it("returns the same in any order of calls", () => {
    const hours = Array.from({ length: 60 }, (_, hour) => Date.UTC(2026, 9, 24, hour, 29, 59));
    const ask = (after: number): number | undefined => findNextCron("30 2 * * *", "Europe/Berlin", after);
    const inOrder = hours.map(ask);
    const backwards = hours.toReversed().map(ask).toReversed();
    assert.deepEqual(backwards, inOrder);
    assert.equal(new Set(inOrder).size, 4);
  });

  it("takes a time that the clocks skip as the first one after", () => {
    // Berlin goes from 02:00 to 03:00 at 01:00 UTC.
    assert.equal(next("30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z"), "2026-03-29T01:00:00.000Z");
    assert.equal(next("30 2 * * *", "Europe/Berlin", "2026-03-29T01:00:00Z"), "2026-03-30T00:30:00.000Z");
    assert.equal(next("*/30 * * * *", "Europe/Berlin", "2026-03-29T00:30:00Z"), "2026-03-29T01:00:00.000Z");
  });

  it("takes a time that the clocks show twice once, and hourly ones each time", () => {
    assert.equal(next("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z"), "2026-10-25T00:30:00.000Z");
    assert.equal(next("30 2 * * *", "Europe/Berlin", "2026-10-25T00:30:00Z"), "2026-10-26T01:30:00.000Z");
    assert.equal(next("30 * * * *", "Europe/Berlin", "2026-10-25T00:30:00Z"), "2026-10-25T01:30:00.000Z");
  });
});
