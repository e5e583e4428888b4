import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  type Geometry,
  findDrawn,
  findNext,
  findPlace,
  fitColumns,
  layOut,
} from "../../src/web/fleet/windowing.ts";

const cards: Geometry = { columns: 3, rowHeight: 100, headingHeight: 40, sectionGap: 10 };

describe("windowed list", () => {
  it("fits as many columns as there is room for, and one at least", () => {
    assert.equal(fitColumns(300, { least: 100, gap: 10 }), 2);
    assert.equal(fitColumns(320, { least: 100, gap: 10 }), 3);
    assert.equal(fitColumns(50, { least: 100, gap: 10 }), 1);
    assert.equal(fitColumns(0, { least: 100, gap: 10 }), 1);
  });

  it("places sections one below the other, with their headings", () => {
    const layout = layOut(
      [
        { count: 4, hasHeading: true },
        { count: 2, hasHeading: false },
      ],
      cards,
    );
    assert.deepEqual(
      layout.sections.map(({ top, itemsTop, first }) => [top, itemsTop, first]),
      [
        [0, 40, 0],
        [250, 250, 4],
      ],
    );
    assert.equal(layout.height, 360);
    assert.deepEqual(findPlace(layout, 3), { top: 140, column: 0, section: 0 });
    assert.deepEqual(findPlace(layout, 5), { top: 250, column: 1, section: 1 });
    assert.equal(findPlace(layout, 6), undefined);
  });

  it("draws a thousand rows in part only", () => {
    const layout = layOut([{ count: 1_000, hasHeading: false }], { ...cards, columns: 1 });
    const [drawn] = findDrawn(layout, { from: 50_000, to: 50_700 });
    assert.deepEqual([drawn?.indexes[0], drawn?.indexes.at(-1)], [500, 506]);
  });

  it("draws a section of which one pixel is in sight, and not the next one", () => {
    const sizes = [1, 1, 1].map((count) => ({ count, hasHeading: false }));
    const layout = layOut(sizes, { ...cards, sectionGap: 0 });
    const sections = (from: number, to: number): number[] =>
      findDrawn(layout, { from, to }).map(({ section }) => section);
    assert.deepEqual(sections(99, 101), [0, 1]);
    assert.deepEqual(sections(100, 200), [1]);
  });

  it("keeps the item with the focus, in its order and in its section", () => {
    const layout = layOut(
      [
        { count: 30, hasHeading: true },
        { count: 30, hasHeading: true },
      ],
      cards,
    );
    const kept = findDrawn(layout, { from: 1_100, to: 1_300, kept: 2 });
    assert.deepEqual(kept[0], { section: 0, indexes: [2] });
    assert.equal(kept[1]?.section, 1);
    const near = findDrawn(layout, { from: 0, to: 100, kept: 29 });
    assert.deepEqual(near, [{ section: 0, indexes: [0, 1, 2, 29] }]);
  });

  it("draws exactly what touches the window, whatever the sizes", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ count: fc.nat(50), hasHeading: fc.boolean() }), { maxLength: 6 }),
        fc.record({ columns: fc.integer({ min: 1, max: 6 }), rowHeight: fc.integer({ min: 10, max: 300 }) }),
        fc.integer({ min: -500, max: 5_000 }),
        fc.integer({ min: 1, max: 2_000 }),
        (sizes, geometry, from, height) => {
          const layout = layOut(sizes, { ...cards, ...geometry });
          const to = from + height;
          const drawn = new Set(findDrawn(layout, { from, to }).flatMap(({ indexes }) => indexes));
          for (let index = 0; index < layout.count; index += 1) {
            const top = findPlace(layout, index)?.top ?? Number.NaN;
            assert.equal(drawn.has(index), top < to && top + geometry.rowHeight > from, `item ${index}`);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  const layout = layOut(
    [
      { count: 5, hasHeading: true },
      { count: 4, hasHeading: true },
    ],
    cards,
  );
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
    [1, "End", 8],
    [8, "Home", 0],
    [1, "PageDown", 7],
    [7, "PageDown", 8],
    [1, "PageUp", 0],
    [1, "x", undefined],
  ] as const) {
    it(`leads from ${from} by ${key} to ${to}`, () => {
      assert.equal(findNext(layout, { index: from, key, page: 2 }), to);
    });
  }
});
