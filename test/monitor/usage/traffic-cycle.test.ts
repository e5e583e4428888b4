/** Cycles of traffic, table by table: short months, time zones, days that begin late or never were. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { toDay, toDayText } from "../../../src/kit/time/zone-days.ts";
import { createCycleFinder, findTrafficCycle } from "../../../src/monitor/usage/traffic-cycle.ts";

const at = (text: string): number => Date.parse(text);

/** What it is about, reset day, zone, an instant, the cycle's beginning and end. */
const rows: readonly (readonly [string, number, string, string, string, string])[] = [
  ["the first", 1, "UTC", "2026-11-21T12:00:00Z", "2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z"],
  ["its first instant", 1, "UTC", "2026-11-01T00:00:00Z", "2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z"],
  ["its last instant", 1, "UTC", "2026-11-30T23:59:59.999Z", "2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z"],
  ["over a new year", 15, "UTC", "2027-01-03T00:00:00Z", "2026-12-15T00:00:00Z", "2027-01-15T00:00:00Z"],
  ["31 in February", 31, "UTC", "2026-02-28T00:00:00Z", "2026-02-28T00:00:00Z", "2026-03-31T00:00:00Z"],
  [
    "31 before February's end",
    31,
    "UTC",
    "2026-02-27T23:59:59Z",
    "2026-01-31T00:00:00Z",
    "2026-02-28T00:00:00Z",
  ],
  [
    "31 in a leap February",
    31,
    "UTC",
    "2024-02-29T00:00:00Z",
    "2024-02-29T00:00:00Z",
    "2024-03-31T00:00:00Z",
  ],
  ["31 in April", 31, "UTC", "2026-05-01T00:00:00Z", "2026-04-30T00:00:00Z", "2026-05-31T00:00:00Z"],
  ["30 in February", 30, "UTC", "2026-03-01T00:00:00Z", "2026-02-28T00:00:00Z", "2026-03-30T00:00:00Z"],
  ["29 in February", 29, "UTC", "2026-03-01T00:00:00Z", "2026-02-28T00:00:00Z", "2026-03-29T00:00:00Z"],
  [
    "29 in a leap February",
    29,
    "UTC",
    "2024-02-28T23:00:00Z",
    "2024-01-29T00:00:00Z",
    "2024-02-29T00:00:00Z",
  ],
  [
    "summer begins inside",
    1,
    "Europe/Berlin",
    "2026-03-15T00:00:00Z",
    "2026-02-28T23:00:00Z",
    "2026-03-31T22:00:00Z",
  ],
  [
    "winter begins inside",
    1,
    "Europe/Berlin",
    "2026-10-31T22:59:59Z",
    "2026-09-30T22:00:00Z",
    "2026-10-31T23:00:00Z",
  ],
  ["half an hour", 5, "Asia/Kolkata", "2026-11-04T18:30:00Z", "2026-11-04T18:30:00Z", "2026-12-04T18:30:00Z"],
  [
    "three quarters of an hour",
    5,
    "Asia/Kathmandu",
    "2026-11-04T18:14:59Z",
    "2026-10-04T18:15:00Z",
    "2026-11-04T18:15:00Z",
  ],
  [
    "minutes west",
    1,
    "America/St_Johns",
    "2026-11-01T02:30:00Z",
    "2026-11-01T02:30:00Z",
    "2026-12-01T03:30:00Z",
  ],
  [
    "far east",
    1,
    "Pacific/Kiritimati",
    "2026-10-31T10:00:00Z",
    "2026-10-31T10:00:00Z",
    "2026-11-30T10:00:00Z",
  ],
  [
    "far west",
    1,
    "Pacific/Pago_Pago",
    "2026-11-01T10:59:59Z",
    "2026-10-01T11:00:00Z",
    "2026-11-01T11:00:00Z",
  ],
  // 2017-10-01, 2024-04-26 and 2024-03-31: midnight was skipped there, the day begins at 1:00.
  [
    "no midnight",
    1,
    "America/Asuncion",
    "2017-10-05T00:00:00Z",
    "2017-10-01T04:00:00Z",
    "2017-11-01T03:00:00Z",
  ],
  ["no midnight", 26, "Africa/Cairo", "2024-04-25T21:59:59Z", "2024-03-25T22:00:00Z", "2024-04-25T22:00:00Z"],
  ["no midnight", 31, "Asia/Beirut", "2024-03-30T22:00:00Z", "2024-03-30T22:00:00Z", "2024-04-29T21:00:00Z"],
  // Apia had no 2011-12-30: the cycle begins on the 31st.
  [
    "a day that never was",
    30,
    "Pacific/Apia",
    "2011-12-30T10:00:00Z",
    "2011-12-30T10:00:00Z",
    "2012-01-29T10:00:00Z",
  ],
  [
    "before that day",
    30,
    "Pacific/Apia",
    "2011-12-30T09:59:59Z",
    "2011-11-30T10:00:00Z",
    "2011-12-30T10:00:00Z",
  ],
];

describe("findTrafficCycle", () => {
  for (const [what, resetDay, timeZone, instant, from, to] of rows) {
    it(`${what}: reset on ${resetDay} in ${timeZone} at ${instant}`, () => {
      const cycle = findTrafficCycle({ resetDay, timeZone }, at(instant));
      const shown = [cycle.from, cycle.to].map((ms) => new Date(ms).toISOString());
      assert.deepEqual(
        shown,
        [from, to].map((text) => new Date(text).toISOString()),
      );
    });
  }

  it("gives cycles that follow each other, and hold exactly their days", () => {
    const zones = ["UTC", "Europe/Berlin", "America/Asuncion", "Africa/Cairo", "Asia/Beirut", "Pacific/Apia"];
    const instants = fc.integer({ min: at("2010-01-01T00:00:00Z"), max: at("2027-01-01T00:00:00Z") });
    const rule = fc.record({
      resetDay: fc.integer({ min: 1, max: 31 }),
      timeZone: fc.constantFrom(...zones),
    });
    fc.assert(
      fc.property(rule, instants, (asked, instant) => {
        const cycle = findTrafficCycle(asked, instant);
        assert.ok(cycle.from <= instant && instant < cycle.to);
        assert.deepEqual(findTrafficCycle(asked, cycle.to - 1), cycle);
        assert.equal(findTrafficCycle(asked, cycle.to).from, cycle.to);
        const day = toDay(instant, asked.timeZone);
        assert.ok(toDayText(cycle.firstDay) <= day && day < toDayText(cycle.endDay));
      }),
      { numRuns: 150 },
    );
  });

  it("rejects an unknown time zone", () => {
    assert.throws(() => findTrafficCycle({ resetDay: 1, timeZone: "Mars/Base" }, 0), RangeError);
  });
});

describe("createCycleFinder", () => {
  it("gives what findTrafficCycle gives, in any order of rules and instants", () => {
    const find = createCycleFinder();
    const instants = ["2026-02-27T12:00:00Z", "2026-02-28T12:00:00Z", "2026-01-31T00:00:00Z"].map(at);
    for (const instant of [...instants, ...instants]) {
      for (const rule of [
        { resetDay: 31, timeZone: "UTC" },
        { resetDay: 3, timeZone: "UTC" },
        { resetDay: 31, timeZone: "Asia/Tokyo" },
      ])
        assert.deepEqual(find(rule, instant), findTrafficCycle(rule, instant));
    }
    for (let resetDay = 1; resetDay <= 31; resetDay += 1) {
      for (const timeZone of Intl.supportedValuesOf("timeZone").slice(0, 10)) {
        const cycle = find({ resetDay, timeZone }, instants[0] ?? 0);
        assert.ok(cycle.from <= (instants[0] ?? 0));
      }
    }
  });
});
