/** Forms of planned maintenance: weekends, days of a month, crontabs, time zones, and clocks that change. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { scheduleSchema } from "../../../src/monitor/maintenance/schema.ts";
import { findNextWindow, findWindowEnd } from "../../../src/monitor/maintenance/windows.ts";
import { createTestApp } from "../app-fixture.ts";

const BERLIN = "Europe/Berlin";
const text = (ms: number): string => new Date(ms).toISOString().slice(0, 16);

function parse(schedule: object): Parameters<typeof findWindowEnd>[0] {
  return scheduleSchema.parse(schedule);
}

/** The open window's end, in UTC. */
function endsAt(at: string, schedule: object, timeZone = BERLIN): string | undefined {
  const end = findWindowEnd(parse(schedule), { now: Date.parse(at), timeZone });
  return end === undefined ? undefined : text(end);
}

/** The window that is open or next, in UTC. */
function next(at: string, schedule: object, timeZone = BERLIN): readonly string[] | undefined {
  const window = findNextWindow(parse(schedule), { now: Date.parse(at), timeZone });
  return window === undefined ? undefined : [text(window.from), text(window.to)];
}

const monthly = { type: "monthly", from: "02:00", to: "04:00", timeZone: "UTC" };

describe("a weekly window that is longer than a day", () => {
  const weekend = { type: "weekly", days: [5], from: "18:00", to: "18:00", daysLater: 2 };

  it("is open from Friday to Sunday", () => {
    for (const at of ["2026-01-23T17:00:00Z", "2026-01-24T12:00:00Z", "2026-01-25T16:59:59Z"])
      assert.equal(endsAt(at, weekend), "2026-01-25T17:00", at);
    for (const at of ["2026-01-23T16:59:59Z", "2026-01-25T17:00:00Z", "2026-01-22T12:00:00Z"])
      assert.equal(endsAt(at, weekend), undefined, at);
    assert.deepEqual(next("2026-01-25T17:00:00Z", weekend), ["2026-01-30T17:00", "2026-02-01T17:00"]);
  });

  it("keeps the bounds of the wall clock across a change of the clocks", () => {
    // 2026-03-29 02:00 becomes 03:00: 47 hours. 2026-10-25 03:00 becomes 02:00: 49 hours.
    assert.deepEqual(next("2026-03-28T00:00:00Z", weekend), ["2026-03-27T17:00", "2026-03-29T16:00"]);
    assert.deepEqual(next("2026-10-24T00:00:00Z", weekend), ["2026-10-23T16:00", "2026-10-25T17:00"]);
  });

  it("may last into the next window, and is then open until the last one ends", () => {
    const nearly = { type: "weekly", days: [1, 2], from: "00:00", to: "12:00", daysLater: 3 };
    assert.equal(endsAt("2026-01-27T10:00:00Z", nearly, "UTC"), "2026-01-30T12:00");
  });
});

describe("a monthly window", () => {
  it("is on a day of the month, and skips months without it", () => {
    const on = { ...monthly, on: { day: 31 } };
    assert.deepEqual(next("2026-01-31T04:00:00Z", on), ["2026-03-31T02:00", "2026-03-31T04:00"]);
    assert.equal(endsAt("2026-03-31T03:00:00Z", on), "2026-03-31T04:00");
  });

  it("is on the last day, also of February in a leap year", () => {
    const on = { ...monthly, on: { day: "last" } };
    assert.deepEqual(next("2028-02-01T00:00:00Z", on)?.[0], "2028-02-29T02:00");
    assert.deepEqual(next("2026-02-01T00:00:00Z", on)?.[0], "2026-02-28T02:00");
    const over = { ...on, to: "01:00", from: "23:00" };
    assert.equal(endsAt("2026-03-01T00:30:00Z", over), "2026-03-01T01:00");
  });

  it("is on a weekday such as the second Tuesday or the last Friday", () => {
    const second = { ...monthly, on: { week: 2, weekday: 2 } };
    const starts = ["2026-01-01", "2026-02-01", "2026-09-01", "2026-12-01"].map(
      (day) => next(`${day}T00:00:00Z`, second)?.[0],
    );
    assert.deepEqual(starts, [
      "2026-01-13T02:00",
      "2026-02-10T02:00",
      "2026-09-08T02:00",
      "2026-12-08T02:00",
    ]);
    const last = { ...monthly, on: { week: "last", weekday: 5 } };
    assert.equal(next("2026-01-01T00:00:00Z", last)?.[0], "2026-01-30T02:00");
    assert.equal(next("2026-02-01T00:00:00Z", last)?.[0], "2026-02-27T02:00");
    assert.equal(next("2026-01-30T04:00:00Z", last)?.[0], "2026-02-27T02:00");
  });

  it("is in its own time zone, and otherwise in that of the settings", () => {
    const on = { day: 1 };
    const times = { type: "monthly", on, from: "02:00", to: "04:00" };
    assert.equal(next("2026-06-15T00:00:00Z", times)?.[0], "2026-07-01T00:00");
    assert.equal(
      next("2026-06-15T00:00:00Z", { ...times, timeZone: "America/New_York" })?.[0],
      "2026-07-01T06:00",
    );
    // There it is still the day before.
    assert.equal(
      endsAt("2026-07-01T06:30:00Z", { ...times, timeZone: "America/New_York" }),
      "2026-07-01T08:00",
    );
  });
});

describe("a window by a cron expression", () => {
  const nightly = { type: "cron", expression: "30 1 * * 1-5", minutes: 90, timeZone: BERLIN };

  it("begins with the expression and lasts its length", () => {
    assert.equal(endsAt("2026-01-26T00:30:00Z", nightly), "2026-01-26T02:00");
    assert.equal(endsAt("2026-01-26T01:59:59Z", nightly), "2026-01-26T02:00");
    assert.equal(endsAt("2026-01-26T02:00:00Z", nightly), undefined);
    assert.equal(endsAt("2026-01-26T00:29:59Z", nightly), undefined);
    assert.equal(endsAt("2026-01-25T01:00:00Z", nightly), undefined, "not on Sundays");
    assert.deepEqual(next("2026-01-23T12:00:00Z", nightly), ["2026-01-26T00:30", "2026-01-26T02:00"]);
  });

  it("is always open where it is longer than the time between two starts", () => {
    const always = { ...nightly, expression: "*/10 * * * *", minutes: 60 };
    assert.notEqual(endsAt("2026-01-26T12:34:56Z", always), undefined);
  });
});

describe("schedules of maintenance", () => {
  const PATH = "/api/admin/maintenances";

  it("are stored, shown with their next window, and changed", async () => {
    const app = await createTestApp();
    const schedule = { ...monthly, on: { week: 2, weekday: 2 } };
    const made = await app.admin("POST", PATH, {
      name: "Patch day",
      scope: { type: "tag", tag: "db" },
      schedule,
    });
    assert.equal(made.status, 201, await made.clone().text());
    const { id, nextFrom, nextTo } = await made.json();
    assert.equal(Date.parse(nextTo) - Date.parse(nextFrom), 7_200_000);
    const cron = { type: "cron", expression: "0 3 * * 7", minutes: 30 };
    const changed = await app.admin("PATCH", `${PATH}/${id}`, { schedule: cron });
    assert.equal(changed.status, 200, await changed.clone().text());
    assert.deepEqual((await changed.json()).schedule, cron);
  });

  it("are rejected where no window could come of them", async () => {
    const app = await createTestApp();
    for (const schedule of [
      { type: "weekly", days: [5], from: "18:00", to: "18:00" },
      { type: "weekly", days: [5], from: "18:00", to: "17:00", daysLater: 0 },
      { type: "weekly", days: [5], from: "18:00", to: "19:00", daysLater: 28 },
      { ...monthly, on: { day: 32 } },
      { ...monthly, on: { week: 5, weekday: 2 } },
      { ...monthly, on: { day: 1 }, timeZone: "Mars/Olympus" },
      { type: "cron", expression: "0 0 30 2 *", minutes: 10 },
      { type: "cron", expression: "often", minutes: 10 },
      { type: "cron", expression: "0 0 * * *", minutes: 0 },
    ]) {
      const response = await app.admin("POST", PATH, { name: "Never", schedule });
      assert.equal(response.status, 422, JSON.stringify(schedule));
    }
  });
});
