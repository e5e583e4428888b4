/** The span of charts, its words, and what happened in it. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { switchLine } from "../../src/web/charts/hidden-lines.ts";
import {
  type ChartEvents,
  findOutage,
  findOutages,
  findRestarts,
  noEvents,
} from "../../src/web/charts/outages.ts";
import { listEvents, toEventLines, toMarks } from "../../src/web/charts/marks.ts";
import type { Series } from "../../src/web/charts/series.ts";
import { clampSpan, panSpan, readView, scaleSpan, toQuery } from "../../src/web/charts/range/span.ts";
import { toTimeTick, toTimeTicks } from "../../src/web/charts/range/times.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const T0 = Date.UTC(2026, 10, 21);

function series(
  stepMs: number,
  points: readonly (readonly [at: number, min: number, max?: number])[],
): Series {
  return {
    metric: "uptimeSeconds",
    tier: "x",
    stepMs,
    points: points.map(([at, min, max = min]) => ({ at: T0 + at, min, avg: min, max })),
  };
}

/** A value every minute but in the minutes that are named. */
function beats(minutes: number, isMissing: (minute: number) => boolean): Series {
  const all = Array.from({ length: minutes }, (_, minute) => [minute * MINUTE, 1] as const);
  return series(
    MINUTE,
    all.filter(([at]) => !isMissing(at / MINUTE)),
  );
}

describe("the span of charts", () => {
  const limits = { from: 0, to: 100 * HOUR };

  it("is part of the URL, and is restored from it", () => {
    const span = { from: T0, to: T0 + 90 * MINUTE };
    const query = toQuery({ ...readView("?range=7d"), span });
    assert.equal(query, "?range=7d&from=2026-11-21T00:00:00Z&to=2026-11-21T01:30:00Z");
    assert.deepEqual(readView(query).span, span);
    assert.equal(readView(query).range.key, "7d");
    assert.equal(toQuery(readView("?range=7d")), "?range=7d");
  });

  for (const query of [
    "?from=x&to=y",
    "?from=2026-11-21T00:00:00Z",
    "?to=2026-11-21T00:00:00Z&from=2026-11-22T00:00:00Z",
  ])
    it(`is a range when ${query} names none`, () => assert.equal(readView(query).span, undefined));

  it("is at least a minute long, and never beyond what there is", () => {
    assert.deepEqual(clampSpan({ from: HOUR, to: HOUR + 1_000 }, limits), { from: HOUR, to: HOUR + MINUTE });
    assert.deepEqual(clampSpan({ from: 99 * HOUR, to: 103 * HOUR }, limits), {
      from: 96 * HOUR,
      to: 100 * HOUR,
    });
    assert.deepEqual(clampSpan({ from: -9 * HOUR, to: 500 * HOUR }, limits), limits);
    assert.deepEqual(clampSpan({ from: 3 * HOUR, to: 2 * HOUR }, limits), { from: 2 * HOUR, to: 3 * HOUR });
  });

  it("moves by a share of itself, and grows around its middle", () => {
    assert.deepEqual(panSpan({ from: 10, to: 20 }, -0.5), { from: 5, to: 15 });
    assert.deepEqual(scaleSpan({ from: 10, to: 20 }, 2), { from: 5, to: 25 });
  });
});

describe("the words of the time axis", () => {
  const axis = { from: 0, to: 100, width: 400, room: 10, measure: () => 40 };

  it("are left out where an edge would cut them", () => {
    const words = toTimeTicks([0, 50, 97, 100], 1, axis);
    assert.deepEqual(
      words.map((word) => word !== ""),
      [true, true, true, false],
    );
  });

  it("never touch each other", () => {
    const words = toTimeTicks([0, 5, 13, 20], 1, axis);
    assert.deepEqual(
      words.map((word) => word !== ""),
      [true, false, true, false],
    );
  });

  it("name the day at a midnight of the reader's zone, and seconds where lines are closer than a minute", () => {
    const midnight = new Date(2026, 10, 21).getTime() / 1_000;
    assert.match(toTimeTick(midnight, 3_600), /21/u);
    assert.match(toTimeTick(midnight + 10, 10), /:00:10/u);
    assert.match(toTimeTick(midnight, 40 * 86_400), /2026/u);
  });
});

describe("outages", () => {
  const span = { from: T0, to: T0 + 60 * MINUTE };
  const rest = { span, firstAt: T0, isCurrent: true };

  it("begin with the end of the last step and end with the next point", () => {
    const found = findOutages(
      beats(60, (minute) => minute >= 20 && minute < 30),
      rest,
    );
    assert.deepEqual(found, [{ from: T0 + 20 * MINUTE, to: T0 + 30 * MINUTE, isOpen: false }]);
  });

  it("last until now for a server that is offline, from its last sign of life", () => {
    const offlineSince = T0 + 40 * MINUTE + 12_000;
    const found = findOutages(
      beats(41, () => false),
      { ...rest, isCurrent: false, offlineSince },
    );
    assert.deepEqual(found, [{ from: offlineSince, to: span.to, isOpen: true }]);
  });

  it("are none before the first value, and none at the end while reports come in", () => {
    const late = beats(50, (minute) => minute < 30);
    assert.deepEqual(findOutages(late, { ...rest, firstAt: T0 + 30 * MINUTE }), []);
    assert.equal(findOutages(late, rest)[0]?.from, T0);
  });

  it("are found by a moment in them", () => {
    const events: ChartEvents = { ...noEvents, outages: [{ from: 10, to: 20, isOpen: false }] };
    assert.equal(findOutage(events, 10)?.to, 20);
    assert.equal(findOutage(events, 20), undefined);
  });
});

describe("restarts", () => {
  it("are where the uptime of single reports falls", () => {
    const uptimes = series(0, [
      [0, 1_000],
      [10_000, 1_010],
      [60_000, 20],
      [70_000, 30],
    ]);
    assert.deepEqual(findRestarts(uptimes), [T0 + 40_000]);
  });

  it("are where it falls between steps or within one, each once", () => {
    const between = series(MINUTE, [
      [0, 900, 959],
      [5 * MINUTE, 20, 59],
      [6 * MINUTE, 60, 119],
    ]);
    assert.deepEqual(findRestarts(between), [T0 + 5 * MINUTE + 1_000]);
    const within = series(MINUTE, [
      [0, 900, 959],
      [MINUTE, 5, 990],
      [2 * MINUTE, 25, 84],
      [3 * MINUTE, 85, 144],
    ]);
    assert.deepEqual(findRestarts(within), [T0 + 3 * MINUTE - 84_000]);
  });

  it("are none while it grows", () => {
    assert.deepEqual(
      findRestarts(
        series(MINUTE, [
          [0, 10, 69],
          [MINUTE, 70, 129],
        ]),
      ),
      [],
    );
  });
});

describe("what happened", () => {
  const events: ChartEvents = {
    ...noEvents,
    outages: [{ from: T0, to: T0 + 10 * MINUTE, isOpen: false }],
    restarts: [T0 + 10 * MINUTE],
    alerts: [{ from: T0 + HOUR, to: T0 + 2 * HOUR, severity: "critical", name: "CPU busy" }],
  };

  it("is listed with the newest first, an alert once", () => {
    const words = listEvents(events, { from: T0, to: T0 + 3 * HOUR });
    assert.equal(words.length, 3);
    assert.match(words[0] ?? "", /alert: CPU busy \(1h\)/u);
    assert.match(words[1] ?? "", /rebooted/u);
    assert.match(words[2] ?? "", /^Offline .*, 10m$/u);
  });

  it("has a mark for the start and the end of an alert", () => {
    const kinds = toMarks(events, { from: T0, to: T0 + 3 * HOUR }).map(({ kind }) => kind);
    assert.deepEqual(kinds, ["restart", "alert", "recovery"]);
    assert.deepEqual(toMarks(events, { from: T0 + 3 * HOUR, to: T0 + 4 * HOUR }), []);
  });

  it("is said of a moment, four lines at most", () => {
    assert.match(toEventLines(events, { at: T0 + MINUTE, nearMs: 1 })[0] ?? "", /^Offline/u);
    assert.deepEqual(toEventLines(events, { at: T0 + 30 * MINUTE, nearMs: MINUTE }), []);
    const many = { ...events, restarts: [1, 2, 3, 4, 5, 6].map((at) => T0 + HOUR + at) };
    const lines = toEventLines(many, { at: T0 + HOUR, nearMs: MINUTE });
    assert.equal(lines.length, 5);
    assert.equal(lines.at(-1), "and 3 more");
  });

  it("is only about as long as the steps are exact", () => {
    const words = listEvents({ ...events, stepMs: 600_000 }, { from: T0, to: T0 + 30 * MINUTE });
    assert.match(words.at(-1) ?? "", /about 10m$/u);
  });
});

describe("lines that are switched off", () => {
  const metrics = ["a", "b", "c"];
  const after = (hidden: readonly string[], metric: string, alone = false): readonly string[] =>
    [...switchLine(new Set(hidden), { metrics, metric, alone })].toSorted();

  it("come back with a second click", () => {
    assert.deepEqual(after(["other"], "b"), ["b", "other"]);
    assert.deepEqual(after(["b"], "b"), []);
  });

  it("are all others when one is to stand alone, and come back when it does already", () => {
    assert.deepEqual(after(["a"], "a", true), ["b", "c"]);
    assert.deepEqual(after(["b", "c"], "a", true), []);
  });

  it("are never all: the last one brings the others back", () => {
    assert.deepEqual(after(["b", "c"], "a"), []);
  });
});
