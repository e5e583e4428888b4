/** Checkout: who may order, repeats of one request, stock that runs out, and malformed requests. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { stock } from "../../../src/shop/products/records.ts";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";
import { addProduct, liftLimits, setProvider } from "../goods.ts";

interface Made {
  readonly order: { readonly id: string };
  readonly accessToken: string;
}

let app: TestShop;
beforeEach(async () => {
  app = await createTestShop();
  await setProvider(app);
});

const EMAIL = "ann@example.org";
type Item = { productId: string; variantId?: string; quantity: number; inputs?: Record<string, string> };

const checkout = (
  items: readonly Item[],
  more: object = {},
  request: { as?: string; from?: string; headers?: Record<string, string> } = {},
): Promise<Response> =>
  app.send("POST", "/api/checkout", {
    body: { items, contact: { email: EMAIL }, consents: { digitalContent: true }, ...more },
    ...request,
  });

const reservedOf = async (id: string): Promise<number | undefined> =>
  (await app.store.read((tx) => tx.get(stock, id)))?.reserved;

describe("who may order", () => {
  it("is no one while the shop is closed or in maintenance, and no guest if guests are not allowed", async () => {
    const { id } = await addProduct(app);
    const items = [{ productId: id, quantity: 1 }];
    for (const fields of [{ checkoutOpen: false }, { maintenance: true }]) {
      await app.setSite(fields);
      assert.deepEqual(await code(await checkout(items)), [403, "checkout_closed"]);
      await app.setSite({ checkoutOpen: true, maintenance: false });
    }
    await app.setSite({ guestCheckout: false });
    assert.deepEqual(await code(await checkout(items)), [401, "unauthenticated"]);
    assert.equal((await checkout(items, {}, { as: "ann" })).status, 201);
  });

  it("includes buyers without a token, even when the auth center is unavailable; a token is checked", async () => {
    const { id } = await addProduct(app);
    app.setAuth("down");
    assert.equal((await checkout([{ productId: id, quantity: 1 }])).status, 201);
    const signedIn = await checkout([{ productId: id, quantity: 1 }], {}, { as: "ann" });
    assert.deepEqual(await code(signedIn), [503, "auth_unavailable"]);
  });

  it("is who has few orders that wait: 3 of a user, 2 of an address, 5 from a network address", async () => {
    const { id } = await addProduct(app, { onHand: 100 });
    const items = [{ productId: id, quantity: 1 }];
    for (let count = 0; count < 3; count += 1)
      assert.equal((await checkout(items, {}, { as: "ann", from: "192.0.2.9" })).status, 201);
    app.clock.advance(5 * 60_000);
    const fourth = await checkout(items, {}, { as: "ann" });
    assert.equal(fourth.headers.get("retry-after"), "600", "until the first expires");
    assert.deepEqual(await code(fourth), [429, "too_many_pending"]);
    for (let count = 0; count < 2; count += 1)
      assert.equal(
        (await checkout(items, { contact: { email: "Bob@example.org" } }, { from: "192.0.2.9" })).status,
        201,
      );
    const asBob = () => checkout(items, { contact: { email: "bob@EXAMPLE.org" } }, { from: "192.0.2.8" });
    assert.equal((await asBob()).status, 201, "who has none of them from here");
    assert.deepEqual(await code(await asBob()), [429, "too_many_pending"]);
    const sixth = await checkout(items, { contact: { email: "cid@example.org" } }, { from: "192.0.2.9" });
    assert.deepEqual(await code(sixth), [429, "too_many_pending"]);
    app.clock.advance(10 * 60_000);
    await app.shop.orderJobs.expire();
    assert.equal((await checkout(items, {}, { as: "ann" })).status, 201);
  });
});

describe("the same request again", () => {
  const headers = { "idempotency-key": "0d9b3f0a-5f3e-4f0a-9c35-7e2b6d1c8a44" };

  it("creates one order and returns the same response", async () => {
    const { id } = await addProduct(app);
    const items = [{ productId: id, quantity: 1 }];
    const first = await read<Made>(await checkout(items, {}, { headers }), 201);
    const second = await read<Made>(await checkout(items, {}, { headers }), 200);
    assert.deepEqual(second, first);
    assert.equal(await reservedOf(id), 1);
    const other = await checkout([{ productId: id, quantity: 2 }], {}, { headers });
    assert.deepEqual(await code(other), [422, "idempotency_key_reused"]);
    assert.equal((await checkout(items, {}, { headers, as: "ann" })).status, 201, "another person's key");
  });

  it("does not return a guest's order for a guessable key", async () => {
    const { id } = await addProduct(app);
    const items = [{ productId: id, quantity: 1 }];
    for (const key of ["cart-1234", "a".repeat(40), "1234567890123456789012345"]) {
      const contact = { contact: { email: `${key.slice(0, 4)}@example.org` } };
      const guessable = { "idempotency-key": key };
      const { order, accessToken } = await read<Made>(
        await checkout(items, contact, { headers: guessable }),
        201,
      );
      assert.match(accessToken, /^ot_/u);
      const from = "203.0.113.77";
      const again = await read<Partial<Made>>(
        await checkout(items, contact, { headers: guessable, from }),
        200,
      );
      const isSafe = key.startsWith("1234");
      assert.deepEqual(
        [again.order?.id, again.accessToken],
        [order.id, isSafe ? accessToken : undefined],
        key,
      );
    }
    const headers = { "idempotency-key": "cart-1234" };
    const own = { headers, as: "ann" };
    const first = await read<Made>(await checkout(items, {}, own), 201);
    const { accessToken } = await read<Made>(await checkout(items, {}, own), 200);
    assert.equal(accessToken, first.accessToken, "a signed-in buyer's keys are their own");
  });

  it("has to wait while the first is being processed", async () => {
    const { id } = await addProduct(app);
    const items = [{ productId: id, quantity: 1 }];
    const all = await Promise.all([1, 2, 3].map(() => checkout(items, {}, { headers })));
    assert.deepEqual(
      all.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, 409, 409],
    );
    assert.equal(await reservedOf(id), 1);
  });

  it("is a new one after a refusal, and after a day", async () => {
    const { id } = await addProduct(app, { onHand: 2 });
    const items = [{ productId: id, quantity: 1 }];
    await app.setSite({ checkoutOpen: false });
    await checkout(items, {}, { headers });
    await app.setSite({ checkoutOpen: true });
    assert.equal((await checkout(items, {}, { headers })).status, 201);
    app.clock.advance(24 * 3_600_000);
    assert.equal((await checkout(items, {}, { headers })).status, 201);
  });
});

describe("stock", () => {
  it("of ten units gives ten of 200 orders at once", async () => {
    await liftLimits(app);
    const { id } = await addProduct(app, { onHand: 10 });
    const all = await Promise.all(
      Array.from({ length: 200 }, () => checkout([{ productId: id, quantity: 1 }])),
    );
    const statuses = all.map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 201).length, 10);
    assert.equal(statuses.filter((status) => status === 409).length, 190);
    assert.equal(await reservedOf(id), 10);
  });

  it("comes back when orders expire or are canceled", async () => {
    const { id } = await addProduct(app, { onHand: 2 });
    const items = [{ productId: id, quantity: 1 }];
    const { order, accessToken } = await read<Made>(await checkout(items), 201);
    await checkout(items);
    assert.equal(await reservedOf(id), 2);
    const headers = { "x-order-token": accessToken };
    for (let time = 0; time < 2; time += 1)
      assert.equal((await app.send("POST", `/api/orders/${order.id}/cancel`, { headers })).status, 200);
    assert.equal(await reservedOf(id), 1);
    app.clock.advance(15 * 60_000);
    assert.equal(await app.shop.orderJobs.expire(), 1);
    assert.equal(await app.shop.orderJobs.expire(), 0);
    assert.equal(await reservedOf(id), 0);
  });
});

describe("a malformed checkout", () => {
  it("says what is wrong with it", async () => {
    const { id } = await addProduct(app);
    const bodies: readonly object[] = [
      {},
      { items: [], contact: { email: EMAIL } },
      { items: [{ productId: id, quantity: 0 }], contact: { email: EMAIL } },
      { items: [{ productId: id, quantity: 1.5 }], contact: { email: EMAIL } },
      { items: [{ productId: id, quantity: 1 }], contact: { email: "nobody" } },
      { items: [{ productId: id, quantity: 1 }], contact: { email: "a@b.c\r\nBcc: d@e.f" } },
      { items: [{ productId: id, quantity: 1 }], contact: { email: EMAIL }, extra: true },
      { items: [{ productId: id, quantity: 1 }], contact: { email: EMAIL }, paymentMethod: "gold" },
    ];
    for (const body of bodies)
      assert.deepEqual(await code(await app.send("POST", "/api/checkout", { body })), [422, "invalid"]);
    const large = { note: "x".repeat(300_000) };
    assert.deepEqual(await code(await checkout([{ productId: id, quantity: 1 }], large)), [413, "too_large"]);
  });
});
