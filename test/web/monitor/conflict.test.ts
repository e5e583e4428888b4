/** Two administrators change the same server: what each changed, and one out of both. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { findChanges, isSame, mergeVersions } from "../../../src/web/ui/forms/conflict.ts";

interface Fields {
  name: string;
  group: string;
  tags: string[];
  billing?: { price: number; currency: string };
}
const base: Fields = { name: "web", group: "a", tags: ["x"], billing: { price: 1, currency: "EUR" } };

describe("conflicting changes", () => {
  it("needs no choice where only one side changed a field, or both to the same", () => {
    const mine = { ...base, name: "web 1", tags: ["y"] };
    const theirs = { ...base, group: "b", tags: ["y"] };
    assert.deepEqual(
      findChanges({ base, mine, theirs }).map(({ name, isConflict }) => [name, isConflict]),
      [
        ["name", false],
        ["group", false],
        ["tags", false],
      ],
    );
    assert.deepEqual(mergeVersions({ base, mine, theirs }, new Set()), {
      ...base,
      name: "web 1",
      group: "b",
      tags: ["y"],
    });
  });

  it("names first what both changed, and takes the side that was chosen", () => {
    const mine = { ...base, group: "mine", name: "mine" };
    const theirs = { ...base, name: "theirs" };
    const changes = findChanges({ base, mine, theirs });
    assert.deepEqual(
      changes.map(({ name, isConflict }) => [name, isConflict]),
      [
        ["name", true],
        ["group", false],
      ],
    );
    assert.equal(mergeVersions({ base, mine, theirs }, new Set(["name"])).name, "mine");
    assert.deepEqual(mergeVersions({ base, mine, theirs }, new Set()), {
      ...base,
      name: "theirs",
      group: "mine",
    });
  });

  it("takes away what one side took away", () => {
    const { billing: _gone, ...without } = base;
    assert.deepEqual(mergeVersions({ base, mine: without, theirs: base }, new Set()), without);
    assert.deepEqual(mergeVersions({ base, mine: base, theirs: without }, new Set()), without);
  });

  it("does not mind the order of an object's members", () => {
    assert.ok(isSame({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }));
    assert.ok(!isSame(["a", "b"], ["b", "a"]));
    assert.ok(isSame(undefined, undefined) && !isSame(undefined, null));
  });

  it("with all choices mine keeps every change of mine; with none, every change of theirs", () => {
    const value = fc.record({ a: fc.nat(3), b: fc.nat(3), c: fc.nat(3) });
    fc.assert(
      fc.property(value, value, value, (before, mine, theirs) => {
        const versions = { base: before, mine, theirs };
        const all = mergeVersions(versions, new Set(["a", "b", "c"]));
        const none = mergeVersions(versions, new Set());
        for (const name of ["a", "b", "c"] as const) {
          if (mine[name] !== before[name]) assert.equal(all[name], mine[name]);
          if (theirs[name] !== before[name]) assert.equal(none[name], theirs[name]);
        }
      }),
    );
  });
});
