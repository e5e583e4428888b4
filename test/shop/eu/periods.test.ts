/** How days count (Regulation 1182/71), in the shop's zone, over changes of the clocks. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findLastDay, findPeriodEnd } from "../../../src/shop/eu/periods.ts";
import { findOpenWithdrawal, findWithdrawalEnd } from "../../../src/shop/eu/right-of-withdrawal.ts";
import { euSettingsSchema, isEuOn } from "../../../src/shop/eu/schema.ts";
import { euWords, findEuWords } from "../../../src/shop/eu/words.ts";

const berlin = { timeZone: "Europe/Berlin", publicHolidays: [] };
const ms = (time: string): number => Date.parse(time);

describe("a period of days", () => {
  const cases: readonly [string, string, number, string][] = [
    ["leaves out the day of the event", "2026-03-02T00:00:00+01:00", 14, "2026-03-16"],
    ["is the same from the last moment of that day", "2026-03-02T23:59:59+01:00", 14, "2026-03-16"],
    ["ends on Monday instead of Saturday", "2026-03-07T12:00:00+01:00", 14, "2026-03-23"],
    ["ends on Monday instead of Sunday", "2026-03-08T12:00:00+01:00", 14, "2026-03-23"],
    ["passes over the end of a year", "2026-12-21T12:00:00+01:00", 14, "2027-01-04"],
  ];
  for (const [name, event, days, expected] of cases)
    it(name, () => {
      assert.equal(findLastDay(ms(event), days, berlin), expected);
    });

  it("ends after public holidays, also those beside a weekend", () => {
    const publicHolidays = ["2026-04-03", "2026-04-06"];
    const calendar = { ...berlin, publicHolidays };
    assert.equal(findLastDay(ms("2026-03-20T12:00:00+01:00"), 14, calendar), "2026-04-07");
    assert.equal(findLastDay(ms("2026-03-20T12:00:00+01:00"), 14, berlin), "2026-04-03");
  });

  it("counts days of the shop's zone", () => {
    const event = ms("2026-03-02T23:30:00Z");
    assert.equal(findLastDay(event, 14, { ...berlin, timeZone: "UTC" }), "2026-03-16");
    assert.equal(findLastDay(event, 14, berlin), "2026-03-17");
    assert.equal(findLastDay(event, 14, { ...berlin, timeZone: "America/New_York" }), "2026-03-16");
  });

  it("ends at the midnight of the wall, when the clocks were changed meanwhile", () => {
    const spring = findPeriodEnd(ms("2026-03-18T12:00:00+01:00"), 14, berlin);
    assert.equal(spring, ms("2026-04-02T00:00:00+02:00"));
    const autumn = findPeriodEnd(ms("2026-10-14T12:00:00+02:00"), 14, berlin);
    assert.equal(autumn, ms("2026-10-29T00:00:00+01:00"));
    // Clocks go forward at midnight in Beirut: the day after begins at 01:00.
    const beirut = { timeZone: "Asia/Beirut", publicHolidays: [] };
    const skipped = findPeriodEnd(ms("2025-03-16T12:00:00+02:00"), 13, beirut);
    assert.equal(findLastDay(ms("2025-03-16T12:00:00+02:00"), 13, beirut), "2025-03-31");
    assert.equal(skipped, ms("2025-04-01T00:00:00+03:00"));
  });
});

describe("the right of withdrawal", () => {
  const eu = euSettingsSchema.parse({});
  const site = { eu, timeZone: "Europe/Berlin" };
  const at = ms("2026-03-02T12:00:00+01:00");

  it("has a period that begins when the last of the goods arrived", () => {
    const first = { deliveryType: "manual", withdrawal: "open", deliveredAt: at } as const;
    const later = { ...first, deliveredAt: at + 3 * 86_400_000 };
    assert.equal(findWithdrawalEnd([first], site), ms("2026-03-17T00:00:00+01:00"));
    assert.equal(findWithdrawalEnd([first, later], site), ms("2026-03-20T00:00:00+01:00"));
    assert.equal(findWithdrawalEnd([first, { ...later, deliveredAt: undefined }], site), undefined);
  });

  it("gives parcels time to travel", () => {
    const sent = { deliveryType: "shipping", withdrawal: "open", deliveredAt: at } as const;
    assert.equal(findWithdrawalEnd([sent], site), ms("2026-03-24T00:00:00+01:00"));
    const quick = { ...site, eu: { ...eu, transitDays: 0 } };
    assert.equal(findWithdrawalEnd([sent], quick), ms("2026-03-17T00:00:00+01:00"));
  });

  it("of waived lines lasts until they are handed over, and is none for excluded ones", () => {
    const waived = { deliveryType: "auto_secret", withdrawal: "waived" } as const;
    const stand = (line: object, nowMs = at, status = "paid") =>
      findOpenWithdrawal({ status, lines: [{ deliveryType: "manual", ...line }] }, { ...site, nowMs });
    assert.deepEqual(stand(waived), { isOpen: true, endsAt: undefined });
    assert.equal(stand({ ...waived, deliveredAt: at }), undefined);
    assert.equal(stand({ withdrawal: "excluded" }), undefined);
    assert.equal(stand({}), undefined);
    const open = { withdrawal: "open", deliveredAt: at };
    const endsAt = ms("2026-03-17T00:00:00+01:00");
    assert.deepEqual(stand(open, endsAt - 1), { isOpen: true, endsAt });
    assert.deepEqual(stand(open, endsAt), { isOpen: false, endsAt });
    assert.equal(stand(open, at, "canceled"), undefined);
  });

  it("cannot be shorter than the law's 14 days", () => {
    assert.equal(euSettingsSchema.safeParse({ withdrawalDays: 13 }).success, false);
  });
});

describe("the EU switch", () => {
  it("is on for euro, off for others, unless told", () => {
    const on = (currency: string, mode?: string): boolean =>
      isEuOn({ currency, eu: euSettingsSchema.parse(mode === undefined ? {} : { mode }) });
    assert.deepEqual([on("EUR"), on("USD"), on("EUR", "off"), on("SEK", "on")], [true, false, false, true]);
  });

  it("has its words in three languages, all of them different", () => {
    const all = Object.values(euWords).flatMap((words) => Object.values(words));
    assert.equal(new Set(all).size, all.length);
    assert.equal(findEuWords("de-AT"), euWords.de);
    assert.equal(findEuWords("zh-CN"), euWords.zh);
    assert.equal(findEuWords("pt"), euWords.en);
  });
});
