/** The page of a payment link. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestShop, read } from "../app-fixture.ts";
import { DRAFTS, type Draft, loadDraft, sendLink, write } from "../draft-orders/draft-room.ts";
import { addProduct } from "../goods.ts";
import { openShop, place } from "../order-edits/edit-room.ts";
import { createShopBrowser, readFields } from "./shop-browser.ts";

let app: TestShop;
let mug: string;
let draft: Draft;
beforeEach(async () => {
  app = await openShop();
  mug = (await addProduct(app, { title: "Mug <b>", price: 1_200, deliveryType: "shipping", onHand: 5 })).id;
  draft = await write(app, {
    items: [
      { productId: mug, quantity: 2 },
      { title: "Engraving", quantity: 1, unitPrice: 500 },
    ],
    note: "Ring twice",
  });
});

async function follow(language = "en") {
  const { token } = await sendLink(app, draft);
  const browser = createShopBrowser(app, { language });
  return { browser, page: await browser.open(`/pay/${draft.number}?token=${token}`) };
}

describe("the page of a payment link", () => {
  it("shows the order without the token in its address, and leads to the payment once", async () => {
    const { browser, page } = await follow();
    assert.deepEqual([page.status, page.path], [200, `/pay/${draft.number}`]);
    for (const shown of [
      "Mug &lt;b&gt;",
      "34.90",
      "12.00",
      "Engraving",
      "Rue 1",
      "Ring twice",
      "ann@example.org",
    ])
      assert.ok(page.text.includes(shown), shown);
    assert.ok(!page.text.includes("dt_"));
    const sent = await browser.request(page.path, { ...readFields(page.text), paymentMethod: "test" });
    assert.equal(sent.status, 303);
    assert.match(sent.headers.get("location") ?? "", /^\/orders\/\d{6}-[0-9A-Z]{8}\/pay$/u);
    const again = await browser.open(`/pay/${draft.number}`);
    assert.match(again.path, /^\/orders\/\d{6}-/u);
    assert.equal(again.status, 200);
  });

  it("says in the buyer's language what staff changed, and takes the new order", async () => {
    const { browser, page } = await follow("de");
    const { version } = await loadDraft(app, draft);
    const [first, second] = draft.items;
    const items = [
      { id: first?.id, productId: mug, quantity: 3 },
      { id: second?.id, title: "Engraving", quantity: 1, unitPrice: 500 },
    ];
    const body = { version, email: "ann@example.org", shippingAddress: place, items };
    await read(await app.admin("PATCH", `${DRAFTS}/${draft.id}`, body));
    const refused = await browser.send(page, {});
    assert.equal(refused.status, 409);
    assert.match(refused.text, /Diese Bestellung hat sich geändert/u);
    assert.match(refused.text, /3 × Mug &lt;b&gt; \(12\.00 EUR\) \(vorher: 2 × Mug/u);
    const sent = await browser.request(page.path, readFields(refused.text));
    assert.equal(sent.status, 303);
  });

  it("opens nothing without the token, after its time, and with an item that is gone", async () => {
    const { browser } = await follow();
    const stranger = await createShopBrowser(app).open(`/pay/${draft.number}?token=dt_wrong`);
    assert.equal(stranger.status, 404);
    assert.equal((await createShopBrowser(app).open("/pay/D-AAAAAAAA")).status, 404);
    await app.admin("PATCH", `/api/admin/products/${mug}`, { status: "archived" });
    const gone = await browser.open(`/pay/${draft.number}`);
    assert.deepEqual([gone.status, /no longer available/u.test(gone.text)], [409, true]);
    app.clock.advance(30 * 86_400_000);
    assert.match((await browser.open(`/pay/${draft.number}`)).text, /This link has expired/u);
  });
});
