import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createHeldCounts } from "../../../src/kit/limits/held-counts.ts";

describe("createHeldCounts", () => {
  it("counts what is held of each key", () => {
    const counts = createHeldCounts();
    counts.take("a");
    counts.take("a");
    counts.take("b");
    assert.deepEqual([counts.of("a"), counts.of("b"), counts.of("c")], [2, 1, 0]);
    counts.release("a");
    assert.equal(counts.of("a"), 1);
    counts.release("a");
    assert.equal(counts.of("a"), 0);
  });

  it("never goes below nothing", () => {
    const counts = createHeldCounts();
    counts.release("a");
    counts.take("a");
    assert.equal(counts.of("a"), 1);
  });
});
