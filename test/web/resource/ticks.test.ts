/** Ranges of ticked rows. */
import "./browser.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toRange } from "../../../src/web/ui/resource/list-parts.tsx";

describe("toRange", () => {
  const ids = ["a", "b", "c", "d"];

  it("has both ends, in the order of the rows, in either direction", () => {
    assert.deepEqual(toRange(ids, "b", "d"), ["b", "c", "d"]);
    assert.deepEqual(toRange(ids, "d", "b"), ["b", "c", "d"]);
    assert.deepEqual(toRange(ids, "c", "c"), ["c"]);
  });

  it("is the row alone without a beginning, or if that is no longer listed", () => {
    assert.deepEqual(toRange(ids, undefined, "c"), ["c"]);
    assert.deepEqual(toRange(ids, "gone", "c"), ["c"]);
  });
});
