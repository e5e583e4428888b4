/** The search by halves finds what a walk from the start finds. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findFirst } from "../../src/kit/find-first.ts";

describe("findFirst", () => {
  it("finds the end of what comes before, in any length", () => {
    for (let length = 0; length <= 40; length += 1)
      for (let wanted = 0; wanted <= length; wanted += 1) {
        const asked: number[] = [];
        const found = findFirst(length, (place) => {
          asked.push(place);
          return place < wanted;
        });
        assert.equal(found, wanted);
        assert.deepEqual(
          asked.filter((place) => place < 0 || place >= length),
          [],
        );
      }
  });
});
