/** Money counts once: when a gift card is sold, and not when it pays. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTestShop, read } from "../app-fixture.ts";
import { addProduct, liftLimits, setProvider } from "../goods.ts";

interface Placed {
  readonly order: { readonly id: string; readonly total: number };
}

describe("revenue", () => {
  it("has a gift card at its sale, without what it pays, and follows refunds of both", async () => {
    const app = await createTestShop();
    await liftLimits(app);
    await setProvider(app);
    const card = await addProduct(app, {
      title: "Card",
      deliveryType: "gift_card",
      stockMode: "unlimited",
      price: 5_000,
    });
    const shirt = await addProduct(app, { title: "Shirt", stockMode: "unlimited", price: 5_950 });
    const place = async (
      productId: string,
      email: string,
      codes: string[] = [],
    ): Promise<Placed["order"]> => {
      const items = [{ productId, quantity: 1 }];
      const body = { items, contact: { email }, giftCardCodes: codes };
      const { order } = await read<Placed>(await app.send("POST", "/api/checkout", { body }), 201);
      return order;
    };
    const pay = async ({ id }: Placed["order"]): Promise<void> => {
      await read(await app.admin("POST", `/api/admin/orders/${id}/mark-paid`, { reference: `bank ${id}` }));
    };
    const refund = async ({ id }: Placed["order"], body: object): Promise<void> => {
      await read(await app.admin("POST", `/api/admin/orders/${id}/refund`, { ...body, through: "record" }));
    };
    const revenue = async (): Promise<number> =>
      (await read<{ today: { revenue: number } }>(await app.admin("GET", "/api/admin/today"))).today.revenue;
    const paidBy = async (email: string): Promise<number> => {
      const { items } = await read<{ items: { email: string; paid: { amount: number }[] }[] }>(
        await app.admin("GET", "/api/admin/customers"),
      );
      return items.find((one) => one.email === email)?.paid[0]?.amount ?? 0;
    };
    const sold = await place(card.id, "giver@example.org");
    assert.equal(await revenue(), 0);
    await pay(sold);
    assert.equal(await revenue(), 5_000);
    const { items } = await read<{ items: { id: string }[] }>(
      await app.admin("GET", "/api/admin/gift-cards"),
    );
    const path = `/api/admin/gift-cards/${items[0]?.id}/code`;
    const { code } = await read<{ code: string }>(await app.admin("GET", path));
    const bought = await place(shirt.id, "holder@example.org", [code]);
    // The card holds its part of an order that waits for the rest.
    assert.equal(await revenue(), 5_000);
    await pay(bought);
    assert.equal(await revenue(), 5_950);
    assert.deepEqual([await paidBy("giver@example.org"), await paidBy("holder@example.org")], [5_000, 950]);
    await refund(bought, { amount: bought.total });
    assert.equal(await revenue(), 5_000);
    await refund(sold, { amount: sold.total });
    assert.equal(await revenue(), 0);
  });
});

describe("amounts of at least one unit", () => {
  it("are refused once, not twice, below it", async () => {
    const app = await createTestShop();
    for (const amount of [-1, 0]) {
      const answer = await app.admin("POST", "/api/admin/gift-cards", { amount, note: "complaint" });
      const { errors } = await read<{ errors: { pointer: string }[] }>(answer, 422);
      assert.deepEqual(
        errors.map(({ pointer }) => pointer),
        ["/amount"],
      );
    }
  });
});
