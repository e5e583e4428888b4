/** Amounts that a payment provider cannot charge: told before an order exists, and to the seller. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { orders } from "../../../src/shop/orders/records.ts";
import { PROVIDER_PURPOSE } from "../../../src/shop/payments/notice-proof.ts";
import { readSite } from "../../../src/shop/site/settings.ts";
import { type TestShop, createTestShop, read } from "../app-fixture.ts";
import { addProduct } from "../goods.ts";
import { createShopBrowser } from "../pages/shop-browser.ts";

async function openShop(isAlone: boolean): Promise<TestShop> {
  const app = await createTestShop();
  const credentials = { secretKey: "sk_test_0123456789abcdef", webhookSecret: "whsec_0123456789abcdef" };
  const common = { enabled: true, requireWebhookSecret: true, payUrlTemplate: "", instructions: "" };
  const card = {
    ...common,
    word: "card",
    title: "Card",
    kind: "stripe",
    options: {},
    sealedCredentials: app.shop.deps.box.seal(JSON.stringify(credentials), PROVIDER_PURPOSE),
  };
  const transfer = { ...common, word: "transfer", title: "Transfer", instructions: "Pay to 123" };
  await app.setSite({ currency: "KWD", paymentProviders: isAlone ? [card] : [card, transfer] });
  return app;
}

async function countOrders(app: TestShop): Promise<number> {
  return app.store.read((tx) => tx.count(orders, "byCreated"));
}

describe("an amount that a provider cannot charge", () => {
  it("hides the provider where another one can, and only for that amount", async () => {
    const app = await openShop(false);
    const { id: odd } = await addProduct(app, { price: 12_345 });
    const { id: even } = await addProduct(app, { price: 12_340 });
    const browser = createShopBrowser(app);
    browser.fill([{ id: odd }]);
    const page = await browser.open("/checkout");
    assert.doesNotMatch(page.text, /value="card"/u);
    await browser.send(page, { do: "order", "contact.email": "ann@example.org" });
    const [order] = (await app.store.read((tx) => tx.list(orders, "byCreated", { limit: 1 }))).items;
    assert.equal(order?.paymentMethod, "transfer");
    browser.fill([{ id: even }]);
    assert.match((await browser.open("/checkout")).text, /value="card"/u);
  });

  it("is refused before an order exists where there is no other", async () => {
    const app = await openShop(true);
    const { id: productId } = await addProduct(app, { price: 12_345 });
    const body = { items: [{ productId, quantity: 1 }], contact: { email: "ann@example.org" } };
    const named = await read<{ errors: { pointer: string; message: string }[] }>(
      await app.send("POST", "/api/checkout", { body: { ...body, paymentMethod: "card" } }),
      422,
    );
    assert.deepEqual(
      named.errors.map(({ pointer, message }) => [pointer, message]),
      [["/paymentMethod", "cannot charge 12.345 KWD"]],
    );
    const unnamed = await app.send("POST", "/api/checkout", { body });
    assert.equal((await read<{ code: string }>(unnamed, 403)).code, "checkout_closed");
    const browser = createShopBrowser(app);
    browser.fill([{ id: productId }]);
    const page = await browser.open("/checkout");
    assert.doesNotMatch(page.text, /value="card"/u);
    assert.equal(await countOrders(app), 0);
  });

  it("is a warning for the seller, in that currency alone", async () => {
    const app = await openShop(true);
    const warnings = async (): Promise<string[]> => {
      const site = await read<{ warnings: { code: string }[] }>(await app.admin("GET", "/api/admin/site"));
      return site.warnings.map((warning) => warning.code);
    };
    assert.ok((await warnings()).includes("provider_amounts"));
    await app.setSite({ currency: "EUR" });
    assert.ok(!(await warnings()).includes("provider_amounts"));
    assert.equal((await app.store.read(readSite)).currency, "EUR");
  });
});
