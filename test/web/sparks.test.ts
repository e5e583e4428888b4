import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createSparks, SPARK_SPAN_MS, SPARK_SPANS, toSparkPath } from "../../src/web/app/sparks.ts";

/** The beginning of a span. */
const START = 1_000_000 * SPARK_SPAN_MS;

function known(values: readonly (number | undefined)[]): number[] {
  return values.filter((value) => value !== undefined);
}

describe("past of sparklines", () => {
  it("averages what falls into a span; the last one is that of now", () => {
    const sparks = createSparks();
    sparks.add("a", START, 10);
    sparks.add("a", START + 3_000, 20);
    const values = sparks.read("a", START + 5_000);
    assert.equal(values.length, SPARK_SPANS);
    assert.equal(values.at(-1), 15);
    assert.equal(sparks.read("a", START + SPARK_SPAN_MS).at(-2), 15);
  });

  it("lets go of what is too old, and of servers that are gone", () => {
    const sparks = createSparks();
    sparks.add("a", START, 10);
    assert.deepEqual(known(sparks.read("a", START + SPARK_SPANS * SPARK_SPAN_MS)), []);
    sparks.keep(new Set(["b"]));
    assert.deepEqual(known(sparks.read("a", START)), []);
  });

  it("puts the past before live values and counts nothing twice", () => {
    const sparks = createSparks();
    sparks.add("a", START, 50);
    sparks.seed("a", [
      { at: START - SPARK_SPAN_MS, avg: 10 },
      { at: START, avg: 99 },
    ]);
    assert.deepEqual(sparks.read("a", START).slice(-2), [10, 50]);
  });

  it("keeps the whole past when its end is known already", () => {
    const sparks = createSparks();
    sparks.add("a", START, 50);
    const past = Array.from({ length: SPARK_SPANS }, (_, at) => ({ at: START - at * SPARK_SPAN_MS, avg: 1 }));
    sparks.seed("a", past.reverse());
    assert.equal(known(sparks.read("a", START)).length, SPARK_SPANS);
  });

  it("never keeps more than the line shows", () => {
    const sparks = createSparks();
    for (let at = 0; at < 200; at += 1) sparks.add("a", START + at * SPARK_SPAN_MS, at);
    assert.equal(known(sparks.read("a", START + 199 * SPARK_SPAN_MS)).length, SPARK_SPANS);
  });
});

describe("path of a sparkline", () => {
  const box = { width: 100, height: 10, most: 100 };

  it("is one line over short gaps", () => {
    assert.equal(toSparkPath([0, undefined, 100], box), "M0.0 10.0L100.0 0.0");
  });

  it("breaks where nothing is known for long; a value alone is a dash", () => {
    const values = [50, ...Array.from({ length: 9 }, () => undefined), 100, 100];
    assert.match(toSparkPath(values, box), /^M0\.0 5\.0h9\.1M90\.9 0\.0L100\.0 0\.0$/u);
  });

  it("is empty without values and never leaves the box", () => {
    assert.equal(toSparkPath([undefined, undefined], box), "");
    assert.equal(toSparkPath([500, 0], box), "M0.0 0.0L100.0 10.0");
  });
});
