/** Streaks, bonuses and rewards, table by table; what a zone that is moved does to them. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  type PastCheckIn,
  firstImpossibleDay,
  pickReward,
  readToday,
  findNextBonus,
  toBonus,
  toStreak,
} from "../../../src/auth/check-in/calendar.ts";
import { toDay } from "../../../src/kit/time/zone-days.ts";

const HOUR = 3_600_000;
const at = (text: string): number => Date.parse(text);

/** A check-in made at an instant while a zone was set. */
function past(time: string, zone: string, streak: number): PastCheckIn {
  return { day: toDay(at(time), zone), at: at(time), streak };
}

const done = (streak: number) => ({ kind: "done", streak });
const goesOn = (present: number) => ({ kind: "open", streak: present + 1, present });
const starts = { kind: "open", streak: 1, present: 0 };

describe("streaks", () => {
  it("know the first day that no right clock and zone can bear yet", () => {
    assert.equal(firstImpossibleDay("2026-01-30"), "2026-02-02");
  });

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

  /** Tries to check in every hour for 40 days while the zone changes, at least `calmHours` apart. */
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

  it("continue for a user who checks in every day while the zone changes now and then", () => {
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

  it("lie ahead at the next length that has any", () => {
    const bonuses = [
      { days: 7, bonus: 20, every: true },
      { days: 10, bonus: 5, every: false },
      { days: 14, bonus: 1, every: false },
    ];
    assert.deepEqual(findNextBonus(0, bonuses), { days: 7, bonus: 20 });
    assert.deepEqual(findNextBonus(7, bonuses), { days: 3, bonus: 5 });
    assert.deepEqual(findNextBonus(10, bonuses), { days: 4, bonus: 21 });
    assert.equal(findNextBonus(10, [{ days: 10, bonus: 5, every: false }]), undefined);
    assert.equal(findNextBonus(3, []), undefined);
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
