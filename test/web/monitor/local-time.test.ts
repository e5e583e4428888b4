/** Moments as date fields hold them, in whatever zone the tests run. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { parseLocal, toDateText, toDateTimeText } from "../../../src/web/ui/forms/local-time.ts";

describe("moments in date fields", () => {
  it("shows nothing for no moment", () => {
    assert.deepEqual([toDateText(undefined), toDateTimeText(undefined)], ["", ""]);
  });

  it("means the last second of a day by a date alone", () => {
    const iso = parseLocal("2026-11-30");
    assert.equal(iso, new Date(2026, 10, 30, 23, 59, 59).toISOString());
    assert.equal(toDateText(iso), "2026-11-30");
  });

  it("reads a date with a time to the minute", () => {
    assert.equal(parseLocal("2026-11-30T07:05"), new Date(2026, 10, 30, 7, 5).toISOString());
  });

  it("keeps an unchanged moment, to the millisecond and in its own offset", () => {
    const before = "2026-11-30T12:34:56.789+05:30";
    assert.equal(parseLocal(toDateText(before), before), before);
    assert.equal(parseLocal(toDateTimeText(before), before), before);
    assert.notEqual(parseLocal("2026-12-01", before), before);
  });

  it("does not take days that are none", () => {
    for (const text of ["", "2026-02-30", "2026-13-01", "30.11.2026", "2026-11-31", "tomorrow"])
      assert.equal(parseLocal(text), undefined, text);
  });

  it("shows a date field's text again as it was typed", () => {
    const day = fc.date({ min: new Date(2000, 0, 1), max: new Date(2099, 11, 31), noInvalidDate: true });
    fc.assert(
      fc.property(day, (date) => {
        const text = toDateText(date.getTime());
        assert.equal(toDateText(parseLocal(text)), text);
      }),
    );
  });
});
