/** Colors of options. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findSwatches } from "../../../src/shop/pages/product/swatches.ts";

describe("swatches", () => {
  it("are those of colors by name in each language, and of codes", () => {
    assert.deepEqual(findSwatches("Color", ["Navy", "Dark blue", "#A1B2C3"]), [
      "#1c2a4a",
      "#1c2a4a",
      "#a1b2c3",
    ]);
    assert.deepEqual(findSwatches("Farbe", ["Grün", "Weiß"]), ["#2e7d45", "#ffffff"]);
    assert.deepEqual(findSwatches("颜色", ["红色", "黑"]), ["#c62828", "#111111"]);
  });

  it("are absent unless all values are colors, and for options that are none", () => {
    assert.equal(findSwatches("Color", ["Navy", "Stripes"]), undefined);
    assert.equal(findSwatches("Size", ["Red", "Blue"]), undefined);
    assert.equal(findSwatches("Color", ['#fff"><script>', "Red"]), undefined);
  });
});
