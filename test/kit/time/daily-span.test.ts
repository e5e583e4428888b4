import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findSpanEnd } from "../../../src/kit/time/daily-span.ts";

const MINUTE_MS = 60_000;

type Hours = { from: string; to: string };

function ends(hours: Hours, at: string): string | undefined {
  const end = findSpanEnd({ timeZone: "Europe/Berlin", ...hours }, Date.parse(at));
  return end === undefined ? undefined : new Date(end).toISOString().slice(0, 16);
}

/** The spans of minutes in a day and a half that are quiet. */
function spans(hours: Hours, from: string): string[] {
  const found: string[] = [];
  let open: string | undefined;
  for (let at = Date.parse(from); at < Date.parse(from) + 36 * 60 * MINUTE_MS; at += MINUTE_MS) {
    const text = new Date(at).toISOString();
    const isQuiet = ends(hours, text) !== undefined;
    if (isQuiet) open ??= text.slice(11, 16);
    if (!isQuiet && open !== undefined) {
      found.push(`${open}-${text.slice(11, 16)}`);
      open = undefined;
    }
  }
  return found;
}

describe("a span of each day", () => {
  it("reach over midnight, with the beginning and without the end", () => {
    const night = { from: "22:00", to: "07:00" };
    assert.equal(ends(night, "2026-01-31T20:59:59Z"), undefined);
    assert.equal(ends(night, "2026-01-31T21:00:00Z"), "2026-02-01T06:00");
    assert.equal(ends(night, "2026-02-01T05:59:59Z"), "2026-02-01T06:00");
    assert.equal(ends(night, "2026-02-01T06:00:00Z"), undefined);
  });

  it("may lie within one day", () => {
    const noon = { from: "12:00", to: "14:30" };
    assert.equal(ends(noon, "2026-01-31T11:00:00Z"), "2026-01-31T13:30");
    assert.equal(ends(noon, "2026-01-31T13:30:00Z"), undefined);
    assert.equal(ends(noon, "2026-01-31T23:00:00Z"), undefined);
  });

  it("begins on the days that are wanted alone", () => {
    const night = { from: "22:00", to: "07:00", timeZone: "Europe/Berlin" };
    const onSaturday = (at: string): boolean =>
      findSpanEnd(night, Date.parse(at), (day) => day === "2026-01-31") !== undefined;
    assert.deepEqual(
      ["2026-01-30T22:00:00Z", "2026-01-31T05:59:00Z", "2026-01-31T21:00:00Z", "2026-02-01T05:59:00Z"].map(
        onSaturday,
      ),
      [false, false, true, true],
    );
    assert.equal(onSaturday("2026-02-01T21:00:00Z"), false);
  });

  it("are one night when clocks are set forward or back in it", () => {
    const night = { from: "22:00", to: "07:00" };
    // 2026-03-29 02:00 becomes 03:00; 2026-10-25 03:00 becomes 02:00.
    assert.deepEqual(spans(night, "2026-03-28T12:00:00Z"), ["21:00-05:00"]);
    assert.deepEqual(spans(night, "2026-10-24T12:00:00Z"), ["20:00-06:00"]);
  });

  it("that begin or end in an hour that is lived twice are one span", () => {
    assert.deepEqual(spans({ from: "22:00", to: "02:30" }, "2026-10-24T12:00:00Z"), ["20:00-01:30"]);
    assert.deepEqual(spans({ from: "02:30", to: "05:00" }, "2026-10-24T12:00:00Z"), ["00:30-04:00"]);
  });

  it("that begin or end in an hour that is skipped do so at the same time by the clock before", () => {
    assert.deepEqual(spans({ from: "22:00", to: "02:30" }, "2026-03-28T12:00:00Z"), ["21:00-01:30"]);
    assert.deepEqual(spans({ from: "02:30", to: "05:00" }, "2026-03-28T12:00:00Z"), ["01:30-03:00"]);
  });
});
