/** How many orders one may place, whatever becomes of them, and what a preview tells before. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { coupons } from "../../../src/shop/coupons/records.ts";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";
import { addProduct, noOrderLimits, sendNotice, setProvider, toNotice } from "../goods.ts";

interface Made {
  readonly order: { readonly id: string; readonly total: number; readonly currency: string };
  readonly accessToken: string;
}

const HOUR_MS = 3_600_000;

let app: TestShop;
let productId: string;
beforeEach(async () => {
  app = await createTestShop();
  await setProvider(app);
  productId = (await addProduct(app, { onHand: 1_000 })).id;
});

interface Wanted {
  readonly email?: string;
  readonly from?: string;
  readonly quantity?: number;
  readonly as?: string;
  readonly product?: string;
}

function buy({ email = "ann@example.org", quantity = 1, product = productId, ...who }: Wanted = {}) {
  const body = {
    items: [{ productId: product, quantity }],
    contact: { email },
    consents: { digitalContent: true },
  };
  return app.send("POST", "/api/checkout", { body, ...who });
}

async function buyAndCancel(wanted: Wanted = {}): Promise<number> {
  const response = await buy(wanted);
  if (response.status !== 201) return response.status;
  const { order, accessToken } = await read<Made>(response, 201);
  const headers = { "x-order-token": accessToken };
  await app.send("POST", `/api/orders/${order.id}/cancel`, { headers });
  return 201;
}

describe("orders of one address or mailbox", () => {
  it("are counted for an hour also when they are canceled", async () => {
    await app.setSite({ orderLimits: { ...noOrderLimits, addressPerHour: 3 } });
    const from = "2001:db8:1:2::1";
    for (const email of ["a@example.org", "b@example.org", "c@example.org"])
      assert.equal(await buyAndCancel({ email, from }), 201);
    const neighbour = await buy({ email: "d@example.org", from: "2001:db8:1:2::9" });
    assert.deepEqual(await code(neighbour), [429, "rate_limited"]);
    assert.ok(Number(neighbour.headers.get("retry-after")) > 0);
    assert.equal(await buyAndCancel({ email: "d@example.org", from: "2001:db8:1:3::1" }), 201);
    app.clock.advance(2 * HOUR_MS);
    assert.equal(await buyAndCancel({ email: "d@example.org", from }), 201);
  });

  it("are counted by email address, ignoring a plus suffix; a repeat does not count", async () => {
    await app.setSite({ orderLimits: { ...noOrderLimits, emailPerHour: 2 } });
    const headers = { "idempotency-key": "one" };
    const body = {
      items: [{ productId, quantity: 1 }],
      contact: { email: "ann+1@example.org" },
      consents: { digitalContent: true },
    };
    for (const status of [201, 200, 200])
      assert.equal((await app.send("POST", "/api/checkout", { body, headers })).status, status);
    assert.equal(await buyAndCancel({ email: "Ann+2@example.org" }), 201);
    assert.deepEqual(await code(await buy()), [429, "rate_limited"]);
  });

  it("send an email to new customers a few times a day; the payment always sends one", async () => {
    await app.setSite({ orderLimits: { ...noOrderLimits, mailedPerDay: 2 } });
    for (let count = 0; count < 5; count += 1) assert.equal(await buyAndCancel(), 201);
    assert.equal((await app.mails("ann@example.org")).length, 2);
    const { order } = await read<Made>(await buy(), 201);
    assert.equal((await app.mails("ann@example.org")).length, 2);
    await sendNotice(app, toNotice(order));
    const kinds = (await app.mails("ann@example.org")).map(({ kind }) => kind).toSorted();
    assert.deepEqual(kinds, ["order_paid", "order_placed", "order_placed"]);
    await buyAndCancel();
    assert.equal((await app.mails("ann@example.org")).length, 4, "who paid is told of any number");
  });

  it("hold few units that wait for payment, in any number of orders", async () => {
    const from = "192.0.2.7";
    assert.equal((await buy({ quantity: 15, from })).status, 201);
    const second = { email: "b@example.org", from };
    assert.deepEqual(await code(await buy({ ...second, quantity: 6 })), [429, "too_many_pending"]);
    assert.equal((await buy({ ...second, quantity: 5 })).status, 201);
    assert.deepEqual(await code(await buy({ quantity: 21 })), [429, "too_many_pending"]);
    assert.equal((await buy({ quantity: 21, as: "ann" })).status, 201, "who signed in");
    const unlimited = (await addProduct(app, { stockMode: "unlimited" })).id;
    assert.equal((await buy({ product: unlimited, quantity: 100, email: "c@example.org" })).status, 201);
  });

  it("that cost nothing need a sign-in, unless the shop gives to guests", async () => {
    const product = (await addProduct(app, { price: 0 })).id;
    assert.deepEqual(await code(await buy({ product })), [401, "unauthenticated"]);
    assert.equal((await buy({ product, as: "ann" })).status, 201);
    await app.setSite({ freeGuestOrders: true });
    assert.equal((await buy({ product })).status, 201);
  });
});

describe("an order that expires", () => {
  it("waits as long as its provider says, which the buyer sees", async () => {
    await setProvider(app, { expiryMinutes: 3 * 24 * 60 });
    await buy();
    app.clock.advance(2 * 24 * HOUR_MS);
    assert.equal(await app.shop.orderJobs.expire(), 0);
    app.clock.advance(24 * HOUR_MS);
    assert.equal(await app.shop.orderJobs.expire(), 1);
    const kinds = (await app.mails("ann@example.org")).map(({ kind }) => kind);
    assert.deepEqual(kinds.toSorted(), ["order_expired", "order_placed"]);
  });
});

describe("coupons that cannot be used", () => {
  it("look alike, and can be tried a few times from an address", async () => {
    const at = app.clock.now();
    await app.store.transact((tx) =>
      tx.insert(coupons, {
        id: "cpn_1",
        code: "SPENT",
        codeKey: "SPENT",
        kind: "fixed",
        value: 1,
        currency: "EUR",
        minimum: 0,
        maxUses: 1,
        used: 1,
        productIds: [],
        categoryIds: [],
        enabled: true,
        note: "",
        createdAt: at,
        updatedAt: at,
      }),
    );
    const guess = async (couponCode: string): Promise<unknown> => {
      const body = { items: [{ productId, quantity: 1 }], couponCode };
      const response = await app.send("POST", "/api/checkout/preview", { body });
      const { code: problem, reason }: { code: string; reason?: string } = await response.json();
      return [response.status, problem, reason];
    };
    assert.deepEqual(await guess("SPENT"), [422, "coupon_invalid", "unusable"]);
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => guess(`GUESS${n}`)));
    const isAllowed = (answer: unknown): boolean => JSON.stringify(answer).includes("unusable");
    assert.equal(answers.filter(isAllowed).length, 19);
    assert.deepEqual(await guess("GUESS"), [429, "rate_limited", undefined]);
  });
});

describe("POST /api/checkout/preview", () => {
  interface Preview {
    readonly total: number;
    readonly lines: { isAvailable: boolean; left?: number }[];
  }
  const preview = async (items: object[]): Promise<Preview> =>
    read<Preview>(await app.send("POST", "/api/checkout/preview", { body: { items } }));

  it("needs items alone, and says of each line whether there is enough", async () => {
    const few = (await addProduct(app, { onHand: 3, deliveryType: "shipping" })).id;
    const asking = [{ key: "name", label: "Name", kind: "text", required: true, options: [], maxLength: 9 }];
    const asks = (await addProduct(app, { inputs: asking.map((one) => ({ ...one, kind: "text" as const })) }))
      .id;
    const { lines } = await preview([
      { productId: few, quantity: 2 },
      { productId: few, quantity: 2 },
      { productId: asks, quantity: 1 },
    ]);
    assert.deepEqual(
      lines.map(({ isAvailable, left }) => [isAvailable, left]),
      [
        [false, 3],
        [false, 3],
        [true, undefined],
      ],
    );
    await app.setSite({ stockDisplay: "exact" });
    assert.equal((await preview([{ productId: asks, quantity: 1 }])).lines[0]?.left, 10);
  });

  it("and checkout take a shared secret that is not set for out of stock", async () => {
    const product = (await addProduct(app, { deliveryType: "shared_secret", stockMode: "unlimited" })).id;
    assert.equal((await preview([{ productId: product, quantity: 1 }])).lines[0]?.isAvailable, false);
    assert.deepEqual(await code(await buy({ product })), [409, "out_of_stock"]);
    const shown = await read<{ stock: { status: string } }>(
      await app.send("GET", `/api/products/${product}`),
    );
    assert.equal(shown.stock.status, "out_of_stock");
  });
});

describe("wrong secrets of payment notices", () => {
  it("are throttled after some; the right one never counts as a guess, and others' are counted separately", async () => {
    const { order } = await read<Made>(await buy(), 201);
    const send = (secret: string, from: string): Promise<Response> =>
      app.send("POST", "/api/webhooks/test-pay", {
        body: toNotice(order),
        headers: { "x-webhook-secret": secret },
        from,
      });
    for (let count = 0; count < 20; count += 1)
      assert.deepEqual(await code(await send(`wrong ${count}`, "192.0.2.5")), [401, "unauthenticated"]);
    assert.deepEqual(await code(await send("wrong", "192.0.2.5")), [429, "too_many_attempts"]);
    assert.deepEqual(await code(await send("wrong", "192.0.2.6")), [401, "unauthenticated"]);
    const right = await sendNotice(app, toNotice(order));
    assert.equal(right.status, 200);
  });
});
