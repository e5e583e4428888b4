import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findRange, ranges } from "../../src/web/charts/range/ranges.ts";
import { type Series, appendLive, findFilled, toChartData } from "../../src/web/charts/series.ts";
import { chartSpecs, chooseCharts } from "../../src/web/charts/specs.ts";
import { axisSteps, toAxisTop, toShownValue } from "../../src/web/charts/units.ts";
import { isMetricName } from "../../src/monitor/base/metrics.ts";

function series(stepMs: number, points: readonly (readonly [number, number])[]): Series {
  return {
    metric: "cpu.usagePercent",
    tier: "x",
    stepMs,
    points: points.map(([at, avg]) => ({ at, min: avg, avg, max: avg })),
  };
}

describe("data of a chart", () => {
  it("has a hole where a step is missing", () => {
    const data = toChartData([
      series(60_000, [
        [60_000, 1],
        [120_000, 2],
        [240_000, 3],
      ]),
    ]);
    assert.deepEqual(data.times, [60, 120, 180, 239.999, 240]);
    assert.deepEqual(data.lines[0]?.avg, [1, 2, null, null, 3]);
    assert.equal(data.hasBand, false);
  });

  it("has none where reports come in a slower rhythm than the steps", () => {
    const slow = Array.from({ length: 10 }, (_, index) => [index * 300_000, 1] as const);
    assert.ok(toChartData([series(60_000, slow)]).lines[0]?.avg.every((value) => value === 1));
  });

  it("reaches to the ends of the span, with nothing where it begins later or has ended", () => {
    const data = toChartData([series(60_000, [[600_000, 1]])], { span: { from: 0, to: 1_200_000 } });
    assert.deepEqual(data.times, [0, 599.999, 600, 660, 1_200]);
    assert.deepEqual(data.lines[0]?.avg, [null, null, 1, null, null]);
  });

  it("is in the unit that is shown", () => {
    const data = toChartData([series(0, [[0, 20]])], {
      convert: (value) => toShownValue("fahrenheit", value),
    });
    assert.deepEqual(data.lines[0]?.avg, [68]);
  });

  it("joins single reports that come seldom, and breaks those that stopped", () => {
    const seldom = [0, 60_000, 120_000, 180_000].map((at) => [at, 1] as const);
    assert.deepEqual(toChartData([series(0, seldom)]).lines[0]?.avg, [1, 1, 1, 1]);
    const often = [0, 3_000, 6_000, 90_000].map((at) => [at, 1] as const);
    assert.deepEqual(toChartData([series(0, often)]).lines[0]?.avg, [1, 1, 1, null, null, 1]);
  });

  it("brings lines with other times onto one axis, without making holes in them", () => {
    const data = toChartData([
      series(0, [
        [0, 1],
        [2_000, 3],
      ]),
      series(0, [
        [1_000, 2],
        [2_000, 4],
      ]),
    ]);
    assert.deepEqual(data.times, [0, 1, 2]);
    assert.deepEqual(data.lines[0]?.avg, [1, undefined, 3]);
    assert.deepEqual(data.lines[1]?.avg, [undefined, 2, 4]);
  });

  it("has a band if a point represents multiple values", () => {
    const one = series(60_000, []);
    const data = toChartData([{ ...one, points: [{ at: 0, min: 1, avg: 2, max: 4 }] }]);
    assert.equal(data.hasBand, true);
    assert.deepEqual(data.lines[0], { avg: [2], min: [1], max: [4] });
  });

  it("is empty without points", () => {
    assert.deepEqual(toChartData([]), { times: [], lines: [], hasBand: false });
    assert.deepEqual(toChartData([series(0, [])]).times, []);
  });

  it("adds a live value once, and lets the oldest go", () => {
    const before = [
      series(0, [
        [1_000, 1],
        [2_000, 2],
      ]),
    ];
    const read = (): number => 9;
    const after = appendLive(before, { at: 3_000, from: 2_000, read });
    assert.deepEqual(
      after[0]?.points.map(({ at, avg }) => [at, avg]),
      [
        [2_000, 2],
        [3_000, 9],
      ],
    );
    assert.deepEqual(appendLive(after, { at: 3_000, from: 0, read }), after);
    assert.deepEqual(appendLive(after, { at: 4_000, from: 0, read: () => undefined }), after);
  });

  it("finds the next point with a value in either direction", () => {
    const data = toChartData([
      series(60_000, [
        [0, 1],
        [300_000, 2],
      ]),
    ]);
    assert.equal(findFilled(data, 1, 1), 3);
    assert.equal(findFilled(data, 1, -1), 0);
    assert.equal(findFilled(data, 4, 1), undefined);
  });
});

describe("charts of a server", () => {
  it("name metrics that there are, each once, and four lines at most", () => {
    const names = chartSpecs.flatMap(({ lines }) => lines.map(({ metric }) => metric));
    assert.deepEqual(
      names.filter((name) => !isMetricName(name)),
      [],
    );
    assert.equal(new Set(names).size, names.length);
    assert.ok(chartSpecs.every(({ lines }) => lines.length <= 4));
  });

  it("are those that there are values for, with the lines that there are", () => {
    const known = new Set(["cpu.usagePercent", "memory.usedPercent", "processes"]);
    const chosen = chooseCharts((metric) => (known.has(metric) ? 0 : undefined));
    assert.deepEqual(
      chosen.map(({ key, lines }) => [key, lines.length]),
      [
        ["cpu", 1],
        ["memory", 1],
        ["processes", 1],
      ],
    );
  });

  it("have ranges that grow, and a shortest one for an address that names none", () => {
    assert.ok(ranges.every((range, at) => at === 0 || range.ms > (ranges[at - 1]?.ms ?? 0)));
    assert.equal(findRange("7d").amount, 7);
    assert.equal(findRange("2y").key, "all");
    assert.equal(findRange("for ever").key, "15m");
    assert.equal(findRange(null).key, "15m");
  });
});

describe("axis of values", () => {
  it("has room above, and a percentage ends at 100", () => {
    assert.equal(toAxisTop("percent", 99), 100);
    assert.equal(toAxisTop("percent", 1), 10);
    assert.ok(toAxisTop("bytesPerSecond", 1e6) > 1e6);
  });

  it("has lines at round values, small and large", () => {
    assert.ok(axisSteps.includes(0.05));
    assert.ok(axisSteps.includes(20_000_000));
  });
});
