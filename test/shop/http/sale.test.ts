/** A sale from the order to the confirmed receipt, as a guest and as a user. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";
import { addProduct, sendNotice, setProvider, toNotice } from "../goods.ts";

interface Order {
  readonly id: string;
  readonly number: string;
  readonly status: string;
  readonly paymentStatus: string;
  readonly total: number;
  readonly currency: string;
  readonly amountDue: number;
  readonly lines: { delivered?: string[]; total: number }[];
  readonly history: { event: string }[];
}

interface Checkout {
  readonly order: Order;
  readonly accessToken: string;
  readonly payment?: { amount: number; url?: string; reference: string; method: string };
}

let app: TestShop;
beforeEach(async () => {
  app = await createTestShop();
  await setProvider(app);
});

const body = (productId: string, more: object = {}) => ({
  items: [{ productId, quantity: 2 }],
  contact: { email: "Ann@example.org" },
  consents: { digitalContent: true },
  ...more,
});

describe("a sale of licence keys", () => {
  it("goes from the order over the notice to the keys, in the order and by mail", async () => {
    const { id } = await addProduct(app, { keys: ["KEY-1", "KEY-2", "KEY-3"], instructions: "Type it in" });
    const made = await read<Checkout>(await app.send("POST", "/api/checkout", { body: body(id) }), 201);
    assert.equal(made.order.status, "pending_payment");
    assert.deepEqual(
      [made.payment?.amount, made.payment?.reference, made.payment?.method],
      [2_000, made.order.number, "test"],
    );
    assert.equal(made.payment?.url, `https://pay.example.org/?order=${made.order.id}&amount=20.00`);
    const headers = { "x-order-token": made.accessToken };
    const path = `/api/orders/${made.order.id}`;

    const outcome = await read<{ result: string }>(await sendNotice(app, toNotice(made.order)));
    assert.equal(outcome.result, "applied");
    const paid = await read<Order>(await app.send("GET", path, { headers }));
    assert.deepEqual([paid.status, paid.paymentStatus, paid.amountDue], ["delivered", "paid", 0]);
    assert.deepEqual(paid.lines[0]?.delivered, ["KEY-1", "KEY-2"]);
    const mails = await app.mails("Ann@example.org");
    assert.deepEqual(mails.map(({ kind }) => kind).toSorted(), ["order_delivered", "order_placed"]);
    assert.match(mails.find(({ kind }) => kind === "order_delivered")?.text ?? "", /KEY-1[^]*KEY-2/u);

    const confirmed = await read<Order>(await app.send("POST", `${path}/confirm`, { headers }));
    assert.equal(confirmed.status, "completed");
    assert.equal((await app.send("POST", `${path}/confirm`, { headers })).status, 200);
  });

  it("belongs to the user who was signed in, and to no other", async () => {
    const { id } = await addProduct(app, { keys: ["KEY-1", "KEY-2"] });
    const made = await read<Checkout>(
      await app.send("POST", "/api/orders", { body: body(id), as: "ann" }),
      201,
    );
    const path = `/api/orders/${made.order.id}`;
    assert.equal((await app.send("GET", path, { as: "ann" })).status, 200);
    assert.deepEqual(await code(await app.send("GET", path, { as: "bob" })), [404, "not_found"]);
    assert.deepEqual(await code(await app.send("GET", path)), [401, "unauthenticated"]);
    const headers = { "x-order-token": `${made.accessToken}x` };
    assert.deepEqual(await code(await app.send("GET", path, { headers })), [404, "not_found"]);
    const mine = await read<{ items: Order[] }>(await app.send("GET", "/api/orders", { as: "ann" }));
    assert.deepEqual(
      mine.items.map((one) => one.id),
      [made.order.id],
    );
    const none = await read<{ items: Order[] }>(await app.send("GET", "/api/orders", { as: "bob" }));
    assert.deepEqual(none, { items: [] });
  });

  it("of something that costs nothing needs no payment", async () => {
    const { id } = await addProduct(app, { keys: ["KEY-1", "KEY-2"], price: 0 });
    const made = await read<Checkout>(
      await app.send("POST", "/api/checkout", { body: body(id), as: "ann" }),
      201,
    );
    assert.deepEqual([made.order.status, made.order.paymentStatus], ["delivered", "paid"]);
    assert.equal(made.payment, undefined);
    assert.deepEqual(made.order.lines[0]?.delivered, ["KEY-1", "KEY-2"]);
  });
});

describe("the demo provider", () => {
  it("is a page that sends signed notices", async () => {
    await setProvider(app, { word: "demo", payUrlTemplate: "/demo-pay/{orderId}?token={token}" });
    const { id } = await addProduct(app, { keys: ["KEY-1", "KEY-2"] });
    const made = await read<Checkout>(await app.send("POST", "/api/checkout", { body: body(id) }), 201);
    const url = new URL(made.payment?.url ?? "");
    const page = await app.fetch(`${url.pathname}${url.search}`);
    assert.equal(page.status, 200);
    assert.match(await page.text(), new RegExp(made.order.number, "u"));
    const pay = await app.fetch(url.pathname, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: `token=${url.searchParams.get("token") ?? ""}&action=pay`,
    });
    assert.equal(pay.status, 303);
    const headers = { "x-order-token": made.accessToken };
    const paid = await read<Order>(await app.send("GET", `/api/orders/${made.order.id}`, { headers }));
    assert.equal(paid.status, "delivered");
    assert.equal((await app.fetch(`${url.pathname}?token=wrong`)).status, 404);
  });
});
