import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { createByteReader, createByteWriter } from "../../../src/kit/text/varint.ts";

describe("createByteWriter and createByteReader", () => {
  it("give back what was written", () => {
    const half = 2 ** 52;
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.maxSafeNat(),
            fc.integer({ min: -half + 1, max: half - 1 }),
            fc.float(),
            fc.uint8Array({ maxLength: 300 }),
          ),
        ),
        (items) => {
          const writer = createByteWriter(1);
          for (const [whole, signed, fraction, bytes] of items) {
            writer.varint(whole);
            writer.signed(signed);
            writer.float32(fraction);
            writer.uint32(whole % 2 ** 32);
            writer.byte(bytes.length % 256);
            writer.bytes(bytes);
          }
          const reader = createByteReader(writer.take());
          for (const [whole, signed, fraction, bytes] of items) {
            assert.equal(reader.varint(), whole);
            assert.equal(reader.signed(), signed === 0 ? 0 : signed);
            assert.equal(reader.float32(), fraction);
            assert.equal(reader.uint32(), whole % 2 ** 32);
            assert.equal(reader.byte(), bytes.length % 256);
            assert.deepEqual(reader.bytes(bytes.length), Uint8Array.from(bytes));
          }
          assert.equal(reader.left, 0);
          assert.equal(writer.length, 0);
        },
      ),
    );
  });

  it("take seven bits a byte", () => {
    const writer = createByteWriter();
    for (const value of [0, 127, 128, 300, Number.MAX_SAFE_INTEGER]) writer.varint(value);
    assert.equal(Buffer.from(writer.view()).toString("hex"), "007f8001ac02ffffffffffffff0f");
  });

  it("refuse numbers that would not come back exactly", () => {
    const writer = createByteWriter();
    for (const value of [-1, 0.5, Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY])
      assert.throws(() => writer.varint(value), RangeError);
    for (const value of [0.25, 2 ** 52, -(2 ** 53)]) assert.throws(() => writer.signed(value), RangeError);
    assert.equal(writer.length, 0);
  });

  it("refuse to read past the end, and malformed numbers", () => {
    assert.throws(() => createByteReader(Uint8Array.of(0x80)).varint(), RangeError);
    assert.throws(() => createByteReader(new Uint8Array(9).fill(0xff)).varint(), RangeError);
    assert.throws(
      () => createByteReader(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x1f)).varint(),
      RangeError,
    );
    assert.throws(() => createByteReader(Uint8Array.of(1, 2)).bytes(3), RangeError);
    assert.throws(() => createByteReader(Uint8Array.of(1, 2)).float32(), RangeError);
    assert.throws(() => createByteReader(new Uint8Array(0)).byte(), RangeError);
  });
});
