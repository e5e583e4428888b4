/** Webhooks to others: which events are written, and who may set where they go. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { webhookDeliveries } from "../../../src/shop/webhooks-out/records.ts";
import { orders } from "../../../src/shop/orders/records.ts";
import { shopCollections } from "../../../src/shop/app/records.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import { type TestShop, code, read } from "../app-fixture.ts";
import { addProduct, order, sendNotice, toNotice } from "../goods.ts";
import { isGenuine } from "./receiver.ts";
import { PATH, addEndpoint, createHookedShop, deliverAll } from "./webhooks-fixture.ts";

const HOUR = 3_600_000;

let app: TestShop;
let receiver: Awaited<ReturnType<typeof createHookedShop>>["receiver"];
beforeEach(async () => {
  ({ app, receiver } = await createHookedShop());
});

const countDeliveries = (): Promise<number> => app.store.read((tx) => tx.count(webhookDeliveries));

describe("events of orders and stock", () => {
  it("are not written without a subscriber", async () => {
    const { id: productId } = await addProduct(app);
    await order(app, [{ productId }]);
    assert.equal(await countDeliveries(), 0);
    await addEndpoint(app, { types: ["order.refunded"] });
    const off = await addEndpoint(app, { enabled: false });
    assert.equal(off.enabled, false);
    await order(app, [{ productId }]);
    assert.equal(await countDeliveries(), 0);
  });

  it("go out in their order, genuine by the vendors' package, with nothing about the person", async () => {
    const { id: productId } = await addProduct(app, { keys: ["KEY-1", "KEY-2"], sku: "K", title: "Key" });
    const { secret } = await addEndpoint(app);
    const placed = await order(app, [{ productId, quantity: 2 }], { email: "ann@example.org" });
    await sendNotice(app, toNotice(placed.order));
    const path = `/api/admin/orders/${placed.order.id}`;
    await app.admin("POST", `${path}/refund`, { amount: 500 });
    const headers = { "x-order-token": placed.orderToken };
    await app.send("POST", `/api/orders/${placed.order.id}/confirm`, { headers });
    await deliverAll(app);
    const own = receiver.received.filter(({ data }) => data.order !== undefined);
    assert.deepEqual(
      own.map(({ type, data }) => [type, data.order?.status]),
      [
        ["order.placed", "pending_payment"],
        ["order.paid", "delivered"],
        ["order.delivered", "delivered"],
        ["order.refunded", "delivered"],
        ["order.completed", "completed"],
      ],
    );
    assert.equal(own[3]?.data.refunded, 500);
    const units = receiver.received.filter(({ type }) => type.startsWith("stock."));
    assert.deepEqual(
      units.map(({ type, data: { sku, available } }) => [type, sku, available]),
      [
        ["stock.changed", "K", 0],
        ["stock.out", "K", 0],
        ["stock.changed", "K", 0],
      ],
      "all units are promised; paid, they leave",
    );
    assert.equal(new Set(receiver.received.map(({ id }) => id)).size, receiver.received.length);
    for (const one of receiver.received) {
      assert.equal(isGenuine(secret, one), true, one.type);
      assert.equal(isGenuine(secret, { ...one, request: { ...one.request, body: "{}" } }), false);
      assert.doesNotMatch(one.request.body ?? "", /ann@|KEY-|token/u);
      assert.equal(one.request.followRedirects, false);
    }
  });

  it("tell flags, an end without payment, and few units once", async () => {
    const { id: productId } = await addProduct(app, { onHand: 7 });
    await addEndpoint(app);
    const first = await order(app, [{ productId, quantity: 2 }]);
    await sendNotice(app, toNotice(first.order, { amount: 1 }));
    const second = await order(app, [{ productId }]);
    app.clock.advance(HOUR);
    await app.shop.orderJobs.expire();
    await app.admin("POST", `/api/admin/orders/${second.order.id}/cancel`, {});
    await deliverAll(app);
    const types = receiver.types();
    assert.deepEqual(types.filter((type) => type.startsWith("order.")).toSorted(), [
      "order.attention",
      "order.expired",
      "order.expired",
      "order.placed",
      "order.placed",
    ]);
    assert.equal(types.filter((type) => type === "stock.low").length, 1);
    assert.deepEqual(receiver.received.find(({ type }) => type === "order.attention")?.data.flags, [
      "underpaid",
    ]);
  });

  it("are written with what happened or not at all, also when the work runs again", async () => {
    const store = createMemoryStore({ collections: shopCollections, forceReruns: true });
    ({ app } = await createHookedShop({ store }));
    await addEndpoint(app, { types: ["order.placed"] });
    const { id: productId } = await addProduct(app, { onHand: 1 });
    await order(app, [{ productId }]);
    await assert.rejects(order(app, [{ productId }], { email: "bob@example.org" }));
    assert.equal(await countDeliveries(), 1);
    assert.equal(await app.store.read((tx) => tx.count(orders)), 1);
  });
});

describe("/api/admin/webhooks", () => {
  it("refuses strangers, addresses that are none, types that are none, and stale versions", async () => {
    assert.equal((await app.send("GET", PATH)).status, 401);
    const types = ["order.paid"];
    for (const body of [
      { url: "ftp://example.org/", types },
      { url: "https://ann:secret@example.org/", types },
      { url: "http://169.254.169.254/latest", types },
      { url: "https://example.org/", types: [] },
      { url: "https://example.org/", types: ["order.eaten"] },
      { url: "https://example.org/", types: ["order.paid", "order.paid"] },
      { url: "https://example.org/", types, secret: "mine" },
    ])
      assert.deepEqual(
        await code(await app.admin("POST", PATH, body)),
        [422, "invalid"],
        JSON.stringify(body),
      );
    assert.deepEqual(await code(await app.admin("GET", `${PATH}/whe_none`)), [404, "not_found"]);
    const { id } = await addEndpoint(app);
    const path = `${PATH}/${id}`;
    const stale = { description: "x", version: 9 };
    assert.deepEqual(await code(await app.admin("PATCH", path, stale)), [409, "version_conflict"]);
    const ifMatch = { "if-match": '"9"' };
    assert.deepEqual(await code(await app.admin("PATCH", path, { enabled: false }, ifMatch)), [
      412,
      "version_conflict",
    ]);
    await read(await app.admin("PATCH", path, { enabled: false }, { "if-match": '"1"' }));
    assert.equal((await app.admin("DELETE", path)).status, 204);
    assert.equal((await app.admin("DELETE", path)).status, 404);
  });

  it("takes no more than twenty", async () => {
    for (let count = 0; count < 20; count += 1) await addEndpoint(app);
    const body = { url: "https://example.org/", types: ["order.paid"] };
    assert.deepEqual(await code(await app.admin("POST", PATH, body)), [409, "conflict"]);
  });
});
