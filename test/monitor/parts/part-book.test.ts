import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MOST_PARTS, type PartReading } from "../../../src/monitor/base/part-metrics.ts";
import { PartBook } from "../../../src/monitor/parts/part-book.ts";

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 0, 31);
const server = { id: "web-1", createdAt: 1 };

function container(name: string): PartReading {
  return { kind: "container", name, values: [1] };
}

function createBook(): PartBook {
  return new PartBook(server, { version: 0, parts: [] });
}

/** Takes so many names, each at its own second. */
function fill(book: PartBook, prefix: string, { count, from }: { count: number; from: number }): number {
  let taken = 0;
  for (let index = 0; index < count; index += 1) {
    const at = from + index * 1_000;
    if (book.take(container(`${prefix}${index}`), at, at) !== undefined) taken += 1;
  }
  return taken;
}

describe("the parts of a server", () => {
  it("are 64 of a kind; those that are reported keep their places, whatever else comes", () => {
    const book = createBook();
    assert.equal(fill(book, "db-", { count: 80, from: START }), MOST_PARTS);
    assert.equal(book.list().length, MOST_PARTS);
    assert.equal(new Set(book.list().map(({ slot }) => slot)).size, MOST_PARTS);
    assert.equal(book.find("container", "db-79"), undefined);
    const [left] = book.leftOut(START + 80_000);
    assert.deepEqual(
      [left?.kind, left?.reason, left?.name, left?.count],
      ["container", "too_many", "db-79", 16],
    );
    // Other kinds have places of their own.
    assert.equal(book.take({ kind: "mount", name: "/", values: [] }, START, START)?.slot, 0);
  });

  it("give the place of the least recently reported one to a new one, whose series begins then", () => {
    const book = createBook();
    fill(book, "db-", { count: MOST_PARTS, from: START });
    const now = START + HOUR_MS;
    for (let index = 1; index < MOST_PARTS; index += 1) book.take(container(`db-${index}`), now, now);
    const taken = book.take(container("new"), now, now);
    assert.deepEqual([taken?.slot, taken?.since, taken?.seriesId], [0, now, "web-1/container0"]);
    assert.equal(book.find("container", "db-0"), undefined);
    assert.equal(book.find("container", "db-1")?.since, 0);
  });

  it("are bounded when names change each second: 64 places, and 64 changes an hour", () => {
    const book = createBook();
    const taken = fill(book, "job-", { count: 6 * 3_600, from: START });
    assert.ok(taken <= MOST_PARTS * 7, String(taken));
    assert.equal(book.list().length, MOST_PARTS);
    assert.ok((book.leftOut(START + 6 * HOUR_MS)[0]?.count ?? 0) > 0);
  });

  it("leave names out that are longer than 200 characters, and say so", () => {
    const book = createBook();
    assert.equal(book.take(container("x".repeat(10_000)), START, START), undefined);
    assert.notEqual(book.take(container("x".repeat(200)), START, START), undefined);
    const [left] = book.leftOut(START);
    assert.deepEqual([left?.reason, left?.name.length], ["name_too_long", 80]);
    assert.deepEqual(book.leftOut(START + 7 * HOUR_MS), []);
  });

  it("come back from the store with their places", () => {
    const book = createBook();
    fill(book, "db-", { count: 3, from: START });
    assert.equal(book.isChanged, true);
    const parts = book.toStored();
    assert.equal(book.isChanged, false);
    const again = new PartBook(server, { version: 1, parts });
    assert.deepEqual(again.list(), book.list());
    assert.equal(again.take(container("db-3"), START, START)?.slot, 3);
    // A part that is reported is stored now and then, not each time.
    again.toStored();
    again.take(container("db-1"), START + 3_000, START + 3_000);
    assert.equal(again.isChanged, false);
    again.take(container("db-1"), START + 7 * HOUR_MS, START + 7 * HOUR_MS);
    assert.equal(again.isChanged, true);
  });
});
