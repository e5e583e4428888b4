/** Days of time zones, table by table: clock changes both ways, leap days, ends of months and years. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  addDays,
  dayBefore,
  nextMidnight,
  startOfDay,
  toDay,
  toDayNumber,
  toDayText,
} from "../../../src/kit/time/zone-days.ts";

const HOUR = 3_600_000;
const at = (text: string): number => Date.parse(text);

/** Each row: a zone, the first instant of a day, that day, the day before, and how many hours the day has. */
const days: readonly (readonly [string, string, string, string, string, number])[] = [
  ["an ordinary day", "UTC", "2026-01-31T00:00:00Z", "2026-01-31", "2026-01-30", 24],
  ["the end of a month", "UTC", "2026-02-01T00:00:00Z", "2026-02-01", "2026-01-31", 24],
  ["the end of a year", "UTC", "2027-01-01T00:00:00Z", "2027-01-01", "2026-12-31", 24],
  ["the end of a year east", "Pacific/Kiritimati", "2026-12-31T10:00:00Z", "2027-01-01", "2026-12-31", 24],
  ["the end of a year west", "Pacific/Pago_Pago", "2027-01-01T11:00:00Z", "2027-01-01", "2026-12-31", 24],
  ["a leap day", "UTC", "2024-02-29T00:00:00Z", "2024-02-29", "2024-02-28", 24],
  ["the day after a leap day", "UTC", "2024-03-01T00:00:00Z", "2024-03-01", "2024-02-29", 24],
  ["March of a year without one", "UTC", "2026-03-01T00:00:00Z", "2026-03-01", "2026-02-28", 24],
  ["2000, a leap year", "UTC", "2000-03-01T00:00:00Z", "2000-03-01", "2000-02-29", 24],
  ["2100, none", "UTC", "2100-03-01T00:00:00Z", "2100-03-01", "2100-02-28", 24],
  ["three quarters of an hour", "Asia/Kathmandu", "2026-05-31T18:15:00Z", "2026-06-01", "2026-05-31", 24],
  ["spring, at 2:00", "Europe/Berlin", "2026-03-28T23:00:00Z", "2026-03-29", "2026-03-28", 23],
  ["autumn, at 3:00", "Europe/Berlin", "2026-10-24T22:00:00Z", "2026-10-25", "2026-10-24", 25],
  ["the day after spring", "Europe/Berlin", "2026-03-29T22:00:00Z", "2026-03-30", "2026-03-29", 24],
  ["the day after autumn", "Europe/Berlin", "2026-10-25T23:00:00Z", "2026-10-26", "2026-10-25", 24],
  ["spring in New York", "America/New_York", "2026-03-08T05:00:00Z", "2026-03-08", "2026-03-07", 23],
  ["autumn in New York", "America/New_York", "2026-11-01T04:00:00Z", "2026-11-01", "2026-10-31", 25],
  ["half an hour of summer", "Australia/Lord_Howe", "2026-10-03T13:30:00Z", "2026-10-04", "2026-10-03", 23.5],
  ["half an hour back", "Australia/Lord_Howe", "2026-04-04T13:00:00Z", "2026-04-05", "2026-04-04", 24.5],
  ["two hours of summer", "Antarctica/Troll", "2026-03-29T00:00:00Z", "2026-03-29", "2026-03-28", 22],
  ["no 00:00", "America/Sao_Paulo", "2018-11-04T03:00:00Z", "2018-11-04", "2018-11-03", 23],
  ["the day before no 00:00", "America/Sao_Paulo", "2018-11-03T03:00:00Z", "2018-11-03", "2018-11-02", 24],
  ["00:00 back to 23:00", "America/Sao_Paulo", "2018-02-17T02:00:00Z", "2018-02-17", "2018-02-16", 25],
  ["no 00:00 on a Friday", "Africa/Cairo", "2024-04-25T22:00:00Z", "2024-04-26", "2024-04-25", 23],
  ["24:00 back to 23:00", "Africa/Cairo", "2024-10-30T21:00:00Z", "2024-10-31", "2024-10-30", 25],
  ["no 00:00 on a Sunday", "Asia/Beirut", "2024-03-30T22:00:00Z", "2024-03-31", "2024-03-30", 23],
  ["24:00 back to 23:00 too", "Asia/Beirut", "2024-10-25T21:00:00Z", "2024-10-26", "2024-10-25", 25],
  ["after a day that never was", "Pacific/Apia", "2011-12-30T10:00:00Z", "2011-12-31", "2011-12-29", 24],
  ["before a day that never was", "Pacific/Apia", "2011-12-29T10:00:00Z", "2011-12-29", "2011-12-28", 24],
];

describe("days of a time zone", () => {
  for (const [what, zone, start, day, before, hours] of days) {
    it(`${what}: ${zone} ${day} has ${hours} hours`, () => {
      const first = at(start);
      const next = first + hours * HOUR;
      assert.equal(toDay(first, zone), day);
      assert.equal(toDay(first - 1, zone), before, "one millisecond earlier");
      assert.equal(toDay(next - 1, zone), day, "its last millisecond");
      assert.notEqual(toDay(next, zone), day, "one millisecond later");
      // From the first millisecond, the last, and each hour between.
      for (let ms = first; ms < next; ms += HOUR) {
        assert.equal(nextMidnight(ms, zone), next);
        assert.equal(dayBefore(ms, zone), before);
      }
      assert.equal(nextMidnight(next - 1, zone), next);
      assert.equal(dayBefore(next - 1, zone), before);
      assert.equal(nextMidnight(first - 1, zone), first);
      assert.equal(startOfDay(day, zone), first);
    });
  }

  it("has no days but those that follow each other, over years of every kind of zone", () => {
    const zones = ["Europe/Berlin", "America/Sao_Paulo", "Africa/Cairo", "Pacific/Apia", "America/Santiago"];
    for (const zone of zones) {
      let ms = at("2010-01-01T12:00:00Z");
      let day = toDay(ms, zone);
      for (let count = 0; count < 800; count += 1) {
        ms = nextMidnight(ms, zone);
        const next = toDay(ms, zone);
        assert.ok(next > day, `${zone}: ${next} after ${day}`);
        assert.equal(dayBefore(ms, zone), day, `${zone} ${next}`);
        if (next !== "2011-12-31" || zone !== "Pacific/Apia") assert.equal(addDays(next, -1), day, zone);
        day = next;
      }
    }
  });

  it("goes on where a clock was set back from just after midnight", () => {
    // St. John's, 2006-10-29: 00:01 became 23:01 of the 28th.
    const zone = "America/St_Johns";
    const instants = ["2006-10-29T02:30:30Z", "2006-10-29T02:31:30Z", "2006-10-29T03:30:30Z"].map(at);
    assert.deepEqual(
      instants.map((ms) => toDay(ms, zone)),
      ["2006-10-29", "2006-10-28", "2006-10-29"],
    );
    for (const ms of instants) {
      assert.equal(toDay(nextMidnight(ms, zone), zone) > toDay(ms, zone), true);
      assert.equal(dayBefore(ms, zone) < toDay(ms, zone), true);
    }
  });

  it("knows many zones at once, more than it remembers", () => {
    for (const zone of Intl.supportedValuesOf("timeZone").slice(0, 150))
      assert.match(toDay(at("2026-06-15T12:00:00Z"), zone), /^2026-06-1[456]$/u);
    assert.throws(() => toDay(0, "Mars/Base"), RangeError);
  });

  it("gives a day that never was the beginning of the next one", () => {
    assert.equal(startOfDay("2011-12-30", "Pacific/Apia"), at("2011-12-30T10:00:00Z"));
    assert.equal(startOfDay("2011-12-31", "Pacific/Apia"), at("2011-12-30T10:00:00Z"));
  });

  it("numbers days so that they can be counted and compared", () => {
    assert.equal(toDayNumber("1970-01-01"), 0);
    assert.equal(toDayNumber("2024-03-01") - toDayNumber("2024-02-28"), 2);
    for (const day of ["1969-12-31", "2026-11-21", "0099-01-01"])
      assert.equal(toDayText(toDayNumber(day)), day);
  });

  it("adds days over months and leap years", () => {
    assert.equal(addDays("2024-02-28", 1), "2024-02-29");
    assert.equal(addDays("2100-02-28", 1), "2100-03-01");
    assert.equal(addDays("2026-12-31", 1), "2027-01-01");
    assert.equal(addDays("2024-03-01", -1), "2024-02-29");
    assert.equal(addDays("2026-01-01", -1), "2025-12-31");
  });
});
