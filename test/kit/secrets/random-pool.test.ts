/** Random bytes from a pool: none is given out twice, and none changes afterwards. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { takeRandomBytes } from "../../../src/kit/secrets/random-pool.ts";

it("gives every piece once, and leaves it as it was", () => {
  const pieces = Array.from({ length: 2_000 }, () => takeRandomBytes(12));
  const texts = pieces.map((piece) => piece.toString("hex"));
  takeRandomBytes(4_096);
  assert.equal(new Set(texts).size, 2_000);
  assert.deepEqual(
    pieces.map((piece) => piece.toString("hex")),
    texts,
  );
  assert.equal(takeRandomBytes(4_096).length, 4_096);
  assert.equal(new Set(takeRandomBytes(256)).size > 100, true);
});
