/** The lowest price of the 30 days before a reduction, from points of a price. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { addPoint, findPriorPrice } from "../../../src/shop/prices/prior-price.ts";
import type { PricePoint } from "../../../src/shop/prices/schema.ts";

const DAY = 86_400_000;
const T = 1_000 * DAY;

/** Points by day: [day, price, compareAtPrice]. */
function toPoints(
  ...rows: readonly (readonly [day: number, price?: number, compareAt?: number])[]
): PricePoint[] {
  return rows.map(([day, price, compareAtPrice]) => ({ at: T + day * DAY, price, compareAtPrice }));
}

describe("the price beside a reduction", () => {
  const cases: readonly [string, PricePoint[], number | undefined][] = [
    ["is none without a reduction", toPoints([0, 100]), undefined],
    ["is none when the other price is no higher", toPoints([0, 100, 100]), undefined],
    ["is none while nothing is sold", toPoints([0, 100, 200], [1]), undefined],
    ["is the price before", toPoints([0, 100], [60, 80, 100]), 100],
    [
      "is the lowest of the 30 days before, whatever is claimed",
      toPoints([0, 90], [40, 120], [50, 80, 120]),
      90,
    ],
    ["forgets what ended 30 days before", toPoints([0, 50], [20, 100], [50, 80, 100]), 100],
    [
      "counts what ended a moment later",
      [...toPoints([0, 50]), { at: T + 20 * DAY + 1, price: 100 }, ...toPoints([50, 80, 100])],
      50,
    ],
    ["stays the same while the reduction lasts", toPoints([0, 100], [10, 80, 100], [200, 80, 110]), 100],
    ["counts from the last of several steps down", toPoints([0, 100], [10, 80, 100], [20, 60, 100]), 80],
    [
      "counts a lower price between, when it rises again",
      toPoints([0, 100], [10, 60, 100], [20, 80, 100]),
      60,
    ],
    [
      "is that before, when the other price is shown some days later",
      toPoints([0, 100], [10, 80], [15, 80, 100]),
      100,
    ],
    ["is its own price when it has cost that for 30 days", toPoints([0, 100], [10, 80], [40, 80, 100]), 80],
    ["is its own price for what was never sold otherwise", toPoints([0, 80, 100]), 80],
    ["leaves out a time when it was not on sale", toPoints([0, 10], [1], [20, 100], [40, 80, 100]), 100],
  ];
  for (const [name, points, expected] of cases)
    it(name, () => {
      assert.equal(findPriorPrice(points), expected);
    });
});

describe("the points of a price", () => {
  it("stay as they are when nothing changed, and hold the last of two at once", () => {
    const points = toPoints([0, 100]);
    assert.equal(addPoint(points, { at: T + DAY, price: 100 }), points);
    const twice = addPoint(addPoint(points, { at: T + DAY, price: 90 }), { at: T + DAY, price: 80 });
    assert.deepEqual(
      twice.map(({ price }) => price),
      [100, 80],
    );
  });

  it("stay in their order when the clock was set back", () => {
    const [ahead, now] = toPoints([1, 100], [0, 80, 100]);
    const points = [ahead, now].reduce<readonly PricePoint[]>(
      (all, point) => addPoint(all, point ?? assert.fail()),
      [],
    );
    assert.deepEqual(points, [{ ...ahead, at: T - 1 }, now]);
    assert.equal(findPriorPrice(points), 100);
  });

  it("go after 400 days, but not while a reduction needs them", () => {
    const long = addPoint(toPoints([0, 100], [10, 90], [20, 80, 100]), {
      at: T + 900 * DAY,
      price: 80,
      compareAtPrice: 120,
    });
    assert.equal(findPriorPrice(long), 90);
    assert.equal(long.length, 4);
    const done = addPoint(long, { at: T + 1_400 * DAY, price: 70 });
    assert.deepEqual(
      done.map(({ price }) => price),
      [80, 70],
    );
  });

  it("are at most 200, and never hide a low price", () => {
    let points: readonly PricePoint[] = [];
    for (let n = 0; n < 1_000; n += 1)
      points = addPoint(points, { at: T + n, price: n === 3 ? 5 : 100 + (n % 2) });
    points = addPoint(points, { at: T + 2_000, price: 50, compareAtPrice: 100 });
    assert.equal(points.length, 200);
    assert.equal(findPriorPrice(points), 5);
  });
});
