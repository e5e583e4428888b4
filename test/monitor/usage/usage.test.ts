/** Usage: days and zones, minutes and uptime, the store's months, deletion. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { addDays } from "../../../src/kit/time/zone-days.ts";
import type { Usage } from "../../../src/monitor/usage/usage.ts";
import { months } from "../../../src/monitor/usage/records.ts";
import type { ServerRecord } from "../../../src/monitor/base/schema.ts";
import { START } from "../../support/fixed-clock.ts";
import { actor, fields } from "../fixtures.ts";
import { type BookWorld, createBookWorld, report } from "./usage-fixture.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe("usage", () => {
  let world: BookWorld;
  let book: Usage;
  let a: ServerRecord;

  beforeEach(async () => {
    world = createBookWorld();
    a = await world.add("a", { resetDay: 31 });
    book = await world.start();
  });

  function count(rx: number, tx: number, at = world.clock.now()): void {
    book.count("a", report({ at, receivedAt: world.clock.now() }, rx, tx));
  }

  function watch(minutes: number): void {
    for (let i = 0; i < minutes; i += 1) {
      world.clock.advance(MINUTE);
      book.minute(true);
    }
  }

  async function monthIds(): Promise<string[]> {
    const { items } = await world.store.read((tx) => tx.list(months, "id", { limit: 1_000 }));
    return items.map(({ id }) => id);
  }

  describe("traffic", () => {
    it("begins with the first report and a new cycle with the reset day", () => {
      count(1_000, 1_000);
      world.clock.advance(HOUR);
      count(1_500, 1_200);
      const use = book.traffic(a);
      assert.deepEqual([use.usedBytes, use.rxBytes, use.txBytes], [700, 500, 200]);
      // START is the last day of January; the next cycle begins on 28 February.
      assert.equal(use.cycleFrom, Date.UTC(2026, 0, 31));
      assert.equal(use.cycleTo, Date.UTC(2026, 1, 28));
      world.clock.advance(use.cycleTo - 1 - world.clock.now());
      count(1_600, 1_200);
      assert.equal(book.traffic(a).usedBytes, 800);
      world.clock.advance(1);
      assert.equal(book.traffic(a).usedBytes, 0);
      count(1_650, 1_200);
      assert.equal(book.traffic(a).usedBytes, 50);
    });

    it("puts a report on the day on which it was collected", async () => {
      count(0, 0, START - 20 * HOUR);
      count(10, 0, START - 13 * HOUR);
      count(15, 0);
      const days = await book.days(a, 2);
      assert.deepEqual(
        days.map(({ date, rxBytes }) => [date, rxBytes]),
        [
          ["2026-01-30", 10],
          ["2026-01-31", 5],
        ],
      );
    });

    it("counts an agent whose clock is years behind on the day of arrival", async () => {
      count(0, 0, 1_000);
      count(10, 0, 2_000);
      assert.equal((await book.days(a, 1))[0]?.rxBytes, 10);
    });

    it("keeps days under the dates they were counted in when the zone changes", async () => {
      count(0, 0, START - 1);
      count(10, 0);
      world.clock.advance(13 * HOUR);
      await world.servers.replace("a", {
        fields: fields("a", { traffic: { ...a.traffic, timeZone: "Pacific/Kiritimati" } }),
        actor,
      });
      await world.reload();
      const moved = world.records.get("a") ?? a;
      count(15, 0);
      // 01:00 of 1 February in UTC is 15:00 there.
      const days = await book.days(moved, 2);
      assert.deepEqual(
        days.map(({ date, rxBytes }) => [date, rxBytes]),
        [
          ["2026-01-31", 10],
          ["2026-02-01", 5],
        ],
      );
    });

    it("ignores a server that is not there", () => {
      book.count("nobody", report({ at: START }, 1, 1));
      assert.equal(book.snapshot("nobody"), undefined);
    });
  });

  describe("minutes", () => {
    it("are known for servers that were seen and are not disabled, and up while they are online", async () => {
      await world.add("b");
      const off = await world.servers.create(fields("off", { disabled: true }), { id: "off", actor });
      world.records.set("off", off.server);
      for (const [id, state] of [
        ["a", "online"],
        ["b", "never"],
        ["off", "offline"],
      ] as const)
        world.states.set(id, state);
      watch(3);
      world.states.set("a", "offline");
      watch(1);
      assert.deepEqual((await book.days(a, 1))[0], {
        date: "2026-01-31",
        rxBytes: 0,
        txBytes: 0,
        upMinutes: 3,
        knownMinutes: 4,
      });
      assert.equal(book.minutes, 4);
      assert.deepEqual([book.snapshot("b"), book.snapshot("off")], [undefined, undefined]);
      assert.deepEqual(book.uptime(a), { day1: 0.75, day30: 0.75, day90: 0.75 });
    });

    it("in which the service was suspended are unknown", async () => {
      world.states.set("a", "online");
      watch(1);
      world.clock.advance(30 * MINUTE);
      book.minute(true);
      book.minute(true);
      world.clock.advance(MINUTE);
      book.minute(true);
      assert.equal((await book.days(a, 1))[0]?.knownMinutes, 3);
    });

    it("begin with the present one where another node counted until now", async () => {
      world.states.set("a", "online");
      for (let i = 0; i < 10; i += 1) {
        world.clock.advance(MINUTE);
        book.minute(false);
      }
      world.clock.advance(10_000);
      book.minute(true);
      assert.equal(book.minutes, 0);
      world.clock.advance(50_000);
      book.minute(true);
      assert.equal((await book.days(a, 1))[0]?.knownMinutes, 1);
    });

    it("do not count twice when the wall clock jumps", async () => {
      world.states.set("a", "online");
      world.clock.jump(-DAY);
      book.minute(true);
      world.clock.jump(3 * DAY);
      book.minute(true);
      assert.equal(book.minutes, 0);
      world.clock.jump(-2 * DAY);
      watch(2);
      assert.equal((await book.days(a, 1))[0]?.knownMinutes, 2);
    });

    it("computes ratios by day, without a value for days without data", () => {
      assert.deepEqual(book.uptimeDays(a, 2), { days: [null, null], ratio: null, knownMinutes: 0 });
      assert.deepEqual(book.uptime(a), {});
      world.states.set("a", "online");
      watch(2);
      world.clock.advance(2 * DAY);
      book.minute(true);
      world.states.set("a", "offline");
      watch(2);
      assert.deepEqual(book.uptimeDays(a, 4), {
        days: [null, 1, null, 0.3333],
        ratio: 0.6,
        knownMinutes: 5,
      });
    });

    it("come back from store and checkpoint, whichever has more", async () => {
      world.states.set("a", "online");
      watch(2);
      await book.flush();
      watch(1);
      const part = book.snapshot("a");
      watch(1);
      const killed = await world.start();
      assert.ok(part !== undefined);
      killed.restore("a", part);
      assert.equal((await killed.days(a, 1))[0]?.knownMinutes, 3);
      await book.flush();
      const later = await world.start();
      later.restore("a", part);
      assert.equal((await later.days(a, 1))[0]?.knownMinutes, 4);
    });
  });

  describe("months in the store", () => {
    it("answer for days that memory does not hold, without gaps, and go after fifteen", async () => {
      world.states.set("a", "online");
      let rx = 0;
      for (let day = 0; day < 480; day += 10) {
        count(rx, 0);
        rx += 7;
        world.clock.advance(10 * DAY);
        await book.flush();
      }
      count(rx, 0);
      const asked = async (from: Usage): Promise<readonly { date: string; rxBytes: number }[]> =>
        from.days(a, 400);
      const days = await asked(book);
      assert.equal(days.length, 400);
      for (const [index, { date }] of days.entries()) assert.equal(date, addDays(days[0]?.date ?? "", index));
      assert.equal(
        days.reduce((sum, { rxBytes }) => sum + rxBytes, 0),
        40 * 7,
      );
      await book.flush();
      assert.deepEqual(await asked(await world.start()), days);
      assert.equal((await monthIds()).length, 15);
    });

    it("keep days that memory has no room for", async () => {
      count(0, 0, START - 20 * HOUR);
      count(5, 0, START - 19 * HOUR);
      await book.flush();
      // A clock that is 95 days ahead for a moment takes the place of 30 January.
      world.clock.jump(95 * DAY);
      count(6, 0);
      world.clock.jump(-95 * DAY);
      world.states.set("a", "online");
      watch(1);
      assert.deepEqual(
        (await book.days(a, 2)).map(({ rxBytes, knownMinutes }) => [rxBytes, knownMinutes]),
        [
          [0, 0],
          [0, 1],
        ],
      );
      await book.flush();
      assert.deepEqual(
        (await (await world.start()).days(a, 2)).map(({ rxBytes, knownMinutes }) => [rxBytes, knownMinutes]),
        [
          [5, 0],
          [0, 1],
        ],
      );
    });

    it("write only what changed", async () => {
      count(0, 0, START - 1);
      count(5, 0);
      await book.flush();
      const [before] = (await world.store.read((tx) => tx.list(months, "id", { limit: 9 }))).items;
      await book.flush();
      const [after] = (await world.store.read((tx) => tx.list(months, "id", { limit: 9 }))).items;
      assert.equal(before?.version, 1);
      assert.equal(after?.version, 1);
      assert.deepEqual(after?.days, [[31, 5, 0, 0, 0]]);
    });

    it("take many servers, more than one transaction does", async () => {
      for (let i = 0; i < 120; i += 1) {
        const { id } = await world.add(`s${i}`);
        world.states.set(id, "online");
      }
      watch(1);
      await book.flush();
      assert.equal((await monthIds()).length, 120);
    });

    it("are removed with their server, and one with the same ID starts again", async () => {
      await world.add("a-b");
      world.states.set("a-b", "online");
      count(0, 0, START - 1);
      count(5, 0);
      watch(1);
      await book.flush();
      assert.deepEqual(await monthIds(), ["a-b:2026-01", "a:2026-01"]);
      count(9, 0);
      await world.servers.remove("a", actor);
      assert.deepEqual(await monthIds(), ["a-b:2026-01"]);
      // A flush that was under way writes nothing of a server that is gone.
      await book.flush();
      assert.deepEqual(await monthIds(), ["a-b:2026-01"]);
      world.clock.advance(1);
      await world.add("a");
      book.drop("a");
      await book.flush();
      assert.deepEqual(await monthIds(), ["a-b:2026-01"]);
      const made = world.records.get("a") ?? a;
      assert.equal((await book.days(made, 1))[0]?.rxBytes, 0);
    });
  });
});
