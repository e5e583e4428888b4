/** What an owner sees first: money, what waits, and how far the shop is set up. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sellerSchema } from "../../../src/shop/site/selling-schema.ts";
import { code, createTestShop, read } from "../app-fixture.ts";
import { addProduct, order, sendNotice, setProvider, toNotice } from "../goods.ts";

interface Today {
  readonly today: { orders: number; paidOrders: number; revenue: number };
  readonly days7: { orders: number };
  readonly days30: { orders: number; revenue: number };
  readonly waiting: Record<string, number>;
  readonly lastOrders: readonly { number: string; status: string }[];
  readonly setup: { steps: Record<string, boolean>; missing: readonly string[] };
}
const DAY_MS = 86_400_000;
const PATH = "/api/admin/today";

describe("today", () => {
  it("has money and orders of today, 7 and 30 days, what waits, and the last orders", async () => {
    const app = await createTestShop();
    await setProvider(app);
    const { id } = await addProduct(app, { onHand: 6 });
    const old = (await order(app, [{ productId: id }])).order;
    await sendNotice(app, toNotice(old));
    app.clock.advance(10 * DAY_MS);
    const one = (await order(app, [{ productId: id }])).order;
    await sendNotice(app, toNotice(one, { id: "evt-2" }));
    const two = (await order(app, [{ productId: id }])).order;
    const shown = await read<Today>(await app.admin("GET", PATH));
    assert.deepEqual(shown.today, { orders: 2, paidOrders: 1, revenue: 1_000 });
    assert.deepEqual([shown.days7.orders, shown.days30.orders, shown.days30.revenue], [2, 3, 2_000]);
    const { toDeliver, lowStock, needAttention } = shown.waiting;
    assert.deepEqual([toDeliver, lowStock, needAttention], [2, 1, 0]);
    assert.deepEqual(
      shown.lastOrders.map(({ number }) => number),
      [two.number, one.number, old.number],
    );
    assert.deepEqual(await code(await app.send("GET", PATH)), [401, "unauthenticated"]);
  });

  it("leads an empty shop to its first sale, a step at a time", async () => {
    const app = await createTestShop();
    const steps = async (): Promise<string[]> => {
      const { setup } = await read<Today>(await app.admin("GET", PATH));
      return Object.entries(setup.steps).flatMap(([name, isDone]) => (isDone ? [name] : []));
    };
    assert.deepEqual(await steps(), []);
    await app.setSite({ name: "Harbour Goods" });
    const { id } = await addProduct(app);
    assert.deepEqual(await steps(), ["site", "product"]);
    await setProvider(app, { payUrlTemplate: "https://pay.example.org/{orderId}" });
    const made = (await order(app, [{ productId: id }])).order;
    assert.deepEqual(await steps(), ["site", "product", "provider"]);
    await sendNotice(app, toNotice(made));
    assert.deepEqual(await steps(), ["site", "product", "provider", "order"]);
  });

  it("says what is missing before real buyers come, until nothing is", async () => {
    const app = await createTestShop({ publicUrl: "http://127.0.0.1:8003", facts: { hasBackups: false } });
    const missing = async (): Promise<readonly string[]> =>
      (await read<Today>(await app.admin("GET", PATH))).setup.missing;
    assert.deepEqual(await missing(), [
      "real_provider",
      "mail_server",
      "owner_address",
      "seller_address",
      "page_imprint",
      "page_terms",
      "page_privacy",
      "page_withdrawal",
      "public_https",
      "backups",
    ]);
    const ready = await createTestShop({ facts: { hasBackups: true, hasMailServer: () => true } });
    const page = (slug: string) => ({ slug, title: slug, body: "Words" });
    await setProvider(ready, { instructions: "Transfer it" });
    await ready.setSmtp({ adminAddress: "owner@example.org" });
    await ready.setSite({
      seller: sellerSchema.parse({ name: "Ann", line1: "Quay 1", city: "Graz", country: "AT" }),
      pages: ["imprint", "terms", "privacy", "withdrawal"].map(page),
    });
    assert.deepEqual((await read<Today>(await ready.admin("GET", PATH))).setup.missing, []);
    await ready.setSite({ maintenance: true });
    assert.deepEqual((await read<Today>(await ready.admin("GET", PATH))).setup.missing, ["closed"]);
  });
});
