/** A year of renewals that buyers pay themselves, in simulated time. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { addPeriods } from "../../../src/shop/subscriptions/periods.ts";
import {
  DAY,
  HOUR,
  MONTHLY,
  YEARLY,
  addRenewing,
  assertRenewalBooks,
  buyRenewing,
  expiryOf,
  findOrder,
  kindsOfMails,
  listRenewals,
  onlySubscription,
  openRenewal,
  openRenewalShop,
  pay,
  runJobs,
} from "./renewal-room.ts";

const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

describe("periods", () => {
  it("keep the day of the anchor through short months and leap years", () => {
    const zone = { timeZone: "UTC" };
    const at = Date.parse("2027-01-31T10:00:00Z");
    const months = [1, 2, 3, 4, 13].map((periods) =>
      day(addPeriods(at, { every: "month", count: 1 }, { ...zone, periods })),
    );
    assert.deepEqual(months, ["2027-02-28", "2027-03-31", "2027-04-30", "2027-05-31", "2028-02-29"]);
    const leap = Date.parse("2028-02-29T10:00:00Z");
    const years = [1, 2, 4].map((periods) =>
      day(addPeriods(leap, { every: "year", count: 1 }, { ...zone, periods })),
    );
    assert.deepEqual(years, ["2029-02-28", "2030-02-28", "2032-02-29"]);
  });

  it("end at the same time of the day in the shop's zone", () => {
    // Half past midnight on the 31st in Berlin is the 30th in UTC.
    const at = Date.parse("2027-01-30T23:30:00Z");
    const options = { timeZone: "Europe/Berlin", periods: 2 };
    assert.equal(
      new Date(addPeriods(at, { every: "month", count: 1 }, options)).toISOString(),
      "2027-03-30T22:30:00.000Z",
    );
  });
});

describe("renewals by invoice", () => {
  it("are paid once for each of twelve months", async () => {
    const app = await openRenewalShop();
    await addRenewing(app, MONTHLY);
    await buyRenewing(app);
    await runJobs(app);
    assert.equal((await onlySubscription(app)).way, "invoice");
    assert.equal(await expiryOf(app), "2026-02-28T09:00:00.000Z");
    for (let days = 0; days < 365; days += 1) {
      app.clock.advance(DAY);
      await runJobs(app);
      await runJobs(app);
      const due = await openRenewal(app);
      // Some pay at once, some on the last day, some in the days of grace.
      const wait = ((await listRenewals(app)).length % 3) * 8;
      if (due !== undefined && app.clock.now() >= due.createdAt + wait * DAY) {
        await pay(app, due);
        await pay(app, due);
      }
      await assertRenewalBooks(app);
    }
    const periods = (await listRenewals(app)).filter(({ state }) => state === "paid");
    assert.deepEqual(
      periods.map(({ from }) => day(from)),
      [
        ...["2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31", "2026-06-30", "2026-07-31"],
        ...["2026-08-31", "2026-09-30", "2026-10-31", "2026-11-30", "2026-12-31"],
        ...["2027-01-31"].slice(0, periods.length - 11),
      ],
    );
    assert.ok(periods.every(({ total }) => total === 900));
    assert.equal((await onlySubscription(app)).state, "active");
  });

  it("remind, wait for the days of grace, then end with the license", async () => {
    const app = await openRenewalShop({ at: "2026-03-01T09:00:00Z" });
    await addRenewing(app, YEARLY);
    await buyRenewing(app);
    await runJobs(app);
    app.clock.advance(365 * DAY - HOUR);
    await runJobs(app);
    const { paidUntil, state } = await onlySubscription(app);
    assert.equal(state, "active");
    // Through the grace, so that no program stops.
    assert.equal(await expiryOf(app), new Date(paidUntil + 7 * DAY).toISOString());
    for (const ms of [...Array.from({ length: 7 }, () => DAY), 2 * HOUR]) {
      app.clock.advance(ms);
      await runJobs(app);
      await assertRenewalBooks(app);
    }
    const ended = await onlySubscription(app);
    assert.deepEqual([ended.state, ended.endReason], ["ended", "unpaid"]);
    assert.equal(await expiryOf(app), new Date(paidUntil + 7 * DAY).toISOString());
    const kinds = (await kindsOfMails(app)).filter((kind) => kind.startsWith("renewal"));
    assert.deepEqual(kinds, ["renewal_invoice", "renewal_unpaid", "renewal_unpaid", "renewal_ended"]);
    // Paid a little too late: a new period from that day on.
    const [last] = await listRenewals(app);
    assert.ok(last);
    await pay(app, await findOrder(app, last.orderId));
    const again = await onlySubscription(app);
    assert.deepEqual([again.state, again.paid], ["active", 1]);
    assert.equal(again.anchorAt, app.clock.now());
    await assertRenewalBooks(app);
  });
});
