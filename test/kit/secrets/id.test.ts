import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { newId, toIdStart } from "../../../src/kit/secrets/id.ts";

const AT = Date.UTC(2026, 0, 1);

/** Ids of a prefix that no other test has: what was made before counts. */
function make(prefix: string, times: readonly number[]): string[] {
  return times.map((ms) => newId(prefix, ms));
}

describe("newId", () => {
  it("gives ids of one form, safe in URLs and never the same", () => {
    const ids = make("form", Array<number>(5_000).fill(AT));
    for (const id of ids) assert.match(id, /^form_[0-9a-hjkmnp-tv-z]{26}$/u);
    assert.equal(new Set(ids).size, ids.length);
  });

  it("sorts as they were made within a millisecond", () => {
    const ids = make("within", Array<number>(5_000).fill(AT));
    assert.deepEqual(ids.toSorted(), ids);
  });

  it("sorts as they were made when the clock is set back by a little", () => {
    const ids = make("back", [AT, AT - 1, AT - 59_000, AT - 1_000, AT, AT + 1, AT]);
    assert.deepEqual(ids.toSorted(), ids);
  });

  it("follows a clock that is set back by more than a minute, so that a wrong year does not stay", () => {
    const [, later] = make("year", [AT + 10 * 365 * 86_400_000, AT]);
    assert.ok(later?.startsWith(toIdStart("year", AT)));
  });

  it("shares no random part between ids of a millisecond", () => {
    const tails = make("tail", Array<number>(1_000).fill(AT)).map((id) => id.slice(-12));
    assert.equal(new Set(tails).size, tails.length);
  });
});

describe("toIdStart", () => {
  it("parts ids made before from those made then or later", () => {
    const [before = "", then = "", after = ""] = make("part", [AT - 1, AT, AT + 1]);
    const start = toIdStart("part", AT);
    assert.ok(before < start && start < then && then < after);
  });
});
