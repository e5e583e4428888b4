/** BEpusdt: orders, notices, questions and cancellations. The service is a stand-in. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bepusdt } from "../../../../src/shop/payments/providers/bepusdt.ts";
import { createBepusdtGateway, toBepusdtNotice } from "../gateways/bepusdt.ts";
import type { GatewayNotice } from "../gateways/gateway.ts";
import { md5Sign } from "../gateways/md5-signed.ts";
import {
  need,
  NOW,
  onlyNotice,
  ORDER_ID,
  TRADE_NUMBER,
  tryAdapter,
  type TrialOptions,
} from "./adapter-trial.ts";
import { isAppError, isFault, isWrongProof } from "./refusals.ts";

const trial = (change?: TrialOptions) => tryAdapter(bepusdt, createBepusdtGateway, change);
const oldTrial = () => tryAdapter(bepusdt, (options) => createBepusdtGateway(options, { isOld: true }));

const payment = { reference: "b3d2477c", orderId: TRADE_NUMBER, amount: 2_880, currency: "EUR" };

function toNotice(change: Record<string, unknown> = {}): GatewayNotice {
  const notice = toBepusdtNotice(payment, 2);
  const fields = { ...(JSON.parse(notice.body) as Record<string, unknown>), ...change };
  const signature = md5Sign(fields, "bepusdt-token-of-tests", ["signature"]);
  return { ...notice, body: JSON.stringify({ ...fields, signature }) };
}

describe("a payment by BEpusdt", () => {
  it("begins with a transaction of its own for each attempt", async () => {
    const { begin, gateway, sent } = trial();
    const start = await begin();
    const { reference } = start;
    assert.deepEqual(start, {
      kind: "redirect",
      url: `https://gateway.test/pay/checkout-counter/${reference}`,
      reference,
      state: { tradeNumber: TRADE_NUMBER },
      expiresAt: NOW + 900_000,
    });
    assert.deepEqual(await begin(), start, "the same request gives the same payment");
    await begin({ attempt: 2, amount: 1_000 });
    assert.deepEqual(
      gateway.payments.map(({ amount }) => amount),
      [2_880, 1_000],
    );
    const body = JSON.parse(sent[0]?.body ?? "") as Record<string, unknown>;
    const { amount, fiat, trade_type: type, timeout } = body;
    assert.deepEqual(
      { amount, fiat, type, timeout },
      { amount: 28.8, fiat: "EUR", type: "usdt.trc20", timeout: 900 },
    );
  });

  it("lets the buyer choose the coin, and waits no shorter and no longer than the service can", async () => {
    const { begin, sent } = trial({ options: { tradeType: "" } });
    await begin({ expiresAt: NOW + 1_000 });
    await begin({ expiresAt: NOW + 86_400_000 });
    assert.ok(sent.every(({ url }) => url.endsWith("/api/v1/order/create-order")));
    assert.deepEqual(
      sent.map(({ body }) => (JSON.parse(body ?? "") as { timeout: number }).timeout),
      [180, 3_600],
    );
  });

  it("says what the service complains of", async () => {
    await assert.rejects(
      trial({ credentials: { token: "another-token-of-tests" } }).begin(),
      isFault("refused", "signature"),
    );
    await assert.rejects(trial().begin({ currency: "CNY" }), isFault("refused", "currency"));
    const down = trial({ answer: () => new Response("away", { status: 503 }) });
    await assert.rejects(down.begin(), isFault("unavailable"));
  });

  it("is ended when it is no longer wanted; a paid one is not", async () => {
    const { setup, tools, begin, gateway } = trial();
    const start = { orderId: ORDER_ID, state: {}, ...(await begin()) };
    await need(bepusdt.cancel)(setup, start, tools);
    assert.equal(gateway.payments[0]?.isCanceled, true);
    await assert.rejects(async () => need(bepusdt.cancel)(setup, start, tools), isFault("refused"));
    await need(bepusdt.cancel)(setup, { ...start, reference: "" }, tools);
  });
});

describe("a notice of BEpusdt", () => {
  it("says what the buyer owed in the shop's money, not in coins", async () => {
    const reading = await trial().read(toNotice());
    assert.deepEqual(onlyNotice(reading), {
      eventId: "b3d2477c:payment",
      reference: "b3d2477c",
      orderId: ORDER_ID,
      type: "payment",
      amount: 2_880,
      currency: "EUR",
      state: { tradeNumber: TRADE_NUMBER },
    });
    assert.deepEqual([reading.verified, reading.answer?.body], ["signature", "ok"]);
    const success = await trial({ options: { answer: "success" } }).read(toNotice());
    assert.equal(success.answer?.body, "success");
  });

  it("counts in the digits of the currency", async () => {
    const { read } = trial({ options: { fiat: "JPY" } });
    assert.equal(onlyNotice(await read(toNotice({ amount: 500 }))).amount, 500);
    await assert.rejects(read(toNotice({ amount: 28.8 })), isAppError("invalid"));
  });

  it("each minute while the buyer waits is nothing for the books, one of an expiry is a failure", async () => {
    assert.deepEqual((await trial().read(toBepusdtNotice(payment, 1))).notices, []);
    assert.equal(onlyNotice(await trial().read(toBepusdtNotice(payment, 3))).type, "failed");
    for (const status of [4, 5, 6, "x"])
      assert.deepEqual((await trial().read(toNotice({ status }))).notices, []);
  });

  it("is refused without the right signature", async () => {
    const { gateway, read } = trial();
    await assert.rejects(read(gateway.forge(toNotice())), isWrongProof);
    const more = toNotice();
    await assert.rejects(read({ ...more, body: more.body.replace("28.8", "28.9") }), isWrongProof);
    const bare = { ...more, body: more.body.replace(/,"signature":"\w+"/u, "") };
    await assert.rejects(read(bare), isAppError("unauthenticated"));
  });

  it("is refused when it is no JSON, is nested, lacks members, or has an amount that is none", async () => {
    const { read } = trial();
    for (const body of ["", "{", "[]", '{"a":{}}', "a=1"])
      await assert.rejects(read({ ...toNotice(), body }), isAppError("bad_request"), body);
    for (const name of ["order_id", "trade_id"])
      await assert.rejects(read(toNotice({ [name]: "" })), isAppError("invalid"), name);
    for (const amount of ["", 1.001, 1e21, -1])
      await assert.rejects(read(toNotice({ amount })), isAppError("invalid"));
    await assert.rejects(read(toNotice({ trade_id: "9".repeat(60_000) })), isAppError("invalid"));
  });
});

describe("BEpusdt when it is queried", () => {
  for (const [name, start] of [
    ["by versions of 2026", trial],
    ["by older versions", oldTrial],
  ] as const)
    it(`says ${name} that an order waits, was paid, or is over`, async () => {
      const { ask, begin, gateway, read, setup, tools } = start();
      const begun = await begin();
      assert.deepEqual(await ask(begun), { kind: "unpaid", isOver: false });
      const [first] = gateway.payments;
      assert.ok(first !== undefined);
      const said = onlyNotice(await read(await gateway.pay(first)));
      assert.deepEqual(await ask(begun), { kind: "notices", notices: [said] });
      first.isPaid = false;
      await need(bepusdt.cancel)(setup, { orderId: ORDER_ID, state: {}, reference: first.reference }, tools);
      assert.deepEqual(await ask(begun), { kind: "unpaid", isOver: true });
      assert.deepEqual(await ask({ reference: "" }), { kind: "unpaid", isOver: false });
    });

  it("is not taken for an answer about another order", async () => {
    const data = { order_id: "other", status: 2, money: "28.8", fiat: "EUR" };
    const other = trial({ answer: () => Response.json({ status_code: 200, data }) });
    await assert.rejects(other.ask({ reference: "1" }), isFault("refused", "order"));
  });
});
