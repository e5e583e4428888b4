/** Payment notices from outside: proofs, repeats, and what each kind does to its order. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { signWebhook } from "../../../src/kit/secrets/webhook-signature.ts";
import { orders } from "../../../src/shop/orders/records.ts";
import { stock } from "../../../src/shop/products/records.ts";
import type { OrderRecord } from "../../../src/shop/orders/schema.ts";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";
import { addProduct, order, sendNotice, setProvider, toNotice, WEBHOOK_SECRET } from "../goods.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let app: TestShop;
let placed: OrderRecord;

beforeEach(async () => {
  app = await createTestShop();
  await setProvider(app);
  const { id } = await addProduct(app, { onHand: 3 });
  placed = (await order(app, [{ productId: id, quantity: 2 }])).order;
});

async function find(): Promise<OrderRecord> {
  return (await app.store.read((tx) => tx.get(orders, placed.id))) ?? assert.fail("the order is gone");
}

/** What became of a notice, and the order's state after it. */
async function notify(data: Record<string, unknown> = {}): Promise<string> {
  const response = await sendNotice(app, toNotice(placed, data));
  const { result }: { result: string } = await response.json();
  const { status, paymentStatus, attention } = await find();
  return [response.status, result, status, paymentStatus, ...attention].join(" ");
}

describe("the proof of a notice", () => {
  const send = (headers: Record<string, string>): Promise<Response> =>
    sendNotice(app, toNotice(placed), headers);

  it("is the secret of the provider", async () => {
    assert.deepEqual(await code(await send({})), [401, "unauthenticated"]);
    assert.deepEqual(await code(await send({ "x-webhook-secret": `${WEBHOOK_SECRET}x` })), [
      401,
      "unauthenticated",
    ]);
    assert.equal((await find()).status, "pending_payment");
    assert.equal((await send({ "x-webhook-secret": WEBHOOK_SECRET })).status, 200);
  });

  it("or a signature of these bytes that is at most five minutes old or ahead", async () => {
    const body = JSON.stringify(toNotice(placed));
    const sign = (atMs: number, signed = body, secret = WEBHOOK_SECRET): Promise<Response> => {
      const timestamp = String(Math.floor(atMs / 1_000));
      const signature = signWebhook(secret, { id: "evt_1", timestamp, body: signed });
      return app.fetch("/api/webhooks/test-pay", {
        method: "POST",
        body,
        headers: {
          "content-type": "application/json",
          "webhook-id": "evt_1",
          "webhook-timestamp": timestamp,
          "webhook-signature": `v1,bm90IGl0 ${signature}`,
        },
      });
    };
    const now = app.clock.now();
    for (const response of [
      await sign(now, `${body} `),
      await sign(now, body, "another secret of somebody"),
      await sign(now - 301_000),
      await sign(now + 302_000),
    ])
      assert.deepEqual(await code(response), [401, "unauthenticated"]);
    assert.equal((await find()).status, "pending_payment");
    assert.equal((await sign(now - 299_000)).status, 200);
    assert.equal((await find()).status, "paid");
  });

  it("is not needed where the settings say so; the order is flagged", async () => {
    await setProvider(app, { secret: "", requireWebhookSecret: false });
    assert.equal((await send({})).status, 200);
    const { status, attention } = await find();
    assert.deepEqual([status, attention], ["paid", ["unverified_notice"]]);
  });

  it("is required without a secret, unless the settings say otherwise", async () => {
    await setProvider(app, { secret: "", requireWebhookSecret: true });
    assert.deepEqual(await code(await send({})), [401, "unauthenticated"]);
  });
});

describe("the address for notices", () => {
  it("has -pay in the document, so that a client fills in the provider's word alone", async () => {
    const { paths } = await read<{ paths: object }>(await app.fetch("/openapi.json"));
    const listed = Object.keys(paths).filter((path) => path.startsWith("/api/webhooks/"));
    assert.deepEqual(listed, ["/api/webhooks/{provider}-pay", "/api/webhooks/test-pay"]);
    const [template = ""] = listed;
    const response = await app.fetch(template.replace("{provider}", "test"), {
      method: "POST",
      body: JSON.stringify(toNotice(placed)),
      headers: { "content-type": "application/json", "x-webhook-secret": WEBHOOK_SECRET },
    });
    assert.equal(response.status, 200);
    assert.equal((await find()).paymentStatus, "paid");
  });

  it("has a path of its own in the document for each provider that is switched on", async () => {
    const list = async (): Promise<[string[], string]> => {
      const response = await app.fetch("/openapi.json");
      const etag = response.headers.get("etag") ?? "";
      const { paths } = await read<{ paths: Record<string, Record<string, { operationId: string }>> }>(
        response,
      );
      const item = paths["/api/webhooks/test-pay"] ?? {};
      return [Object.values(item).map(({ operationId }) => operationId), etag];
    };
    const [ids, etag] = await list();
    assert.deepEqual(ids.toSorted(), ["receivePaymentNoticeByGetTest", "receivePaymentNoticeTest"]);
    assert.equal((await list())[1], etag);
    await app.setSite({ paymentProviders: [] });
    const [none, other] = await list();
    assert.deepEqual([none, other === etag], [[], false]);
  });

  it("is described by the descriptor, and accepts any query that a provider adds", async () => {
    const { endpoints } = await read<{ endpoints: { webhooks: string } }>(await app.fetch("/api"));
    assert.match(endpoints.webhooks, /^POST\|GET \/api\/webhooks\/:provider-pay; /u);
    const asked = await app.send("POST", "/api/webhooks/test-pay?x=1", {
      body: toNotice(placed),
      headers: { "x-webhook-secret": WEBHOOK_SECRET },
    });
    assert.equal(asked.status, 200);
  });

  it("takes the shop's own notices by POST alone", async () => {
    const response = await app.fetch("/api/webhooks/test-pay?x=1");
    assert.equal(response.headers.get("allow"), "POST");
    assert.deepEqual(await code(response), [405, "method_not_allowed"]);
    assert.deepEqual(await code(await app.fetch("/api/webhooks/nobody-pay")), [404, "not_found"]);
  });
});

describe("a notice that cannot be taken", () => {
  const post = (path: string, body: string, type = "application/json"): Promise<Response> =>
    app.fetch(path, {
      method: "POST",
      body,
      headers: { "content-type": type, "x-webhook-secret": WEBHOOK_SECRET },
    });

  it("is of no provider", async () => {
    for (const path of ["nobody-pay", "test", "Test-pay", "generic-pay"])
      assert.deepEqual(await code(await post(`/api/webhooks/${path}`, "{}")), [404, "not_found"], path);
    await setProvider(app, { enabled: false });
    assert.deepEqual(await code(await post("/api/webhooks/test-pay", "{}")), [404, "not_found"]);
  });

  it("is malformed, too large or of another type", async () => {
    const path = "/api/webhooks/test-pay";
    assert.deepEqual(await code(await post(path, "{")), [400, "bad_request"]);
    assert.deepEqual(await code(await post(path, "{}")), [422, "invalid"]);
    const huge = JSON.stringify({ ...toNotice(placed), filler: "x".repeat(65_536) });
    assert.deepEqual(await code(await post(path, huge)), [413, "too_large"]);
    assert.deepEqual(await code(await post(path, "{}", "text/plain")), [415, "unsupported_media_type"]);
    for (const data of [{ amount: 1.5 }, { amount: -1 }, { currency: "EURO" }, { status: "won" }, { id: "" }])
      assert.deepEqual(await code(await sendNotice(app, toNotice(placed, data))), [422, "invalid"]);
    assert.equal((await find()).status, "pending_payment");
  });
});

describe("a payment", () => {
  it("of the right amount makes the order paid, and its units leave", async () => {
    assert.equal(await notify(), "200 applied paid paid");
    const record = await app.store.read((tx) => tx.get(stock, placed.lines[0]?.stockId ?? ""));
    assert.deepEqual([record?.onHand, record?.reserved, record?.sold], [1, 0, 2]);
    assert.equal((await find()).amountPaid, 2_000);
  });

  it("is taken in the flat form, and by the order's number", async () => {
    const { data } = toNotice(placed, { orderId: placed.number.toLowerCase() }) as { data: object };
    assert.equal((await sendNotice(app, data)).status, 200);
    assert.equal((await find()).status, "paid");
  });

  it("that comes again, at once or later, changes nothing", async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => sendNotice(app, toNotice(placed))));
    assert.deepEqual(new Set(all.map(({ status }) => status)), new Set([200]));
    const results = await Promise.all(all.map((response): Promise<{ result: string }> => response.json()));
    assert.equal(results.filter(({ result }) => result === "applied").length, 1);
    assert.equal(results.filter(({ result }) => result === "duplicate").length, 49);
    assert.equal((await find()).amountPaid, 2_000);
    const kinds = (await app.mails("ann@example.org")).map(({ kind }) => kind);
    assert.deepEqual(
      kinds.filter((kind) => kind !== "order_placed"),
      ["order_paid"],
    );
    assert.equal(await notify(), "200 duplicate paid paid");
  });

  it("whose reference comes with another amount is kept for a person", async () => {
    await notify();
    assert.equal(await notify({ amount: 1_999 }), "200 needs_review paid paid");
    assert.equal((await find()).amountPaid, 2_000);
  });

  it("that is short leaves the order waiting until the rest comes", async () => {
    assert.equal(await notify({ amount: 1_500 }), "200 applied pending_payment partial underpaid");
    assert.equal(await notify({ id: "rest", amount: 500 }), "200 applied paid paid");
  });

  it("that is too much is applied and flagged", async () => {
    assert.equal(await notify({ amount: 2_500 }), "200 applied paid overpaid overpaid");
  });

  it("of an order that was paid already is kept for a person", async () => {
    await notify();
    assert.equal(await notify({ id: "second" }), "200 needs_review paid paid duplicate_payment");
    assert.equal((await find()).amountPaid, 2_000);
  });

  it("in another currency is kept for a person", async () => {
    assert.equal(
      await notify({ currency: "USD" }),
      "200 needs_review pending_payment unpaid currency_mismatch",
    );
  });

  it("of an order that there is not is kept and answered 202", async () => {
    const response = await sendNotice(app, toNotice(placed, { orderId: "ord_none" }));
    assert.equal(response.status, 202);
    const page = await read<{ items: unknown[] }>(
      await app.admin("GET", "/api/admin/orders/payments?open=true"),
    );
    assert.equal(page.items.length, 1);
  });

  it("is found by its order, its state, and whether it waits for a person, and by all of them", async () => {
    await notify();
    await notify({ id: "second" });
    await sendNotice(app, toNotice(placed, { orderId: "ord_none", id: "third" }));
    const { id } = placed;
    const list = async (query: string): Promise<string[]> => {
      const answer = await app.admin("GET", `/api/admin/orders/payments?${query}`);
      const { items } = await read<{ items: { state: string }[] }>(answer);
      return items.map(({ state }) => state);
    };
    assert.deepEqual(await list(`orderId=${id}`), ["needs_review", "applied"]);
    assert.deepEqual(await list(`orderId=${id}&open=true`), ["needs_review"]);
    assert.deepEqual(await list(`orderId=${id}&state=applied&limit=1`), ["applied"]);
    assert.deepEqual(await list("open=true"), ["unmatched", "needs_review"]);
    assert.deepEqual(await list("open=true&state=unmatched"), ["unmatched"]);
    assert.deepEqual(await list(`orderId=${id}&state=unmatched`), []);
  });

  it("that is only announced, or failed, is written down and changes nothing", async () => {
    assert.equal(await notify({ status: "pending" }), "200 applied pending_payment unpaid");
    assert.equal(await notify({ status: "failed" }), "200 applied pending_payment unpaid");
    assert.equal(await notify(), "200 applied paid paid");
    const events = (await find()).history.map(({ event }) => event);
    assert.deepEqual(events, ["placed", "payment_pending", "payment_failed", "payment", "pay"]);
  });
});

describe("a late payment", () => {
  async function expire(): Promise<void> {
    app.clock.advance(15 * MINUTE);
    assert.equal(await app.shop.orderJobs.expire(), 1);
    assert.equal((await find()).status, "expired");
  }

  it("within twelve hours takes the units again", async () => {
    await expire();
    app.clock.advance(12 * HOUR);
    assert.equal(await notify(), "200 applied paid paid");
  });

  it("after twelve hours is kept for a person, who can give it to the order", async () => {
    await expire();
    app.clock.advance(12 * HOUR + 1);
    assert.equal(await notify(), "200 needs_review expired unpaid late_payment");
    const path = "/api/admin/orders/payments";
    const { items } = await read<{ items: { id: string }[] }>(await app.admin("GET", `${path}?open=true`));
    const id = items[0]?.id ?? "";
    await read(await app.admin("POST", `${path}/${id}/assign`, { orderId: placed.id }));
    const { status, attention, amountPaid } = await find();
    assert.deepEqual([status, attention, amountPaid], ["paid", [], 2_000]);
    assert.deepEqual(await code(await app.admin("POST", `${path}/${id}/dismiss`, {})), [409, "conflict"]);
  });

  it("with nothing left is kept for a person", async () => {
    await expire();
    const productId = placed.lines[0]?.productId ?? "";
    await order(app, [{ productId, quantity: 2 }], { email: "bob@example.org" });
    assert.equal(await notify(), "200 needs_review expired unpaid late_payment stock_shortfall");
    const record = await app.store.read((tx) => tx.get(stock, productId));
    assert.deepEqual([record?.onHand, record?.reserved], [3, 2]);
  });

  it("of a canceled order is kept for a person", async () => {
    await app.shop.orders.cancel(placed.id, { isAdmin: true });
    assert.equal(await notify(), "200 needs_review canceled unpaid paid_after_cancel");
  });
});

describe("money that goes back", () => {
  it("is known from what was paid; more than that is kept for a person", async () => {
    await notify();
    assert.equal(
      await notify({ id: "r1", status: "refunded", amount: 500 }),
      "200 applied paid partially_refunded",
    );
    assert.equal(
      await notify({ id: "r2", status: "refunded", amount: 1_501 }),
      "200 needs_review paid partially_refunded",
    );
    assert.equal(await notify({ id: "r3", status: "refunded", amount: 1_500 }), "200 applied paid refunded");
    assert.deepEqual([(await find()).amountPaid, (await find()).amountRefunded], [0, 2_000]);
  });

  it("by a chargeback is flagged", async () => {
    await notify();
    assert.equal(await notify({ status: "chargeback" }), "200 applied paid refunded chargeback");
  });
});

describe("looking again at a notice", () => {
  it("says what would happen, and leaves nothing, as a trial", async () => {
    await notify({ currency: "USD" });
    const path = "/api/admin/orders/payments";
    const { items } = await read<{ items: { id: string }[] }>(await app.admin("GET", path));
    const id = items[0]?.id ?? "";
    const before = await find();
    const trial = await read<{ notice: { state: string } }>(
      await app.admin("POST", `${path}/${id}/replay?dryRun=true`),
    );
    assert.equal(trial.notice.state, "needs_review");
    assert.deepEqual(await find(), before);
  });

  it("does not apply twice what is applied", async () => {
    await notify();
    const path = "/api/admin/orders/payments";
    const { items } = await read<{ items: { id: string }[] }>(await app.admin("GET", path));
    assert.deepEqual(await code(await app.admin("POST", `${path}/${items[0]?.id ?? ""}/replay`)), [
      409,
      "conflict",
    ]);
  });
});
