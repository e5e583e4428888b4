import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { fromBase64, toBase64 } from "../../../src/kit/text/base64.ts";

describe("base64", () => {
  it("is what every other encoder makes, and comes back as it was", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        assert.equal(toBase64(bytes), Buffer.from(bytes).toString("base64"));
        assert.deepEqual(fromBase64(toBase64(bytes)), bytes);
      }),
    );
  });

  for (const length of [6_143, 6_144, 6_145, 12_289, 524_288]) {
    it(`has no seam in ${length} bytes`, () => {
      const bytes = Uint8Array.from({ length }, (_, n) => (n * 31) % 256);
      assert.equal(toBase64(bytes), Buffer.from(bytes).toString("base64"));
      assert.ok(Buffer.from(fromBase64(toBase64(bytes))).equals(bytes));
    });
  }

  it("refuses what is none", () => {
    for (const text of ["a", "ab=c", "ä"]) assert.throws(() => fromBase64(text));
  });
});
