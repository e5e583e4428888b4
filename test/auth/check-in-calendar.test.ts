/** The calendar of check-ins, table by table: zones, clock changes, leap days, streaks, bonuses, rewards. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  addDays,
  dayBefore,
  firstImpossibleDay,
  nextMidnight,
  pickReward,
  previousDay,
  readToday,
  toBonus,
  toDay,
  toStreak,
} from "../../src/auth/check-in-calendar.ts";
import type { PastCheckIn } from "../../src/auth/check-in-calendar.ts";

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
        if (next !== "2011-12-31" || zone !== "Pacific/Apia") assert.equal(previousDay(next), day, zone);
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

  it("adds days over months and leap years", () => {
    assert.equal(addDays("2024-02-28", 1), "2024-02-29");
    assert.equal(addDays("2100-02-28", 1), "2100-03-01");
    assert.equal(addDays("2026-12-31", 1), "2027-01-01");
    assert.equal(previousDay("2024-03-01"), "2024-02-29");
    assert.equal(previousDay("2026-01-01"), "2025-12-31");
    assert.equal(firstImpossibleDay("2026-01-30"), "2026-02-02");
  });
});

/** A check-in made at an instant while a zone was set. */
function past(time: string, zone: string, streak: number): PastCheckIn {
  return { day: toDay(at(time), zone), at: at(time), streak };
}

const done = (streak: number) => ({ kind: "done", streak });
const goesOn = (present: number) => ({ kind: "open", streak: present + 1, present });
const starts = { kind: "open", streak: 1, present: 0 };

describe("streaks", () => {
  const rows: readonly (readonly [string, PastCheckIn | undefined, string, string, object])[] = [
    ["begin with the first check-in", undefined, "2026-01-31T12:00:00Z", "UTC", starts],
    [
      "are made once a day",
      past("2026-01-31T00:00:00Z", "UTC", 3),
      "2026-01-31T23:59:59.999Z",
      "UTC",
      done(3),
    ],
    [
      "go on a millisecond after midnight",
      past("2026-01-31T23:59:59.999Z", "UTC", 3),
      "2026-02-01T00:00:00Z",
      "UTC",
      goesOn(3),
    ],
    [
      "go on until the end of the next day",
      past("2026-01-31T00:00:00Z", "UTC", 3),
      "2026-02-01T23:59:59.999Z",
      "UTC",
      goesOn(3),
    ],
    [
      "break after a day without",
      past("2026-01-31T23:59:59Z", "UTC", 3),
      "2026-02-02T00:00:00Z",
      "UTC",
      starts,
    ],
    [
      "go on over a leap day",
      past("2024-02-28T12:00:00Z", "UTC", 3),
      "2024-02-29T12:00:00Z",
      "UTC",
      goesOn(3),
    ],
    [
      "break when a leap day is left out",
      past("2024-02-28T12:00:00Z", "UTC", 3),
      "2024-03-01T12:00:00Z",
      "UTC",
      starts,
    ],
    [
      "go on where there is no leap day",
      past("2100-02-28T12:00:00Z", "UTC", 3),
      "2100-03-01T12:00:00Z",
      "UTC",
      goesOn(3),
    ],
    [
      "go on over a day that never was",
      past("2011-12-29T20:00:00Z", "Pacific/Apia", 3),
      "2011-12-30T20:00:00Z",
      "Pacific/Apia",
      goesOn(3),
    ],
    [
      "break when the day before the one that never was is left out",
      past("2011-12-28T20:00:00Z", "Pacific/Apia", 3),
      "2011-12-30T20:00:00Z",
      "Pacific/Apia",
      starts,
    ],
    [
      "go on over a day of 23 hours",
      past("2026-03-28T12:00:00Z", "Europe/Berlin", 3),
      "2026-03-29T21:59:59.999Z",
      "Europe/Berlin",
      goesOn(3),
    ],
    [
      "break after a day of 25 hours without",
      past("2026-10-24T21:59:59.999Z", "Europe/Berlin", 3),
      "2026-10-25T23:00:00Z",
      "Europe/Berlin",
      starts,
    ],
    [
      "go on until the last millisecond of a day of 25 hours",
      past("2026-10-24T21:59:59.999Z", "Europe/Berlin", 3),
      "2026-10-25T22:59:59.999Z",
      "Europe/Berlin",
      goesOn(3),
    ],
    [
      "give no second reward when the zone moves west into the day before",
      past("2026-01-31T11:00:00Z", "Pacific/Kiritimati", 3),
      "2026-01-31T11:00:01Z",
      "Pacific/Pago_Pago",
      done(3),
    ],
    [
      "wait after that until the stored day has passed",
      past("2026-01-31T11:00:00Z", "Pacific/Kiritimati", 3),
      "2026-02-02T10:59:59.999Z",
      "Pacific/Pago_Pago",
      done(3),
    ],
    [
      "go on after that wait",
      past("2026-01-31T11:00:00Z", "Pacific/Kiritimati", 3),
      "2026-02-02T11:00:00Z",
      "Pacific/Pago_Pago",
      goesOn(3),
    ],
    [
      "give no second reward when the zone moves east into the next day",
      past("2026-01-31T12:00:00Z", "UTC", 3),
      "2026-01-31T12:00:01Z",
      "Pacific/Kiritimati",
      done(3),
    ],
    [
      "go on when the zone moves east over a day that nobody could use",
      past("2026-01-31T10:30:00Z", "Pacific/Pago_Pago", 3),
      "2026-02-01T10:30:00Z",
      "Pacific/Kiritimati",
      goesOn(3),
    ],
    [
      "break when two days of the new zone have passed",
      past("2026-01-31T12:00:00Z", "UTC", 3),
      "2026-02-02T10:00:00Z",
      "Pacific/Kiritimati",
      starts,
    ],
  ];
  for (const [what, last, now, zone, expected] of rows) {
    it(what, () => {
      assert.deepEqual(toStreak({ ...readToday(at(now), zone), last }), expected);
    });
  }

  const zones = ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Europe/Berlin", "America/Sao_Paulo"];

  /** Somebody who tries each hour for 40 days while the zone moves, at least `calmHours` apart. */
  function live(seed: number, calmHours: number): void {
    let state = seed;
    const draw = (below: number): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state % below;
    };
    let last: PastCheckIn | undefined;
    let zone = "UTC";
    let movedAt = 0;
    for (let hour = 0; hour < 24 * 40; hour += 1) {
      if (hour - movedAt >= calmHours && draw(20) === 0) {
        zone = zones[draw(zones.length)] ?? "UTC";
        movedAt = hour;
      }
      const ms = at("2018-10-10T00:00:00Z") + hour * HOUR;
      const today = readToday(ms, zone);
      const now = toStreak({ ...today, last });
      assert.ok(now.streak >= 1);
      if (now.kind === "done") continue;
      assert.ok(last === undefined || today.today > last.day, "a day is stored twice");
      assert.ok(last === undefined || today.today > toDay(last.at, zone), "a day is rewarded twice");
      if (calmHours >= 96) assert.equal(now.streak, (last?.streak ?? 0) + 1, `seed ${seed}, hour ${hour}`);
      last = { day: today.today, at: ms, streak: now.streak };
    }
    assert.ok((last?.streak ?? 0) > 0);
  }

  it("give no two rewards in one day however often the zone moves", () => {
    for (let seed = 1; seed <= 40; seed += 1) live(seed, 1);
  });

  it("go on for whoever comes all the time when the zone moves now and then", () => {
    for (let seed = 1; seed <= 40; seed += 1) live(seed, 96);
  });
});

describe("bonuses", () => {
  const bonuses = [
    { days: 7, bonus: 20, every: true },
    { days: 30, bonus: 100, every: false },
    { days: 14, bonus: 5, every: false },
  ];
  const rows = [
    [1, 0],
    [6, 0],
    [7, 20],
    [8, 0],
    [14, 25],
    [21, 20],
    [28, 20],
    [30, 100],
    [60, 0],
    [210, 20],
  ] as const;
  for (const [streak, bonus] of rows) {
    it(`are ${bonus} points at ${streak} days`, () => {
      assert.equal(toBonus(streak, bonuses), bonus);
    });
  }
  it("are none without rules", () => {
    assert.equal(toBonus(7, []), 0);
    assert.equal(toBonus(0, bonuses), 0);
  });
});

describe("rewards", () => {
  it("reach from the least to the most, both included", () => {
    const almost = 1 - Number.EPSILON / 2;
    assert.equal(
      pickReward(5, 9, () => 0),
      5,
    );
    assert.equal(
      pickReward(5, 9, () => almost),
      9,
    );
    assert.equal(
      pickReward(5, 9, () => 0.5),
      7,
    );
    assert.equal(
      pickReward(10, 10, () => almost),
      10,
    );
    assert.equal(
      pickReward(0, 1_000_000, () => almost),
      1_000_000,
    );
  });
});
