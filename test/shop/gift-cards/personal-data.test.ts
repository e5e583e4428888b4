import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { listCardsOf } from "../../../src/shop/gift-cards/book.ts";
import { createStockRequests, listRequestsOf } from "../../../src/shop/stock-requests/stock-requests.ts";
import { addProduct } from "../goods.ts";
import { actor } from "../plain-shop.ts";
import { addCardProduct, buy, createCardShop, pay } from "./card-shop.ts";

describe("personal data of who got gift cards or asked for stock", () => {
  it("is exported, and erased; cards keep their balance", async () => {
    const app = await createCardShop({
      stockRequests: { enabled: true, emailsPerUnit: 1 },
      customers: { retentionDays: 1 },
    });
    const { id } = await addCardProduct(app);
    const mug = await addProduct(app);
    const sold = await addProduct(app, { onHand: 0 });
    const inputs = { giftRecipient: "Ben@example.org", giftName: "Ben", giftMessage: "Hello" };
    const gift = await pay(app, await buy(app, { items: [{ productId: id, inputs }] }));
    const own = await buy(app, { items: [{ productId: mug.id }], email: "ben@example.org" });
    await app.shop.orderAdmin.cancel({ id: own.order.id, actor, note: "" });
    await createStockRequests({ ...app.shop.deps, publicUrl: "https://shop.example.org" }).ask({
      productId: sold.id,
      email: "ben@example.org",
      language: "en",
      verified: ["ben@example.org"],
      clientAddress: "192.0.2.1",
    });
    const { items } = await app.shop.customers.list({ q: "ben@example.org", limit: 10 });
    const [ben = assert.fail("no customer")] = items;
    const data = await app.shop.customers.export(ben.id, actor);
    assert.deepEqual(
      [data.giftCards.map(({ balance, message }) => [balance, message]), data.stockRequests.length],
      [[[5_000, "Hello"]], 1],
    );
    await app.shop.customerErasure.erase(ben.id, actor);
    const [card] = await app.store.read((tx) => listCardsOf(tx, gift.id));
    assert.deepEqual(
      [card?.balance, card?.recipientEmail, card?.recipientName, card?.message, card?.mailAt],
      [5_000, undefined, undefined, undefined, undefined],
    );
    assert.deepEqual(await app.store.read((tx) => listRequestsOf(tx, "ben@example.org")), []);
  });
});
