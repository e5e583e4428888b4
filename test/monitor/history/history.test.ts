import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { chooseStep, gather } from "../../../src/monitor/history/buckets.ts";
import { createPointLayout, createPointRing } from "../../../src/monitor/history/ring.ts";
import type { History } from "../../../src/monitor/history/history.ts";
import { metrics } from "../../../src/monitor/base/metric-table.ts";
import type { MetricName, MetricRow } from "../../../src/monitor/base/metrics.ts";
import { createFixedClock, START } from "../../support/fixed-clock.ts";
import { createTestHistory, makeRow } from "./history-fixture.ts";

const WINDOW_MS = 900_000;

// Positional, as most lines of this suite are calls of it.
function insert(history: History, serverId: string, at: number, values: MetricRow): void {
  history.insert(serverId, { at, values, seq: 1 });
}

function ask(metric: MetricName, rest: { from?: number; to?: number; points?: number } = {}) {
  return {
    serverId: "a",
    metrics: [metric],
    from: START - WINDOW_MS,
    to: START + 3_600_000,
    points: 1_000,
    ...rest,
  };
}

describe("createHistory", () => {
  it("gives single reports while they fit", async () => {
    const history = createTestHistory();
    insert(history, "a", START - 6_000, makeRow({ "cpu.usagePercent": 12.3 }));
    insert(history, "a", START - 3_000, makeRow({ "cpu.usagePercent": 50 }));
    insert(history, "b", START, makeRow({ "cpu.usagePercent": 99 }));
    assert.deepEqual(await history.query(ask("cpu.usagePercent")), [
      {
        metric: "cpu.usagePercent",
        tier: "raw",
        stepMs: 0,
        points: [
          { at: START - 6_000, min: 12.3, avg: 12.3, max: 12.3 },
          { at: START - 3_000, min: 50, avg: 50, max: 50 },
        ],
      },
    ]);
  });

  it("gathers more into at most as many buckets as asked for", async () => {
    const history = createTestHistory();
    for (let index = 0; index < 300; index += 1)
      insert(history, "a", START - 900_000 + index * 3_000, makeRow({ processes: index }));
    const [series] = await history.query(ask("processes", { to: START, points: 15 }));
    assert.equal(series?.stepMs, 60_000);
    assert.deepEqual(series.points[0], { at: START - 900_000, min: 0, avg: 9.5, max: 19 });
    assert.equal(series.points.length, 15);
    for (let points = 1; points < 320; points += 1) {
      const found = await history.query(ask("processes", { from: START - 898_765, to: START - 1, points }));
      assert.ok((found[0]?.points.length ?? 0) <= points, `${points} points`);
    }
  });

  it("answers for metrics in the order asked, and for servers without history", async () => {
    const history = createTestHistory();
    const asked = { ...ask("load.one"), metrics: ["load.five", "load.one"] as const };
    assert.deepEqual(
      (await history.query(asked)).map(({ metric, points }) => [metric, points.length]),
      [
        ["load.five", 0],
        ["load.one", 0],
      ],
    );
    assert.deepEqual((await history.query(ask("load.one", { from: 5, to: 5 })))[0]?.points, []);
  });

  it("leaves out reports without the metric, and derives percentages", async () => {
    const history = createTestHistory();
    insert(history, "a", START - 3, makeRow({ "memory.usedBytes": 3, "memory.totalBytes": 12 }));
    insert(history, "a", START - 2, makeRow({ "memory.usedBytes": 3 }));
    insert(history, "a", START - 1, makeRow({ "memory.usedBytes": 6, "memory.totalBytes": 12 }));
    const values = async (metric: MetricName): Promise<number[]> =>
      (await history.query(ask(metric)))[0]?.points.map(({ avg }) => avg) ?? [];
    assert.deepEqual(await values("memory.usedPercent"), [25, 50]);
    assert.deepEqual(await values("memory.usedBytes"), [3, 3, 6]);
    assert.deepEqual(await values("cpu.usagePercent"), []);
  });

  it("treats from as inclusive and to as exclusive", async () => {
    const history = createTestHistory();
    for (let at = START - 5; at < START; at += 1) insert(history, "a", at, makeRow({ processes: 1 }));
    const [series] = await history.query(ask("processes", { from: START - 4, to: START - 1 }));
    assert.deepEqual(
      series?.points.map(({ at }) => at - START),
      [-4, -3, -2],
    );
  });

  it("sorts late reports in, and takes the same time once", async () => {
    const history = createTestHistory();
    for (const at of [5, 1, 3, 2, 4, 3]) insert(history, "a", START - 10 + at, makeRow({ processes: at }));
    assert.deepEqual(
      (await history.query(ask("processes")))[0]?.points.map(({ avg }) => avg),
      [1, 2, 3, 4, 5],
    );
  });

  it("forgets what is older than the window", async () => {
    const clock = createFixedClock();
    const history = createTestHistory({ clock });
    insert(history, "a", START - WINDOW_MS - 1, makeRow({ processes: 1 }));
    assert.equal(history.size.servers, 0);
    insert(history, "a", START, makeRow({ processes: 2 }));
    clock.advance(WINDOW_MS + 1);
    const from = clock.now() - WINDOW_MS;
    assert.deepEqual((await history.query(ask("processes", { from })))[0]?.points, []);
    history.sweep();
    assert.equal(history.size.servers, 0);
  });

  it("keeps so many points of a server, the newest, and few more", async () => {
    const history = createTestHistory({ maxPoints: 900 });
    for (let index = 0; index < 2_000; index += 1)
      insert(history, "a", START - 2_000 + index, makeRow({ processes: index }));
    insert(history, "a", START - 2_500, makeRow({ processes: 0 }));
    const points = (await history.query(ask("processes")))[0]?.points ?? [];
    assert.ok(points.length >= 900 && points.length < 964, `${points.length} points`);
    assert.equal(points.at(-900)?.at, START - 900);
  });

  it("drops a server", async () => {
    const history = createTestHistory();
    insert(history, "a", START, makeRow({ processes: 1 }));
    history.drop("a", { createdAt: 0 });
    assert.deepEqual((await history.query(ask("processes")))[0]?.points, []);
    assert.equal(history.size.bytes, 0);
  });

  it("keeps 300 points of 24 metrics in under 20 kB, whatever others there are", async () => {
    const history = createTestHistory();
    for (let index = 0; index < 300; index += 1) {
      const row = metrics.map(({ kind, name }, metric) => {
        if (metric >= 24) return Number.NaN;
        if (name.endsWith("totalBytes")) return 8_345_231_360;
        return kind === "fraction" ? (index * 37 + metric) % 100 : 4_000_000 + index * 12_345 * (metric + 1);
      });
      insert(history, "a", START - 900_000 + index * 3_000, row);
    }
    assert.ok(history.size.bytes < 20_000, `${history.size.bytes} bytes`);
  });
});

describe("createPointRing", () => {
  const value = fc.oneof(
    fc.constantFrom(0, -0, Number.MAX_SAFE_INTEGER, 2 ** 32, Number.NaN),
    fc.integer({ min: 0, max: 100 }),
  );
  const fraction = fc.oneof(
    fc.float({ noNaN: false }),
    fc.integer({ min: -10_000, max: 10_000 }).map((hundredths) => hundredths / 100),
  );
  const point = fc.record({ at: fc.integer({ min: START - 80, max: START + 80 }), whole: value, fraction });
  const step = fc.oneof(
    { weight: 9, arbitrary: point },
    { weight: 1, arbitrary: fc.integer({ min: START - 80, max: START + 20 }) },
  );

  it("keeps what a sorted list of the newest would, exactly, and little more", () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 250 }),
        fc.integer({ min: 1, max: 150 }),
        (steps, maxPoints) => {
          const ring = createPointRing(createPointLayout(["fraction", "whole"]), maxPoints);
          const inserted = new Map<number, { at: number; whole: number; fraction: number }>();
          let kept: number[] = [];
          for (const one of steps) {
            if (typeof one === "number") {
              ring.dropBefore(one);
              kept = kept.filter((at) => at >= one);
            } else {
              ring.insert(one.at, [one.fraction, one.whole]);
              inserted.set(one.at, { ...one, fraction: Math.fround(one.fraction) });
              kept = [...new Set([...kept, one.at])].sort((a, b) => a - b).slice(-maxPoints);
            }
          }
          const found = Array.from({ length: ring.count }, (_, index) => ({
            at: ring.at(index),
            whole: ring.value(index, 1),
            fraction: ring.value(index, 0),
          }));
          for (const one of found) assert.deepEqual(one, inserted.get(one.at));
          const times = found.map(({ at }) => at);
          assert.deepEqual(
            times,
            [...new Set(times)].sort((a, b) => a - b),
          );
          for (const at of kept) assert.ok(times.includes(at), "a point that must be kept is gone");
          assert.ok(ring.count < maxPoints + 64);
          for (const at of [START - 81, START - 3, START, START + 81])
            assert.equal(ring.lowerBound(at), times.filter((time) => time < at).length);
        },
      ),
    );
  });

  it("frees pieces that are no longer needed", () => {
    const ring = createPointRing(createPointLayout(["fraction", "whole"]), 900);
    for (let n = 0; n < 300; n += 1) ring.insert(START + n, [n / 100, n]);
    const full = ring.sizeBytes;
    ring.dropBefore(START + 200);
    assert.ok(ring.count >= 100 && ring.count < 132);
    assert.ok(ring.sizeBytes < full / 2);
    ring.dropBefore(START + 300);
    assert.equal(ring.count, 0);
    assert.equal(ring.sizeBytes, 0);
  });

  it("reads right while several rings are read and written in turn", () => {
    const layout = createPointLayout(["whole"]);
    const [a, b] = [createPointRing(layout, 100), createPointRing(layout, 100)];
    for (let n = 0; n < 80; n += 1) {
      a.insert(START + n, [n]);
      b.insert(START + n, [1_000 + n]);
      assert.deepEqual([a.value(n, 0), b.value(n, 0)], [n, 1_000 + n]);
    }
    b.insert(START + 5, [7]);
    assert.deepEqual([a.value(5, 0), b.value(5, 0), b.value(79, 0)], [5, 7, 1_079]);
  });
});

describe("gather", () => {
  it("weighs points by their count", () => {
    const points = [
      { at: 0, min: 1, avg: 2, max: 3, count: 3 },
      { at: 5, min: 6, avg: 6, max: 6, count: 1 },
      { at: 10, min: 0, avg: 0, max: 0, count: 1 },
    ];
    assert.deepEqual(gather(points, 10), [
      { at: 0, min: 1, avg: 3, max: 6 },
      { at: 10, min: 0, avg: 0, max: 0 },
    ]);
  });

  it("is given steps that keep any range within its points", () => {
    const range = fc.tuple(
      fc.integer({ min: 0, max: 2 * START }),
      fc.integer({ min: 1, max: 10 * 365 * 86_400_000 }),
    );
    fc.assert(
      fc.property(range, fc.integer({ min: 2, max: 1_000 }), ([from, length], points) => {
        const to = from + length;
        const stepMs = chooseStep({ from, to }, points);
        assert.ok(Math.floor((to - 1) / stepMs) - Math.floor(from / stepMs) + 1 <= points);
      }),
    );
  });
});
