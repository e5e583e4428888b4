/** The history beyond single reports: which tier answers, what it holds, and what restarts and failures do to it. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { History } from "../../../src/monitor/history/history.ts";
import { createTiers } from "../../../src/monitor/history/tiers.ts";
import type { MetricName } from "../../../src/monitor/base/metrics.ts";
import { retentionSchema } from "../../../src/monitor/base/schema.ts";
import type { RollupStore } from "../../../src/store/series/rollups/rollups.ts";
import { StoreError } from "../../../src/store/store.ts";
import { type FixedClock, createFixedClock, START } from "../../support/fixed-clock.ts";
import { createTestRollups } from "../fixtures.ts";
import { createTestHistory, makeRow } from "./history-fixture.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const METRIC: MetricName = "processes";

describe("the tiers of the history", () => {
  let clock: FixedClock;
  let rollups: RollupStore;
  let history: History;

  beforeEach(() => {
    clock = createFixedClock();
    rollups = createTestRollups(clock);
    history = createTestHistory({ clock, rollups });
  });

  function report(at: number, value: number, seq = 1): void {
    history.insert("a", { at, values: makeRow({ processes: value }), seq });
  }

  async function query(agoMs: number, more: { points?: number; metric?: MetricName } = {}) {
    const { points = 1_000, metric = METRIC } = more;
    const request = {
      serverId: "a",
      metrics: [metric],
      from: clock.now() - agoMs,
      to: clock.now() + 1,
      points,
    };
    const [series] = await history.query(request);
    assert.ok(series);
    return series;
  }

  it("answers from the finest tier that reaches back, in its own width", async () => {
    report(START - 1, 5);
    const seen: [string, number, number][] = [];
    for (const ago of [
      10 * MINUTE,
      20 * MINUTE,
      23 * HOUR,
      25 * HOUR,
      13 * DAY,
      15 * DAY,
      89 * DAY,
      365 * DAY,
    ]) {
      const { tier, stepMs, points } = await query(ago);
      seen.push([tier, stepMs, points.length]);
    }
    assert.deepEqual(seen, [
      ["raw", 0, 1],
      ["1m", MINUTE, 1],
      ["1m", MINUTE, 1],
      ["10m", 10 * MINUTE, 1],
      ["10m", 10 * MINUTE, 1],
      ["1h", HOUR, 1],
      ["1h", HOUR, 1],
      ["1d", DAY, 1],
    ]);
  });

  it("uses a coarser tier when it has as many points as requested", async () => {
    assert.deepEqual(
      [(await query(DAY, { points: 25 })).tier, (await query(DAY, { points: 300 })).tier],
      ["1h", "1m"],
    );
  });

  it("gathers what is still too much into widths that no span straddles", async () => {
    for (let at = START - 10 * DAY; at < START; at += 5 * MINUTE) report(at, at % 7);
    const { tier, stepMs, points } = await query(10 * DAY, { points: 1_000 });
    assert.deepEqual([tier, stepMs], ["10m", 20 * MINUTE]);
    assert.ok(points.length <= 1_000 && points.length > 700, `${points.length} points`);
  });

  it("gives the same before, during and after a flush", async () => {
    report(START - 2 * HOUR, 1);
    report(START - 2 * HOUR + 1, 3);
    const before = await query(3 * HOUR);
    assert.deepEqual(before.points, [{ at: START - 2 * HOUR, min: 1, avg: 2, max: 3 }]);
    const flushing = history.flush(2);
    report(START - 2 * HOUR + 2, 8, 2);
    const during = await query(3 * HOUR);
    await flushing;
    const after = await query(3 * HOUR);
    assert.deepEqual(during.points, [{ at: START - 2 * HOUR, min: 1, avg: 4, max: 8 }]);
    assert.deepEqual(after.points, during.points);
    assert.equal(rollups.flushedSeq, 2);
  });

  it("counts a row that is twice in the log once, and flushed rows not again", async () => {
    const values = makeRow({ processes: 4 });
    history.insert("a", { at: START - HOUR, values, seq: 1 });
    await history.flush(2);
    history = createTestHistory({ clock, rollups });
    history.restore("a", { at: START - HOUR, values, seq: 1 });
    history.restore("a", { at: START - HOUR + 1, values, seq: 2 });
    history.restore("a", { at: START - HOUR + 1, values, seq: 3 });
    history.restored();
    await history.flush(4);
    const { buckets } = await rollups.read({ tier: "1m", key: "a.0", from: 0, to: START });
    assert.deepEqual(
      buckets.map(({ stats }) => stats[4 * 21]),
      [2],
    );
  });

  it("reckons percentages from the averages of a span", async () => {
    const rows = [
      [3, 12],
      [6, 12],
      [9, 24],
    ] as const;
    for (const [index, [used, total]] of rows.entries()) {
      const values = makeRow({ "memory.usedBytes": used, "memory.totalBytes": total });
      history.insert("a", { at: START - HOUR + index, values, seq: 1 });
    }
    const { points } = await query(2 * HOUR, { metric: "memory.usedPercent" });
    assert.deepEqual(points, [{ at: START - HOUR, min: 18.75, avg: 37.5, max: 56.25 }]);
  });

  it("keeps a year of days in one short answer", async () => {
    for (let day = 0; day < 365; day += 1) report(START - day * DAY, day);
    await history.flush(2);
    const { tier, stepMs, points } = await query(365 * DAY, { points: 400 });
    assert.deepEqual([tier, stepMs, points.length], ["1d", DAY, 365]);
    const few = await query(365 * DAY, { points: 60 });
    assert.deepEqual([few.tier, few.stepMs], ["1d", 7 * DAY]);
    assert.ok(few.points.length <= 60);
  });

  it("follows a changed retention at once", async () => {
    report(START - 3 * HOUR, 1);
    report(START, 1);
    await history.flush(2);
    assert.equal((await query(4 * HOUR)).tier, "1m");
    history.retain(retentionSchema.parse({ minuteHours: 2 }));
    const { tier, points } = await query(4 * HOUR);
    assert.deepEqual([tier, points.length], ["10m", 2]);
    assert.equal((await query(2 * HOUR)).points.length, 1);
  });

  it("forgets a deleted server, and starts again when its ID is reused", async () => {
    let createdAt = 1;
    history = createTestHistory({ clock, rollups, createdAt: () => createdAt });
    report(START - HOUR, 1);
    await history.flush(2);
    report(START - HOUR, 1, 2);
    history.drop("a", { createdAt: 1 });
    createdAt = 2;
    assert.deepEqual((await query(2 * HOUR)).points, []);
    report(START - HOUR, 7, 2);
    await history.flush(3);
    assert.deepEqual((await query(2 * HOUR)).points, [{ at: START - HOUR, min: 7, avg: 7, max: 7 }]);
  });

  it("says what is kept on disk and what it comes to", async () => {
    const use = await history.diskUse(10);
    assert.deepEqual(use.bytesOnDisk, 0);
    const spans = createTiers(retentionSchema.parse({})).reduce(
      (sum, { keepMs, stepMs }) => sum + keepMs / stepMs,
      0,
    );
    assert.equal(spans, 1_440 + 2_016 + 2_160 + 730);
    assert.ok(use.estimatedBytes > 10 * spans * 50 && use.estimatedBytes < 10 * spans * 500);
    report(START, 1);
    await history.flush(2);
    assert.ok((await history.diskUse(10)).bytesOnDisk > 0);
  });

  describe("while flushes fail", () => {
    let isBroken: boolean;

    beforeEach(() => {
      isBroken = true;
      const real = rollups;
      rollups = {
        ...real,
        get flushedSeq() {
          return real.flushedSeq;
        },
        flush: async (flush) => {
          if (isBroken) throw new StoreError("store_unavailable", "The disk is full");
          await real.flush(flush);
        },
      };
      history = createTestHistory({ clock, rollups });
    });

    it("keeps everything, and hands all of it over once it can", async () => {
      report(START - HOUR, 1, 1);
      await history.flush(2);
      report(START - HOUR, 3, 2);
      await history.flush(3);
      assert.deepEqual((await query(2 * HOUR)).points, [{ at: START - HOUR, min: 1, avg: 2, max: 3 }]);
      isBroken = false;
      await history.flush(4);
      assert.equal(rollups.flushedSeq, 4);
      assert.deepEqual((await query(2 * HOUR)).points, [{ at: START - HOUR, min: 1, avg: 2, max: 3 }]);
    });

    it("asks for flushes ahead of time not more often than every half minute", async () => {
      for (let index = 0; index < 40_000; index += 1) report(START - index * MINUTE, 1);
      assert.equal(history.wantsFlush(), true);
      await history.flush(2);
      assert.equal(history.wantsFlush(), false);
      clock.advance(30_000);
      assert.equal(history.wantsFlush(), true);
      isBroken = false;
      await history.flush(3);
      assert.equal(history.wantsFlush(), false);
    });

    it("refuses reports when no more fits, until it is written", async () => {
      for (let index = 0; index < 119_999; index += 1) report(START - index * MINUTE, 1);
      history.assertRoom();
      report(START + MINUTE, 1);
      assert.throws(() => history.assertRoom(), { code: "store_unavailable" });
      isBroken = false;
      await history.flush(2);
      history.assertRoom();
    });
  });
});
