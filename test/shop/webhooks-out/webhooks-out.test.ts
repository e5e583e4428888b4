/** Webhooks to others: what is told, how it is signed, in which order, and what becomes of what fails. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { orders, webhookDeliveries, webhookEndpoints } from "../../../src/shop/records.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import { shopCollections } from "../../../src/shop/records.ts";
import { eventTypes } from "../../../src/shop/webhooks-out/schema.ts";
import { createFixedClock } from "../../support/fixed-clock.ts";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";
import { addProduct, liftLimits, order, sendNotice, setProvider, toNotice } from "../goods.ts";
import { answered, createReceiver, isGenuine } from "./receiver.ts";

interface Endpoint {
  readonly id: string;
  readonly version: number;
  readonly enabled: boolean;
  readonly failingSince?: string;
  readonly offReason?: string;
  readonly secret: string;
}
interface Delivery {
  readonly id: string;
  readonly eventId: string;
  readonly type: string;
  readonly state: string;
  readonly attempts: number;
  readonly lastStatus?: number;
  readonly lastAnswer?: string;
  readonly lastError?: string;
  readonly body?: string;
}

const PATH = "/api/admin/webhooks";
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

let app: TestShop;
let receiver: ReturnType<typeof createReceiver>;
beforeEach(async () => {
  receiver = createReceiver();
  app = await createTestShop({ webhookOutbound: receiver.outbound, clock: createFixedClock(Date.now()) });
  await setProvider(app);
  await liftLimits(app);
});

async function addEndpoint(fields: object = {}): Promise<Endpoint> {
  const body = { url: "https://erp.example.org/in", types: eventTypes, ...fields };
  return read<Endpoint>(await app.admin("POST", PATH, body), 201);
}

async function deliverAll(): Promise<void> {
  while ((await app.shop.webhookSender.deliver()).sent > 0);
}

const listLog = async (id: string, query = ""): Promise<Delivery[]> =>
  (await read<{ items: Delivery[] }>(await app.admin("GET", `${PATH}/${id}/deliveries${query}`))).items;

const countDeliveries = (): Promise<number> => app.store.read((tx) => tx.count(webhookDeliveries));

describe("events of orders and stock", () => {
  it("are not written while nobody wants them", async () => {
    const { id: productId } = await addProduct(app);
    await order(app, [{ productId }]);
    assert.equal(await countDeliveries(), 0);
    await addEndpoint({ types: ["order.refunded"] });
    const off = await addEndpoint({ enabled: false });
    assert.equal(off.enabled, false);
    await order(app, [{ productId }]);
    assert.equal(await countDeliveries(), 0);
  });

  it("go out in their order, genuine by the vendors' package, with nothing about the person", async () => {
    const { id: productId } = await addProduct(app, { keys: ["KEY-1", "KEY-2"], sku: "K", title: "Key" });
    const { secret } = await addEndpoint();
    const placed = await order(app, [{ productId, quantity: 2 }], { email: "ann@example.org" });
    await sendNotice(app, toNotice(placed.order));
    const path = `/api/admin/orders/${placed.order.id}`;
    await app.admin("POST", `${path}/refund`, { amount: 500 });
    const headers = { "x-order-token": placed.orderToken };
    await app.send("POST", `/api/orders/${placed.order.id}/confirm`, { headers });
    await deliverAll();
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
    await addEndpoint();
    const first = await order(app, [{ productId, quantity: 2 }]);
    await sendNotice(app, toNotice(first.order, { amount: 1 }));
    const second = await order(app, [{ productId }]);
    app.clock.advance(HOUR);
    await app.shop.orderJobs.expire();
    await app.admin("POST", `/api/admin/orders/${second.order.id}/cancel`, {});
    await deliverAll();
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
    app = await createTestShop({ store, webhookOutbound: receiver.outbound });
    await setProvider(app);
    await addEndpoint({ types: ["order.placed"] });
    const { id: productId } = await addProduct(app, { onHand: 1 });
    await order(app, [{ productId }]);
    await assert.rejects(order(app, [{ productId }], { email: "bob@example.org" }));
    assert.equal(await countDeliveries(), 1);
    assert.equal(await app.store.read((tx) => tx.count(orders)), 1);
  });
});

describe("the delivery to an endpoint", () => {
  let endpoint: Endpoint;
  let productId: string;
  beforeEach(async () => {
    endpoint = await addEndpoint({ types: ["order.placed", "order.canceled"] });
    productId = (await addProduct(app, { onHand: 1_000 })).id;
  });
  async function placeAndCancel(): Promise<string> {
    const { id } = (await order(app, [{ productId }])).order;
    await app.admin("POST", `/api/admin/orders/${id}/cancel`, {});
    return id;
  }

  it("tries again with the same id, in the order of what happened", async () => {
    receiver.answerWith(answered(503, "busy\u0000"));
    const id = await placeAndCancel();
    await deliverAll();
    assert.deepEqual(receiver.types(), ["order.placed"], "an endpoint that fails gets one try");
    await deliverAll();
    assert.equal(receiver.received.length, 1);
    const [latest, first] = await listLog(endpoint.id);
    assert.deepEqual([first?.lastStatus, first?.lastAnswer, first?.state], [503, "busy ", "waiting"]);
    assert.deepEqual([latest?.type, latest?.attempts], ["order.canceled", 0]);
    assert.ok((await read<Endpoint>(await app.admin("GET", `${PATH}/${endpoint.id}`))).failingSince);
    receiver.answerWith(answered(204));
    app.clock.advance(30 * SECOND);
    await deliverAll();
    assert.deepEqual(
      receiver.received.map(({ type, id: eventId }) => [type, eventId === receiver.received[0]?.id]),
      [
        ["order.placed", true],
        ["order.placed", true],
        ["order.canceled", false],
      ],
    );
    assert.ok(receiver.received.every(({ data }) => data.order?.id === id));
    const { failingSince } = await read<Endpoint>(await app.admin("GET", `${PATH}/${endpoint.id}`));
    assert.equal(failingSince, undefined);
  });

  it("holds up only the order whose message is refused, and one bad endpoint no other", async () => {
    await addEndpoint({ url: "https://other.example.org/", types: ["order.placed"] });
    const refused = new Set<string>();
    const { send } = receiver.outbound;
    let first = "";
    Object.assign(receiver.outbound, {
      send: async (request: Parameters<typeof send>[0]) => {
        const answer = await send(request);
        if (!request.url.includes("erp")) return answer;
        const orderId = receiver.received.at(-1)?.data.order?.id ?? "";
        if (first === "") first = orderId;
        if (orderId !== first) return answer;
        refused.add(request.headers?.["webhook-id"] ?? "");
        return answered(422);
      },
    });
    const bad = await placeAndCancel();
    const good = await placeAndCancel();
    for (let round = 0; round < 10; round += 1) {
      await deliverAll();
      app.clock.advance(2 * HOUR);
    }
    const seen = (url: string, id: string): string[] => [
      ...new Set(
        receiver.received
          .filter((one) => one.url.includes(url) && one.data.order?.id === id)
          .map(({ type }) => type),
      ),
    ];
    assert.deepEqual(seen("erp", good), ["order.placed", "order.canceled"]);
    assert.deepEqual(seen("erp", bad), ["order.placed"]);
    assert.deepEqual(seen("other", bad), ["order.placed"]);
    assert.equal(refused.size, 1, "what follows waits");
    app.clock.advance(3 * DAY);
    for (let round = 0; round < 3; round += 1) {
      await deliverAll();
      app.clock.advance(2 * HOUR);
    }
    assert.deepEqual(seen("erp", bad), ["order.placed", "order.canceled"], "given up after three days");
    const failed = await listLog(endpoint.id, "?state=failed");
    assert.deepEqual(
      failed.map(({ type, lastError }) => [type, lastError]),
      [
        ["order.canceled", "The endpoint answered with 422"],
        ["order.placed", "The endpoint answered with 422"],
      ],
    );
  });

  it("switches an endpoint off that takes nothing for five days, tells the owner, and goes on after that", async () => {
    await app.setSmtp({ adminAddress: "owner@example.org" });
    receiver.answerWith({ kind: "failed", reason: '"erp.example.org" refused the connection' });
    await order(app, [{ productId }]);
    for (let hour = 0; hour < 130; hour += 1) {
      await deliverAll();
      if (hour === 71) await placeAndCancel();
      app.clock.advance(HOUR);
    }
    const tries = receiver.received.length;
    assert.ok(tries > 95 && tries < 135, `${tries} tries`);
    const off = await read<Endpoint>(await app.admin("GET", `${PATH}/${endpoint.id}`));
    assert.deepEqual([off.enabled, off.offReason], [false, '"erp.example.org" refused the connection']);
    const [mail] = await app.mails("owner@example.org");
    assert.match(mail?.subject ?? "", /webhook to erp\.example\.org was switched off/u);
    await order(app, [{ productId }]);
    await deliverAll();
    assert.equal(receiver.received.length, tries, "nothing is written or sent meanwhile");
    receiver.answerWith(answered(200));
    await read(await app.admin("PATCH", `${PATH}/${endpoint.id}`, { enabled: true, version: off.version }));
    await deliverAll();
    assert.deepEqual(receiver.types().slice(tries), ["order.placed", "order.canceled"]);
  });

  it("stops at once where the receiver says 410", async () => {
    receiver.answerWith(answered(410));
    await order(app, [{ productId }]);
    await deliverAll();
    assert.equal((await read<Endpoint>(await app.admin("GET", `${PATH}/${endpoint.id}`))).enabled, false);
  });

  it("is done once by several processes, and taken over from one that died", async () => {
    const other = await createTestShop({
      ...{ store: app.store, clock: app.clock, webhookOutbound: receiver.outbound, isShared: true },
    });
    for (let count = 0; count < 10; count += 1) await placeAndCancel();
    await Promise.all([deliverAll(), other.shop.webhookSender.deliver(), app.shop.webhookSender.deliver()]);
    await deliverAll();
    assert.equal(receiver.received.length, 20);
    assert.equal(new Set(receiver.received.map(({ id }) => id)).size, 20);
    const { send } = receiver.outbound;
    // The process dies between the claim and the answer.
    Object.assign(receiver.outbound, { send: () => new Promise(() => undefined) });
    await order(app, [{ productId }]);
    void app.shop.webhookSender.deliver();
    await new Promise((resolve) => setTimeout(resolve, 0));
    Object.assign(receiver.outbound, { send });
    await other.shop.webhookSender.deliver();
    assert.equal(receiver.received.length, 20, "claimed");
    app.clock.advance(61 * SECOND);
    await other.shop.webhookSender.deliver();
    assert.equal(receiver.received.length, 21);
  });

  it("signs with both secrets for a day after a rotation, and shows none again", async () => {
    const { secret: next } = await read<Endpoint>(
      await app.admin("POST", `${PATH}/${endpoint.id}/rotate-secret`),
    );
    assert.notEqual(next, endpoint.secret);
    await order(app, [{ productId }]);
    await deliverAll();
    const [first] = receiver.received;
    assert.ok(first !== undefined);
    assert.deepEqual([isGenuine(next, first), isGenuine(endpoint.secret, first)], [true, true]);
    app.clock.advance(DAY);
    await order(app, [{ productId }]);
    await deliverAll();
    assert.equal(receiver.received[1]?.request.headers?.["webhook-signature"]?.split(" ").length, 1);
    const answers = [await app.admin("GET", PATH), await app.admin("GET", `${PATH}/${endpoint.id}`)];
    for (const answer of answers) assert.doesNotMatch(await answer.text(), /whsec_/u);
    const { items } = await app.store.read((tx) => tx.list(webhookEndpoints, "id", { limit: 9 }));
    assert.doesNotMatch(JSON.stringify(items), /whsec_/u);
    const audit = await (await app.admin("GET", "/api/admin/audit")).text();
    assert.match(audit, /webhook\.rotate/u);
    assert.doesNotMatch(audit, /whsec_/u);
  });

  it("can be repeated by hand, and tried with an event of its own", async () => {
    await order(app, [{ productId }]);
    await deliverAll();
    const [sent] = await listLog(endpoint.id, "?state=sent");
    assert.ok(sent !== undefined);
    const path = `${PATH}/${endpoint.id}/deliveries/${sent.id}`;
    assert.match((await read<Delivery>(await app.admin("GET", path))).body ?? "", /order\.placed/u);
    assert.equal((await read<Delivery>(await app.admin("POST", `${path}/redeliver`))).state, "waiting");
    await deliverAll();
    assert.deepEqual(
      receiver.received.map(({ id }) => id),
      [sent.eventId, sent.eventId],
    );
    receiver.answerOnce(answered(500, "no"));
    const test = await read<Delivery>(await app.admin("POST", `${PATH}/${endpoint.id}/test`));
    assert.deepEqual([test.type, test.state, test.lastStatus], ["webhook.test", "failed", 500]);
    assert.equal(receiver.types().at(-1), "webhook.test");
    app.clock.advance(8 * DAY);
    assert.equal(await app.shop.webhookSender.sweep(), 2);
    assert.deepEqual(await listLog(endpoint.id), []);
    assert.deepEqual(await code(await app.admin("POST", `${path}/redeliver`)), [404, "not_found"]);
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
    const { id } = await addEndpoint();
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
    for (let count = 0; count < 20; count += 1) await addEndpoint();
    const body = { url: "https://example.org/", types: ["order.paid"] };
    assert.deepEqual(await code(await app.admin("POST", PATH, body)), [409, "conflict"]);
  });
});
