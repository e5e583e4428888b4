/** Putting servers in order. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { findLanding, moveItem, reconcileOrder, toScrollStep } from "../../../src/web/ui/forms/moves.ts";

const items = ["a", "b", "c", "d"];

describe("moves in a list", () => {
  it("moves up, down and to the ends", () => {
    assert.deepEqual(moveItem(items, { from: 2, to: 0 }), ["c", "a", "b", "d"]);
    assert.deepEqual(moveItem(items, { from: 0, to: 2 }), ["b", "c", "a", "d"]);
    assert.deepEqual(moveItem(items, { from: 1, to: 99 }), ["a", "c", "d", "b"]);
    assert.deepEqual(moveItem(items, { from: 1, to: -5 }), ["b", "a", "c", "d"]);
  });

  it("gives the same list when nothing moves", () => {
    assert.equal(moveItem(items, { from: 1, to: 1 }), items);
    assert.equal(moveItem(items, { from: 9, to: 1 }), items);
    assert.equal(moveItem([], { from: 0, to: 0 }).length, 0);
  });

  it("keeps every item, and moves one to its new position", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 1 }), fc.nat(), fc.nat(), (list, a, b) => {
        const from = a % list.length;
        const to = b % list.length;
        const moved = moveItem(list, { from, to });
        assert.equal(moved[to], list[from]);
        assert.deepEqual(moved.toSorted(), list.toSorted());
      }),
    );
  });
});

describe("what a pointer means", () => {
  const middles = [20, 60, 100, 140];

  it("lands at the nearest place", () => {
    assert.equal(findLanding(middles, 60), 1);
    assert.equal(findLanding(middles, 79), 1);
    assert.equal(findLanding(middles, 81), 2);
    assert.equal(findLanding(middles, -500), 0);
    assert.equal(findLanding(middles, 900), 3);
    assert.equal(findLanding([], 10), 0);
  });

  it("scrolls only near the edges, and faster nearer to them", () => {
    assert.equal(toScrollStep(400, 800), 0);
    assert.ok(toScrollStep(10, 800) < toScrollStep(60, 800) && toScrollStep(60, 800) < 0);
    assert.ok(toScrollStep(795, 800) > toScrollStep(740, 800) && toScrollStep(740, 800) > 0);
  });
});

describe("an order that others changed meanwhile", () => {
  it("leaves out what is gone and inserts new ones at their position", () => {
    assert.deepEqual(reconcileOrder(["c", "b", "a"], ["a", "new", "b"]), ["b", "new", "a"]);
    assert.deepEqual(reconcileOrder(["b", "a"], ["a", "b", "last"]), ["b", "a", "last"]);
  });

  it("always names exactly what is there", () => {
    const ids = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h"));
    fc.assert(
      fc.property(ids, ids, (mine, present) => {
        assert.deepEqual(reconcileOrder(mine, present).toSorted(), present.toSorted());
      }),
    );
  });
});
