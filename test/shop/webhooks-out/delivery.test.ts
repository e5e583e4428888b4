/** What becomes of events on their way: order, tries, several processes, secrets, and the log. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { webhookEndpoints } from "../../../src/shop/webhooks-out/records.ts";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";
import { addProduct, order } from "../goods.ts";
import { answered, isGenuine } from "./receiver.ts";
import {
  type Delivery,
  type Endpoint,
  PATH,
  addEndpoint,
  createHookedShop,
  deliverAll,
  listLog,
  readEndpoint,
} from "./webhooks-fixture.ts";

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

let app: TestShop;
let receiver: Awaited<ReturnType<typeof createHookedShop>>["receiver"];
beforeEach(async () => {
  ({ app, receiver } = await createHookedShop());
});

describe("the delivery to an endpoint", () => {
  let endpoint: Endpoint;
  let productId: string;
  beforeEach(async () => {
    endpoint = await addEndpoint(app, { types: ["order.placed", "order.canceled"] });
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
    await deliverAll(app);
    assert.deepEqual(receiver.types(), ["order.placed"], "an endpoint that fails gets one try");
    await deliverAll(app);
    assert.equal(receiver.received.length, 1);
    const [latest, first] = await listLog(app, endpoint.id);
    assert.deepEqual([first?.lastStatus, first?.lastAnswer, first?.state], [503, "busy ", "waiting"]);
    assert.deepEqual([latest?.type, latest?.attempts], ["order.canceled", 0]);
    assert.ok((await readEndpoint(app, endpoint.id)).failingSince);
    receiver.answerWith(answered(204));
    app.clock.advance(30 * SECOND);
    await deliverAll(app);
    assert.deepEqual(
      receiver.received.map(({ type, id: eventId }) => [type, eventId === receiver.received[0]?.id]),
      [
        ["order.placed", true],
        ["order.placed", true],
        ["order.canceled", false],
      ],
    );
    assert.ok(receiver.received.every(({ data }) => data.order?.id === id));
    const { failingSince } = await readEndpoint(app, endpoint.id);
    assert.equal(failingSince, undefined);
  });

  it("holds up only the order whose message is refused, and one bad endpoint no other", async () => {
    await addEndpoint(app, { url: "https://other.example.org/", types: ["order.placed"] });
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
      await deliverAll(app);
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
      await deliverAll(app);
      app.clock.advance(2 * HOUR);
    }
    assert.deepEqual(seen("erp", bad), ["order.placed", "order.canceled"], "given up after three days");
    const failed = await listLog(app, endpoint.id, "?state=failed");
    assert.deepEqual(
      failed.map(({ type, lastError }) => [type, lastError]),
      [
        ["order.canceled", "The endpoint responded with status 422"],
        ["order.placed", "The endpoint responded with status 422"],
      ],
    );
  });

  it("switches an endpoint off that takes nothing for five days, tells the owner, and goes on after that", async () => {
    await app.setSmtp({ adminAddress: "owner@example.org" });
    receiver.answerWith({ kind: "failed", reason: '"erp.example.org" refused the connection' });
    await order(app, [{ productId }]);
    for (let hour = 0; hour < 130; hour += 1) {
      await deliverAll(app);
      if (hour === 71) await placeAndCancel();
      app.clock.advance(HOUR);
    }
    const tries = receiver.received.length;
    assert.ok(tries > 95 && tries < 135, `${tries} tries`);
    const off = await readEndpoint(app, endpoint.id);
    assert.deepEqual([off.enabled, off.offReason], [false, '"erp.example.org" refused the connection']);
    const [mail] = await app.mails("owner@example.org");
    assert.match(mail?.subject ?? "", /webhook to erp\.example\.org was disabled/u);
    await order(app, [{ productId }]);
    await deliverAll(app);
    assert.equal(receiver.received.length, tries, "nothing is written or sent meanwhile");
    receiver.answerWith(answered(200));
    await read(await app.admin("PATCH", `${PATH}/${endpoint.id}`, { enabled: true, version: off.version }));
    await deliverAll(app);
    assert.deepEqual(receiver.types().slice(tries), ["order.placed", "order.canceled"]);
  });

  describe("after an outage", () => {
    const MINUTE = 60 * SECOND;
    const timedOut = { kind: "failed", reason: "No response within 10 s", wasSent: true } as const;

    /** An hour in which the endpoint fails, with an order every ten minutes. */
    async function fail(answer: Parameters<typeof receiver.answerWith>[0]): Promise<void> {
      receiver.answerWith(answer);
      for (let minute = 0; minute < 60; minute += 1) {
        if (minute % 10 === 0) await order(app, [{ productId }]);
        await deliverAll(app);
        app.clock.advance(MINUTE);
      }
    }

    for (const [what, answer] of [
      ["does not answer", timedOut],
      ["cannot be reached", { kind: "failed", reason: "refused" } as const],
      ["stands behind a proxy that answers 502", answered(502)],
    ] as const) {
      it(`sends everything within a minute of the end: ${what}`, async () => {
        await fail(answer);
        const tries = receiver.received.length;
        assert.ok(tries >= 55 && tries <= 65, `one attempt a minute, not ${tries}`);
        assert.ok((await readEndpoint(app, endpoint.id)).nextAttemptAt);
        receiver.answerWith(answered(200));
        app.clock.advance(MINUTE);
        await deliverAll(app);
        const told = new Set(receiver.received.slice(tries).map(({ data }) => data.order?.id));
        assert.equal(told.size, 6);
        const { failingSince, nextAttemptAt } = await readEndpoint(app, endpoint.id);
        assert.deepEqual([failingSince, nextAttemptAt], [undefined, undefined]);
      });
    }

    it("sends everything with the first success where the receiver rejected every message", async () => {
      await fail(answered(500));
      const tries = receiver.received.length;
      receiver.answerWith(answered(200));
      await order(app, [{ productId }]);
      app.clock.advance(MINUTE);
      await deliverAll(app);
      await deliverAll(app);
      assert.equal(new Set(receiver.received.slice(tries).map(({ data }) => data.order?.id)).size, 7);
    });

    it("is resumed by hand at once", async () => {
      await fail(answered(500));
      const tries = receiver.received.length;
      receiver.answerWith(answered(200));
      const resumed = await read<Endpoint>(await app.admin("POST", `${PATH}/${endpoint.id}/resume`));
      assert.equal(resumed.failingSince, undefined);
      await deliverAll(app);
      assert.equal(receiver.received.length - tries, 6);
      await read(await app.admin("PATCH", `${PATH}/${endpoint.id}`, { enabled: false }));
      assert.deepEqual(await code(await app.admin("POST", `${PATH}/${endpoint.id}/resume`)), [
        409,
        "conflict",
      ]);
      assert.deepEqual(await code(await app.admin("POST", `${PATH}/whe_none/resume`)), [404, "not_found"]);
    });

    it("sends a message again by hand although an earlier one of its order waits", async () => {
      receiver.answerWith(answered(500));
      await placeAndCancel();
      for (let round = 0; round < 6; round += 1) {
        await deliverAll(app);
        app.clock.advance(10 * MINUTE);
      }
      await deliverAll(app);
      const tries = receiver.received.length;
      receiver.answerWith(answered(200));
      const [canceled] = await listLog(app, endpoint.id);
      assert.equal(canceled?.type, "order.canceled");
      await read(
        await app.admin("POST", `${PATH}/${endpoint.id}/deliveries/${canceled?.id ?? ""}/redeliver`),
      );
      await deliverAll(app);
      assert.deepEqual(receiver.types().slice(tries), ["order.placed", "order.canceled"]);
    });
  });

  it("stops at once where the receiver says 410", async () => {
    receiver.answerWith(answered(410));
    await order(app, [{ productId }]);
    await deliverAll(app);
    assert.equal((await readEndpoint(app, endpoint.id)).enabled, false);
  });

  it("is done once by several processes, and taken over from one that died", async () => {
    const other = await createTestShop({
      store: app.store,
      clock: app.clock,
      webhookOutbound: receiver.outbound,
      isShared: true,
    });
    for (let count = 0; count < 10; count += 1) await placeAndCancel();
    await Promise.all([
      deliverAll(app),
      other.shop.webhookSender.deliver(),
      app.shop.webhookSender.deliver(),
    ]);
    await deliverAll(app);
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
    await deliverAll(app);
    const [first] = receiver.received;
    assert.ok(first !== undefined);
    assert.deepEqual([isGenuine(next, first), isGenuine(endpoint.secret, first)], [true, true]);
    app.clock.advance(DAY);
    await order(app, [{ productId }]);
    await deliverAll(app);
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
    await deliverAll(app);
    const [sent] = await listLog(app, endpoint.id, "?state=sent");
    assert.ok(sent !== undefined);
    const path = `${PATH}/${endpoint.id}/deliveries/${sent.id}`;
    assert.match((await read<Delivery>(await app.admin("GET", path))).body ?? "", /order\.placed/u);
    assert.equal((await read<Delivery>(await app.admin("POST", `${path}/redeliver`))).state, "waiting");
    await deliverAll(app);
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
    assert.deepEqual(await listLog(app, endpoint.id), []);
    assert.deepEqual(await code(await app.admin("POST", `${path}/redeliver`)), [404, "not_found"]);
  });
});
