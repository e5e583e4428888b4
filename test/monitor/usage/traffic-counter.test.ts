/** Counting traffic from counters, table by table. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  type TrafficCounter,
  countTraffic,
  orderTime,
  trafficTime,
} from "../../../src/monitor/usage/traffic-counter.ts";

const none = Number.NaN;
const HOUR = 3_600_000;

/** What it is about, the reports as [order time, rx, tx], the bytes that each adds; undefined: it does not count. */
const rows: readonly (readonly [
  string,
  readonly (readonly [number, number, number])[],
  readonly (readonly [number, number] | undefined)[],
])[] = [
  ["the first says where counting begins", [[1, 5_000, 700]], [[0, 0]]],
  [
    "differences",
    [
      [1, 100, 10],
      [2, 150, 10],
      [3, 150, 30],
    ],
    [
      [0, 0],
      [50, 0],
      [0, 20],
    ],
  ],
  [
    "a restart counts from 0",
    [
      [1, 1_000, 500],
      [2, 30, 20],
      [3, 40, 25],
    ],
    [
      [0, 0],
      [30, 20],
      [10, 5],
    ],
  ],
  [
    "a restart that one counter hides",
    [
      [1, 100, 1_000],
      [2, 150, 20],
    ],
    [
      [0, 0],
      [150, 20],
    ],
  ],
  [
    "a restart to 0",
    [
      [1, 100, 100],
      [2, 0, 0],
      [3, 7, 8],
    ],
    [
      [0, 0],
      [0, 0],
      [7, 8],
    ],
  ],
  [
    "restarts one after the other",
    [
      [1, 9, 9],
      [2, 5, 5],
      [3, 4, 4],
      [4, 3, 3],
    ],
    [
      [0, 0],
      [5, 5],
      [4, 4],
      [3, 3],
    ],
  ],
  [
    "late ones change nothing",
    [
      [5, 100, 100],
      [3, 50, 50],
      [6, 110, 120],
    ],
    [[0, 0], undefined, [10, 20]],
  ],
  [
    "nor late ones from before a restart",
    [
      [5, 900, 900],
      [7, 10, 10],
      [6, 950, 950],
      [8, 11, 12],
    ],
    [[0, 0], [10, 10], undefined, [1, 2]],
  ],
  [
    "nor the same time again",
    [
      [5, 100, 100],
      [5, 200, 200],
    ],
    [[0, 0], undefined],
  ],
  [
    "none at all",
    [
      [1, none, none],
      [2, 10, 10],
      [3, none, none],
      [4, 15, 15],
    ],
    [undefined, [0, 0], undefined, [5, 5]],
  ],
  [
    "one counter only",
    [
      [1, 10, none],
      [2, 15, none],
    ],
    [
      [0, 0],
      [5, 0],
    ],
  ],
  [
    "one that comes later begins then",
    [
      [1, 10, none],
      [2, 15, 1_000],
      [3, 20, 1_001],
    ],
    [
      [0, 0],
      [5, 0],
      [5, 1],
    ],
  ],
  [
    "one that is missing for a while",
    [
      [1, 10, 10],
      [2, 15, none],
      [3, 20, 30],
    ],
    [
      [0, 0],
      [5, 0],
      [5, 20],
    ],
  ],
  [
    "the largest there are",
    [
      [1, 0, 0],
      [2, Number.MAX_SAFE_INTEGER, 1],
    ],
    [
      [0, 0],
      [Number.MAX_SAFE_INTEGER, 1],
    ],
  ],
];

describe("countTraffic", () => {
  for (const [what, reports, added] of rows) {
    it(what, () => {
      let counter: TrafficCounter | undefined;
      const results = reports.map(([at, rx, tx]) => {
        const counted = countTraffic(counter, { at, rx, tx });
        counter = counted?.counter ?? counter;
        return counted === undefined ? undefined : [counted.rxBytes, counted.txBytes];
      });
      assert.deepEqual(results, added);
    });
  }
});

describe("the time of a report", () => {
  it("orders by the agent's clock, but never later than the arrival", () => {
    assert.equal(orderTime({ at: 5, receivedAt: 9 }), 5);
    assert.equal(orderTime({ at: 9, receivedAt: 5 }), 5);
  });

  it("puts traffic where it was collected, unless that is more than two days ago", () => {
    const receivedAt = 1_000 * HOUR;
    assert.equal(trafficTime({ at: receivedAt - 48 * HOUR, receivedAt }), receivedAt - 48 * HOUR);
    assert.equal(trafficTime({ at: receivedAt - 48 * HOUR - 1, receivedAt }), receivedAt);
    assert.equal(trafficTime({ at: receivedAt + 400 * HOUR, receivedAt }), receivedAt);
  });
});
