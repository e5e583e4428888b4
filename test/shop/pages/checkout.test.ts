/** The checkout as a person without script meets it. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { orders } from "../../../src/shop/records.ts";
import { type TestShop, createTestShop } from "../app-fixture.ts";
import { addProduct, setProvider } from "../goods.ts";
import { createShopBrowser } from "./shop-browser.ts";

async function listOrders(app: TestShop) {
  return (await app.store.read((tx) => tx.list(orders, "byCreated", { limit: 50 }))).items;
}

const ORDER = { do: "order", "contact.email": "ann@example.org" };

describe("the checkout", () => {
  it("makes an order of what is in the cart, empties it, and leads to the payment", async () => {
    const app = await createTestShop();
    await setProvider(app);
    const mug = await addProduct(app);
    const browser = createShopBrowser(app);
    browser.fill([{ id: mug.id, quantity: 2 }]);
    const page = await browser.open("/checkout");
    assert.equal(page.status, 200);
    assert.match(page.text, /€20\.00/u);
    const next = await browser.send(page, ORDER);
    const [order = assert.fail()] = await listOrders(app);
    assert.equal(next.path, `/orders/${order.number}/pay`);
    assert.equal(
      next.headers.get("refresh"),
      `0; url=https://pay.example.org/?order=${order.id}&amount=20.00`,
    );
    assert.equal(order.total, 2_000);
    assert.equal(browser.cookies.get("__Host-trivet_cart"), undefined);
    const own = await browser.open(`/orders/${order.number}`);
    assert.equal(own.status, 200);
    assert.match(own.text, /waits for payment/u);
    assert.equal((await createShopBrowser(app).open(`/orders/${order.number}`)).status, 404);
  });
});
