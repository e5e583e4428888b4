/** What buyers read where there is nothing to pay at. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toPayment } from "../../../src/shop/orders/payment.ts";
import { orders } from "../../../src/shop/orders/records.ts";
import { readSettings } from "../../../src/shop/site/settings.ts";
import { createTestShop, read } from "../app-fixture.ts";
import { addProduct, setProvider } from "../goods.ts";

describe("the message of a payment that failed", () => {
  it("names no route, whatever failed", async () => {
    const app = await createTestShop();
    await setProvider(app);
    const { id } = await addProduct(app);
    const body = { items: [{ productId: id, quantity: 1 }], contact: { email: "ann@example.org" } };
    const placed = await read<{ order: { id: string } }>(
      await app.send("POST", "/api/checkout", { body }),
      201,
    );
    const [order, { fields }] = await app.store.read(async (tx) => [
      (await tx.get(orders, placed.order.id)) ?? assert.fail(),
      await readSettings(tx, "site"),
    ]);
    for (const failure of ["unavailable", "refused"] as const) {
      const begun = { attempt: 1, kind: "failed", failure } as const;
      const { state, message = "" } = toPayment(app.shop.deps, { ...order, begun }, fields) ?? assert.fail();
      assert.equal(state, "failed");
      assert.match(message, /another payment method/u);
      assert.doesNotMatch(message, /\/|POST/u);
    }
  });
});
