/** What the form of a product's licensing sends for its variants: all that it does not show stays. */
import "../resource/browser.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ProductView } from "../../../src/shop/products/answer-schema.ts";
import { toTypedVariants, toVariantLicense } from "../../../src/web/shop/licenses/licensing-panel.tsx";

type License = ProductView["variants"][number]["license"];

function send(license: License, typed: object = {}): unknown {
  const variant = { id: "v", sku: "", options: {}, price: 4_900, license };
  const product = { variants: [variant], currency: "EUR" } as unknown as ProductView;
  const { v: own } = toTypedVariants(product);
  assert.ok(own !== undefined);
  return JSON.parse(JSON.stringify(toVariantLicense({ ...own, ...typed }, "EUR", true)));
}

describe("the licensing of a variant", () => {
  it("keeps that its renewals cost what the variant costs, until a price is typed", () => {
    assert.deepEqual(send({ renewalPrice: null }), { renewalPrice: null });
    assert.deepEqual(send({ renewalPrice: null, maxDevices: null }), {
      renewalPrice: null,
      maxDevices: null,
    });
    assert.deepEqual(send({ renewalPrice: null }, { price: "9.00", isOwnPrice: false }), {
      renewalPrice: 900,
    });
    assert.deepEqual(send({ renewalPrice: 900 }), { renewalPrice: 900 });
    assert.equal(send({ renewalPrice: 900 }, { price: "" }), null);
    assert.equal(send(undefined), null);
  });
});
