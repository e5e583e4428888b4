/** Pictures told by their bytes. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readImageType } from "../../../src/kit/pictures/image-type.ts";
import { jpeg, png, realLosslessWebp, realLossyWebp, realPng, webp } from "../../auth/pictures.ts";

const valid = {
  "a PNG of an encoder": [realPng, "image/png", 1, 1],
  "a lossy WebP of an encoder": [realLossyWebp, "image/webp", 1, 1],
  "a lossless WebP of an encoder": [realLosslessWebp, "image/webp", 1, 1],
  "a PNG": [png(640, 480), "image/png", 640, 480],
  "a PNG of more pixels than there are": [png(4_294_967_295, 1), "image/png", 4_294_967_295, 1],
  "a JPEG": [jpeg(640, 480), "image/jpeg", 640, 480],
  "a progressive JPEG": [jpeg(640, 480, 0xc2), "image/jpeg", 640, 480],
  "a JPEG without height": [jpeg(640, 0), "image/jpeg", 640, 0],
  "a lossy WebP": [webp(640, 480, "VP8 "), "image/webp", 640, 480],
  "a lossless WebP": [webp(640, 480, "VP8L"), "image/webp", 640, 480],
  "the largest lossless WebP": [webp(16_384, 16_384, "VP8L"), "image/webp", 16_384, 16_384],
  "an extended WebP": [webp(70_000, 480, "VP8X"), "image/webp", 70_000, 480],
  "an extended WebP that is high": [webp(480, 70_000, "VP8X"), "image/webp", 480, 70_000],
} as const;

function changed(bytes: Uint8Array, at: number, value: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy[at] = value;
  return copy;
}

const invalid: Readonly<Record<string, Uint8Array>> = {
  nothing: new Uint8Array(),
  text: new TextEncoder().encode("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"),
  "a GIF": new TextEncoder().encode("GIF89a and some more bytes that do not matter here"),
  "a PNG whose line end was changed": changed(png(1, 1), 4, 0x0a),
  "a PNG with another chunk first": changed(png(1, 1), 12, 0x4a),
  "a PNG whose first chunk has another length": changed(png(1, 1), 11, 14),
  "a JPEG with its scan before any frame": jpeg(1, 1, 0xda),
  "a JPEG that ends at once": jpeg(1, 1, 0xd9),
  "a JPEG with a table of Huffman codes alone": jpeg(1, 1, 0xc4),
  "a JPEG whose segment does not cover its own length": changed(changed(jpeg(1, 1), 4, 0), 5, 1),
  "a JPEG of fill bytes": new Uint8Array(10_000).fill(0xff).fill(0xd8, 1, 2),
  "a WebP of an unknown kind": changed(webp(1, 1, "VP8X"), 15, 0x5a),
  "a WebP that begins with a frame between others": changed(webp(1, 1, "VP8 "), 20, 0x31),
  "a lossy WebP without its start code": changed(webp(1, 1, "VP8 "), 23, 0),
  "a lossless WebP without its signature": changed(webp(1, 1, "VP8L"), 20, 0),
  "a RIFF file that is a sound": changed(webp(1, 1, "VP8X"), 8, 0x41),
};

describe("the type of a picture", () => {
  for (const [what, [bytes, mediaType, width, height]] of Object.entries(valid)) {
    it(`is read from ${what}`, () => {
      assert.deepEqual(readImageType(bytes), { mediaType, width, height });
    });
    it(`is read from ${what} in the middle of a buffer`, () => {
      const buffer = new Uint8Array(bytes.length + 14);
      buffer.set(bytes, 7);
      assert.deepEqual(readImageType(buffer.subarray(7, 7 + bytes.length)), { mediaType, width, height });
    });
  }
  for (const [what, bytes] of Object.entries(invalid)) {
    it(`is not read from ${what}`, () => {
      assert.equal(readImageType(bytes), undefined);
    });
  }
  it("is not read from headers that are cut off, at any byte", () => {
    for (const bytes of [png(9, 9), jpeg(9, 9), webp(9, 9, "VP8 "), webp(9, 9, "VP8L"), webp(9, 9, "VP8X")]) {
      for (let length = 0; length < 30; length += 1)
        assert.equal(readImageType(bytes.subarray(0, Math.min(length, bytes.length - 5))), undefined);
    }
  });
  it("is read from any bytes without an exception", () => {
    let seed = 11;
    for (let run = 0; run < 3_000; run += 1) {
      const start = [png(9, 9), jpeg(9, 9), webp(9, 9, "VP8 "), webp(9, 9, "VP8X")][run % 4] ?? png(9, 9);
      const bytes = Uint8Array.from(start, (byte) => {
        seed = (seed * 48_271) % 2_147_483_647;
        return seed % 20 === 0 ? seed % 256 : byte;
      });
      readImageType(bytes);
    }
  });
});
