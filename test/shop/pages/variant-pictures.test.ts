/** The picture of a variant: never that of another color. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findPicture } from "../../../src/shop/pages/pieces/offer.tsx";
import { toPlate } from "../../../src/shop/products/image-url.ts";

const image = (hash: string) => ({
  hash,
  mediaType: "image/png" as const,
  width: 1,
  height: 1,
  bytes: 1,
  alt: "",
});
const variant = (id: string, imageHash?: string) => ({
  id,
  sku: "",
  options: { color: id },
  price: 1,
  ...(imageHash === undefined ? {} : { imageHash }),
});

describe("findPicture", () => {
  const red = variant("red", "a");
  const blue = variant("blue");

  it("takes the variant's own picture, else one that belongs to no variant, else none", () => {
    const find = (hashes: string[], chosen?: typeof red): string | undefined =>
      findPicture({ images: hashes.map(image), variants: [red, blue] }, chosen)?.hash;
    assert.equal(find(["b", "a"], red), "a");
    assert.equal(find(["a", "b"], blue), "b");
    assert.equal(find(["a"], blue), undefined);
    assert.equal(find(["a", "b"]), "a", "without a variant the first one");
    assert.equal(find([], red), undefined);
  });

  it("takes the first one where no variant has its own", () => {
    const green = variant("green");
    assert.equal(
      findPicture({ images: [image("a"), image("b")], variants: [blue, green] }, green)?.hash,
      "a",
    );
  });
});

describe("toPlate", () => {
  it("is for pictures that may be transparent", () => {
    assert.equal(toPlate({ mediaType: "image/jpeg" }), "");
    for (const mediaType of ["image/png", "image/webp"] as const)
      assert.equal(toPlate({ mediaType }), " is-plated");
  });
});
