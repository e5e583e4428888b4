/** The form of a product: what is sent of what is typed. */
import "./browser.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ProductView } from "../../../src/shop/products/answer-schema.ts";
import { productFieldsSchema } from "../../../src/shop/products/change-schema.ts";
import { newProduct } from "../../../src/web/shop/products/new-product-page.tsx";
import { product } from "../../../src/web/shop/products/product-page.tsx";
import { fromTyped, toTypedValue } from "../../../src/web/shop/products/variant-rows.ts";
import { makeForm, readForm, toBlank } from "../../../src/web/ui/resource/form.ts";
import type { Form } from "../../../src/web/ui/resource/kind.ts";
import { toEdited } from "../../../src/web/ui/resource/resource.ts";

const at = "2026-01-01T00:00:00.000+00:00";
const stock = { mode: "tracked", onHand: 4, reserved: 1, available: 3, sold: 9 } as const;

const shirt: ProductView = {
  id: "prd_1",
  version: 4,
  slug: "shirt",
  status: "published",
  title: "Shirt",
  summary: "",
  description: "Line one\n",
  images: [],
  tags: ["linen"],
  price: 3_450,
  currency: "EUR",
  sku: "",
  variants: [
    { id: "var_s", sku: "S", options: { Size: "S" }, price: 3_450, stock },
    { id: "var_m", sku: "M", options: { Size: "M" }, price: 3_600, weightGrams: 210, stock },
  ],
  stock,
  minQuantity: 1,
  maxQuantity: 10_000,
  deliveryType: "shipping",
  weightGrams: 200,
  inputs: [
    { key: "field1", label: "Color", kind: "select", required: true, options: ["red"], maxLength: 90 },
  ],
  instructions: "",
  sharedSecretSet: false,
  collectionIds: ["gifts"],
  relatedIds: [],
  translations: { de: { title: "Hemd" } },
  sortOrder: -3,
  lowStockThreshold: 2,
  views: 0,
  sold: 9,
  createdAt: at,
  updatedAt: at,
};
const context = { currency: "EUR", tree: [], languages: ["en", "de"], product: shirt };
const edited = toEdited(product, context);

function change(typed: Form, stored = shirt) {
  const before = edited.pick(stored);
  return edited.parse({ ...edited.toForm(before), ...typed }, before);
}

describe("the form of a product", () => {
  it("reads what is stored back as it is, in the form that the schema takes", () => {
    for (const stored of [shirt, { ...shirt, variants: [], deliveryType: "manual" as const }]) {
      const before = edited.pick(stored);
      const parsed = edited.parse(edited.toForm(before), before);
      assert.ok(parsed.ok);
      assert.deepEqual(parsed.fields, before);
      productFieldsSchema.parse(parsed.fields);
    }
  });

  it("keeps what is hidden now: the weight without parcels, the low-stock number without stock", () => {
    const parsed = change({ deliveryType: "manual", stockMode: true });
    assert.ok(parsed.ok);
    const { weightGrams, lowStockThreshold, stockMode } = parsed.fields;
    assert.deepEqual([weightGrams, lowStockThreshold, stockMode], [200, 2, "unlimited"]);
  });

  it("uses the lowest price of its variants, and shows the error of a variant at its cell", () => {
    const { options, rows } = fromTyped(edited.toForm(edited.pick(shirt))["variants"] ?? "");
    const [first, second] = rows;
    assert.ok(first && second);
    const cheaper = change({
      variants: toTypedValue({ options, rows: [first, { ...second, price: "12,5" }] }),
    });
    assert.ok(cheaper.ok);
    assert.equal(cheaper.fields["price"], 1_250);
    const wrong = change({
      variants: toTypedValue({ options, rows: [first, { ...second, price: "", weightGrams: "heavy" }] }),
    });
    assert.ok(!wrong.ok);
    assert.deepEqual([...wrong.faults.keys()], ["/variants/1/price", "/variants/1/weightGrams"]);
  });

  it("reads empty numbers as the default bound, and negative places", () => {
    const parsed = change({ minQuantity: "", maxQuantity: "", maxPerCustomer: "", sortOrder: "−7" });
    assert.ok(parsed.ok);
    const { minQuantity, maxQuantity, maxPerCustomer, sortOrder } = parsed.fields;
    assert.deepEqual([minQuantity, maxQuantity, maxPerCustomer, sortOrder], [1, 10_000, null, -7]);
    const wrong = change({ maxQuantity: "10001", slug: "" });
    assert.ok(!wrong.ok);
    assert.deepEqual([...wrong.faults.keys()].sort(), ["/maxQuantity", "/slug"]);
  });

  it("changes the stock with the way of delivery", () => {
    const { sets } = product.fields?.deliveryType || {};
    assert.deepEqual(
      ["files", "auto_secret", "shipping"].map((way) => sets?.(way, {})),
      [{ stockMode: true }, { stockMode: false }, {}],
    );
  });
});

describe("the form of a new product", () => {
  const form = makeForm(newProduct);

  it("asks for a name and a price", () => {
    const parse = (typed: Form) => readForm(form, { ...toBlank(form), ...typed }, { context });
    const parsed = parse({ title: " Mug ", price: "12,50" });
    assert.ok(parsed.ok);
    assert.deepEqual(parsed.fields, { title: "Mug", price: 1_250, deliveryType: "shipping" });
    const empty = parse({});
    assert.ok(!empty.ok);
    assert.deepEqual([...empty.faults.keys()], ["/title", "/price"]);
  });
});
