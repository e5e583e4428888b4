/** Keys as bytes: the same order as the keys, and nothing lost. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { parseKeyBytes, toKeyBytes } from "../../../src/store/btree/key-bytes.ts";
import { type Key, compareKeys } from "../../../src/store/keys.ts";

const text = fc.oneof(
  fc.string({ maxLength: 4 }),
  fc.string({ unit: "binary", maxLength: 4 }),
  // Half surrogates and U+0000 come in what is searched for, never in what is kept.
  fc
    .array(fc.constantFrom("\0", "\u0001", "a", "\u007f", "\u0080", "\u07ff", "\ud800", "\udc00", "\uffff"), {
      maxLength: 4,
    })
    .map((units) => units.join("")),
);
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.constantFrom(0, -0, Number.MAX_VALUE, Number.MIN_VALUE, Infinity, -Infinity),
);
const key = fc.array(fc.oneof(text, number, fc.boolean()), { maxLength: 4 });

describe("toKeyBytes", () => {
  it("keeps the order of keys, also beside the end of a range", () => {
    const bound: fc.Arbitrary<Key> = fc
      .tuple(key, fc.boolean())
      .map(([parts, top]) => (top ? [...parts, null] : parts));
    fc.assert(
      fc.property(bound, bound, (a, b) => {
        assert.equal(Buffer.compare(toKeyBytes(a), toKeyBytes(b)), Math.sign(compareKeys(a, b)));
      }),
      { numRuns: 3_000 },
    );
  });

  it("gives back what it was made of", () => {
    fc.assert(
      fc.property(key, fc.uint8Array({ maxLength: 3 }), (parts, behind) => {
        const bytes = Buffer.concat([Buffer.from([7]), toKeyBytes(parts), behind, Buffer.from([0xff])]);
        const parsed = parseKeyBytes(bytes, 1, bytes.byteLength - behind.byteLength - 1);
        assert.deepEqual(
          parsed,
          parts.map((part) => (part === 0 ? 0 : part)),
        );
      }),
      { numRuns: 3_000 },
    );
  });

  it("takes texts longer than its own room", () => {
    const long = `${"x".repeat(50_000)}é`;
    const bytes = Buffer.from(toKeyBytes([long, 1]));
    assert.deepEqual(parseKeyBytes(bytes, 0, bytes.byteLength), [long, 1]);
  });
});
