/** What strangers can do with a buyer's e-mail address: neither fill the mailbox nor keep its owner from buying. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { coupons } from "../../../src/shop/coupons/records.ts";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";
import { addProduct, noOrderLimits, sendNotice, setProvider, toNotice } from "../goods.ts";

interface Made {
  readonly order: { readonly id: string; readonly total: number; readonly currency: string };
  readonly accessToken: string;
}
interface Wanted {
  readonly email?: string;
  readonly from?: string;
  readonly as?: string;
  readonly quantity?: number;
  readonly couponCode?: string;
  readonly product?: string;
}

const VICTIM = "ann@example.org";
const STRANGER = "198.51.100.7";
const HOME = "192.0.2.1";
const most = 1_000;

let app: TestShop;
let productId: string;
beforeEach(async () => {
  app = await createTestShop();
  await setProvider(app);
  productId = (await addProduct(app, { onHand: 1_000 })).id;
});

function buyIn(shop: TestShop, wanted: Wanted = {}): Promise<Response> {
  const { email = VICTIM, from = HOME, as, quantity = 1, couponCode, product = productId } = wanted;
  const items = [{ productId: product, quantity }];
  return shop.send("POST", "/api/checkout", { body: { items, contact: { email }, couponCode }, from, as });
}
const buy = (wanted?: Wanted): Promise<Response> => buyIn(app, wanted);

async function buyAndCancel(wanted: Wanted): Promise<number> {
  const response = await buy(wanted);
  if (response.status !== 201) return response.status;
  const { order, accessToken } = await read<Made>(response, 201);
  await app.send("POST", `/api/orders/${order.id}/cancel`, { headers: { "x-order-token": accessToken } });
  return 201;
}

const countMails = async (): Promise<number> =>
  (await app.mails()).filter(({ to }) => to.startsWith("ann")).length;

describe("a stranger who orders in a buyer's name", () => {
  it("fills the share of the mailbox with orders that wait, and the buyer orders all the same", async () => {
    assert.equal((await buy({ from: STRANGER, email: "ann+1@example.org" })).status, 201);
    assert.equal((await buy({ from: STRANGER, email: "ann+2@example.org" })).status, 201);
    const third = await buy({ from: STRANGER, email: "ANN+3@example.org" });
    assert.deepEqual(await code(third), [429, "too_many_pending"]);
    assert.equal((await buy()).status, 201);
    assert.deepEqual(await code(await buy()), [429, "too_many_pending"]);
    assert.equal((await buy({ as: "ann" })).status, 201);
  });

  it("uses up the hour of the mailbox, and the buyer orders all the same, without mail before the payment", async () => {
    const orderLimits = { ...noOrderLimits, emailPerHour: 3, mailedPerDay: 2 };
    await app.setSite({ orderLimits, maxPending: { user: most, address: most, email: most } });
    for (let count = 0; count < 3; count += 1) assert.equal(await buyAndCancel({ from: STRANGER }), 201);
    assert.equal(await buyAndCancel({ from: STRANGER }), 429);
    assert.equal(await countMails(), 2);
    const { order } = await read<Made>(await buy(), 201);
    assert.equal(await countMails(), 2);
    assert.deepEqual(await code(await buy()), [429, "rate_limited"]);
    await sendNotice(app, toNotice(order));
    assert.equal(await countMails(), 3, "the payment is told");
    for (let net = 1; net <= 20; net += 1) await buyAndCancel({ from: `203.0.113.${net}` });
    assert.equal(await countMails(), 3, "also of who has paid, one in many names of others is told nothing");
    for (let count = 0; count < 3; count += 1)
      assert.equal((await buy({ as: "ann" })).status, 201, "an account has an hour of its own");
    assert.deepEqual(await code(await buy({ as: "ann" })), [429, "rate_limited"]);
  });

  it("has one share for a /64", async () => {
    await app.setSite({ orderLimits: { ...noOrderLimits, emailPerHour: 1 } });
    assert.equal(await buyAndCancel({ from: STRANGER }), 201);
    assert.equal(await buyAndCancel({ from: "2001:db8:1:2::1" }), 201);
    assert.equal(await buyAndCancel({ from: "2001:db8:1:2:ffff::9" }), 429);
    assert.equal(await buyAndCancel({ from: "2001:db8:1:3::1" }), 201);
  });

  it("takes no units of a limited product from the buyer before they are paid", async () => {
    await app.setSite({ maxPending: { user: most, address: most, email: most } });
    const product = (await addProduct(app, { maxPerCustomer: 2 })).id;
    const strange = await read<Made>(await buy({ from: STRANGER, product, quantity: 2 }), 201);
    assert.equal((await buy({ product, quantity: 2 })).status, 201);
    assert.deepEqual(await code(await buy({ product })), [422, "quantity_limit"]);
    await sendNotice(app, toNotice(strange.order));
    const other = await buy({ from: "192.0.2.77", product });
    assert.deepEqual(await code(other), [422, "quantity_limit"], "what is paid counts");
  });

  it("sends no more mails after a restart than before it", async () => {
    const orderLimits = { ...noOrderLimits, mailedPerDay: 2 };
    await app.setSite({ orderLimits, maxPending: { user: most, address: most, email: most } });
    assert.equal(await buyAndCancel({ from: STRANGER, email: "ann+x@example.org" }), 201);
    assert.equal(await buyAndCancel({ from: STRANGER }), 201);
    app.clock.advance(60_000);
    const again = await createTestShop({ store: app.store, clock: app.clock });
    app.clock.advance(60_000);
    for (const email of [VICTIM, "ann+y@example.org"])
      assert.equal((await buyIn(again, { from: STRANGER, email })).status, 201);
    assert.equal(await countMails(), 2);
    app.clock.advance(2 * 86_400_000);
    assert.equal((await buyIn(again, { from: STRANGER })).status, 201);
    assert.equal(await countMails(), 3);
  });
});

describe("a coupon for each customer once", () => {
  it("is per mailbox, ignoring a plus suffix", async () => {
    const at = app.clock.now();
    await app.store.transact((tx) =>
      tx.insert(coupons, {
        id: "cpn_1",
        code: "ONCE",
        codeKey: "ONCE",
        kind: "fixed",
        value: 1,
        currency: "EUR",
        minimum: 0,
        maxUsesPerUser: 1,
        used: 0,
        productIds: [],
        categoryIds: [],
        enabled: true,
        note: "",
        createdAt: at,
        updatedAt: at,
      }),
    );
    assert.equal((await buy({ email: "ann+1@example.org", couponCode: "ONCE" })).status, 201);
    const second = await buy({ email: "Ann@example.org", couponCode: "ONCE" });
    assert.deepEqual(await code(second), [422, "coupon_invalid"]);
    assert.equal((await buy({ email: "bo@example.org", couponCode: "ONCE" })).status, 201);
  });
});
