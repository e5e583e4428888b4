/** The dialog that corrects units on hand: what is sent of what was typed. */
import "./browser.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type StockRowView, stockChangeSchema } from "../../../src/shop/stock/answer-schema.ts";
import { adjustForm, toStockChange } from "../../../src/web/shop/stock/adjust-dialog.tsx";
import { readForm, toBlank } from "../../../src/web/ui/resource/form.ts";
import type { Form } from "../../../src/web/ui/resource/kind.ts";

const context: StockRowView = {
  productId: "prd_1",
  slug: "mug",
  title: "Mug",
  options: {},
  sku: "",
  status: "published",
  deliveryType: "shipping",
  threshold: 5,
  isLow: false,
  mode: "tracked",
  onHand: 10,
  reserved: 0,
  available: 10,
  sold: 0,
};
const parse = (typed: Form) => readForm(adjustForm, { ...toBlank(adjustForm), ...typed }, { context });

describe("the form that corrects units", () => {
  it("sends by how many they changed, or how many there are, in the form that the schema takes", () => {
    for (const [way, change] of [
      ["add", { change: 4 }],
      ["take", { change: -4 }],
      ["set", { onHand: 4 }],
    ] as const) {
      const parsed = parse({ way, units: "4", reason: " Delivery " });
      assert.ok(parsed.ok);
      assert.deepEqual(stockChangeSchema.parse(toStockChange(parsed.fields)), {
        ...change,
        reason: "Delivery",
      });
    }
  });

  it("asks for units and a reason, within the bounds of the schema", () => {
    const faultsOf = (typed: Form): string[] => {
      const parsed = parse({ reason: "x", ...typed });
      return parsed.ok ? [] : [...parsed.faults.keys()];
    };
    assert.deepEqual(faultsOf({ way: "add", units: "0" }), ["/units"]);
    assert.deepEqual(faultsOf({ way: "set", units: "0" }), []);
    assert.deepEqual(faultsOf({ way: "set", units: "1000000001" }), ["/units"]);
    assert.deepEqual(faultsOf({ way: "take", units: "", reason: "" }), ["/units", "/reason"]);
  });
});
