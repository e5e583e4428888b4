import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { findNext } from "../../src/web/fleet/find-next.ts";

describe("keys in a list of servers", () => {
  // Three columns: a section of five items, and one of four.
  const tops = [40, 40, 40, 140, 140, 290, 290, 290, 390];
  for (const [from, key, to] of [
    [0, "ArrowRight", 1],
    [0, "ArrowLeft", undefined],
    [0, "ArrowDown", 3],
    // The second row has two items: the third column leads to the last one.
    [2, "ArrowDown", 4],
    [3, "ArrowDown", 5],
    [4, "ArrowDown", 6],
    [6, "ArrowUp", 4],
    [7, "ArrowUp", 4],
    [5, "ArrowUp", 3],
    [8, "ArrowDown", undefined],
    [0, "ArrowUp", undefined],
    [1, "End", 8],
    [8, "Home", 0],
    [1, "PageDown", 7],
    [7, "PageDown", 8],
    [1, "PageUp", 0],
    [1, "x", undefined],
  ] as const) {
    it(`leads from ${from} by ${key} to ${to}`, () => {
      assert.equal(findNext(tops, { index: from, key, page: 2 }), to);
    });
  }

  it("goes down and up by one row and never leaves the column but for a shorter row", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 8 }),
        fc.nat(40),
        fc.constantFrom("ArrowDown", "ArrowUp"),
        (lengths, at, key) => {
          const places = lengths.flatMap((length, row) =>
            Array.from({ length }, (_, column) => ({ row, column })),
          );
          const index = at % places.length;
          const from = places[index];
          const next = findNext(
            places.map(({ row }) => row * 100),
            { index, key, page: 3 },
          );
          const row = (from?.row ?? 0) + (key === "ArrowDown" ? 1 : -1);
          const length = lengths[row];
          const expected =
            length === undefined ? undefined : { row, column: Math.min(length - 1, from?.column ?? 0) };
          assert.deepEqual(next === undefined ? undefined : places[next], expected);
        },
      ),
      { numRuns: 200 },
    );
  });
});
