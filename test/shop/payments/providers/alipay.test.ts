/** Alipay: payments, notices, questions and refunds. The gateway is a stand-in. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  findNode,
  parseBeijingTime,
  toBeijingTime,
} from "../../../../src/shop/payments/providers/alipay-api.ts";
import { alipay } from "../../../../src/shop/payments/providers/alipay.ts";
import { createAlipayGateway, toAlipayAnswer, toAlipayNotice } from "../gateways/alipay.ts";
import type { GatewayNotice } from "../gateways/gateway.ts";
import { ownPublicKey } from "../gateways/rsa-pairs.ts";
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

const trial = (change?: TrialOptions) => tryAdapter(alipay, createAlipayGateway, change);

const payment = {
  reference: "2026112122001003330212345678",
  orderId: TRADE_NUMBER,
  amount: 2_880,
  currency: "CNY",
  isPaid: true,
  isCanceled: false,
  refunded: 0,
};
const fields = createAlipayGateway({ origin: "https://gateway.test", now: () => NOW }).toFields(payment);
const toNotice = (change: Record<string, string> = {}): GatewayNotice =>
  toAlipayNotice({ ...fields, ...change });

const answers = (node: Record<string, unknown>, method = "alipay.trade.query") =>
  trial({ answer: () => new Response(toAlipayAnswer(method, node)) });

describe("a payment by Alipay", () => {
  it("begins on a page of Alipay's", async () => {
    const start = await trial({ options: { product: "page" } }).begin();
    assert.ok(start.kind === "redirect");
    const { origin, searchParams } = new URL(start.url);
    assert.equal(origin, "https://gateway.test");
    assert.deepEqual(JSON.parse(searchParams.get("biz_content") ?? ""), {
      out_trade_no: TRADE_NUMBER,
      total_amount: "28.80",
      subject: "Order 261121-7KQ4MP at Ada’s shop",
      time_expire: "2026-11-21 17:15:00",
      product_code: "FAST_INSTANT_TRADE_PAY",
    });
    assert.equal(searchParams.get("timestamp"), "2026-11-21 17:00:00");
    assert.deepEqual([start.reference, start.state], ["", { tradeNumber: TRADE_NUMBER }]);
  });

  it("begins with a QR code, the same for the same request", async () => {
    const { begin, gateway } = trial();
    const start = await begin();
    assert.ok(start.kind === "qr" && start.text.startsWith("https://qr.alipay.com/"));
    assert.deepEqual(await begin(), start);
    await begin({ attempt: 2 });
    assert.equal(gateway.payments.length, 2);
  });

  it("says what Alipay complains of", async () => {
    await assert.rejects(
      trial({ options: { appId: "2021000000000000" } }).begin(),
      isFault("refused", "merchant"),
    );
    const wrongKey = trial({ credentials: { alipayPublicKey: ownPublicKey } });
    await assert.rejects(wrongKey.begin(), isFault("refused", "signature", /Alipay public key/u));
    const busy = answers({ code: "20000", sub_code: "isp.unknow-error" }, "alipay.trade.precreate");
    await assert.rejects(busy.begin(), isFault("unavailable"));
    const late = answers({ code: "40002", sub_code: "isv.invalid-timestamp" }, "alipay.trade.precreate");
    await assert.rejects(late.begin(), isFault("refused", "clock"));
    await assert.rejects(trial().begin({ currency: "EUR" }), isFault("refused", "currency"));
    const html = trial({ answer: () => new Response("<html>") });
    await assert.rejects(html.begin(), isFault("unavailable", "url"));
  });

  it("takes no answer without a right signature", async () => {
    const real = toAlipayAnswer("alipay.trade.query", { code: "10000", out_trade_no: TRADE_NUMBER });
    for (const text of [
      real.replace("10000", "10001"),
      real.replace(/"sign":"..../u, '"sign":"AAAA'),
      real.replace(TRADE_NUMBER, "other"),
    ]) {
      const { ask } = trial({ answer: () => new Response(text) });
      await assert.rejects(ask({ reference: "" }), isFault("refused", "signature"));
    }
    const bare = trial({ answer: () => new Response(real.replace(/,"sign":"[^"]*"/u, "")) });
    await assert.rejects(bare.ask({ reference: "" }), isFault("unavailable", "url"));
    const error = { error_response: { code: "40002", sub_code: "isv.invalid-signature", msg: "x" } };
    const unsigned = trial({ answer: () => Response.json(error) });
    await assert.rejects(unsigned.ask({ reference: "" }), isFault("refused", "signature"));
  });

  it("finds the text that is signed, whatever it contains", () => {
    const node = String.raw`{"a":"}\"{","b":{"c":"\\"},"sign":"x"}`;
    assert.equal(findNode(`{"x_response": ${node},"sign":"y"}`, "x_response"), node);
    for (const text of [
      "",
      "{}",
      '{"x_response":"{}"}',
      '{"x_response":[{}]}',
      '{"sign":"x_response"}',
      '{"x":{}}',
    ])
      assert.equal(findNode(text, "x_response"), undefined, text);
  });

  it("is closed when it is no longer wanted", async () => {
    const { setup, tools, begin, gateway } = trial();
    const start = { orderId: ORDER_ID, reference: "", state: { tradeNumber: TRADE_NUMBER } };
    const cancel = async (): Promise<void> => need(alipay.cancel)(setup, start, tools);
    await cancel();
    await begin();
    await cancel();
    assert.equal(gateway.payments[0]?.isCanceled, true);
    const [first] = gateway.payments;
    assert.ok(first !== undefined);
    first.isPaid = true;
    await assert.rejects(cancel(), isFault("refused", "order"));
  });
});

describe("a notice of Alipay", () => {
  it("is proved, says when the buyer paid, and is answered with success", async () => {
    const reading = await trial().read(toNotice());
    assert.deepEqual(onlyNotice(reading), {
      eventId: `${payment.reference}:paid`,
      reference: payment.reference,
      orderId: ORDER_ID,
      type: "payment",
      amount: 2_880,
      currency: "CNY",
      paidAt: Date.UTC(2026, 10, 21, 9, 5),
      state: { tradeNumber: TRADE_NUMBER },
    });
    assert.deepEqual(
      [reading.verified, reading.mustAsk, reading.answer?.body],
      ["signature", undefined, "success"],
    );
    const finished = await trial().read(toNotice({ trade_status: "TRADE_FINISHED" }));
    assert.deepEqual(finished, reading, "the end of the time for refunds is no second payment");
  });

  it("of any other status is nothing for the books, or a failure", async () => {
    assert.deepEqual((await trial().read(toNotice({ trade_status: "WAIT_BUYER_PAY" }))).notices, []);
    const closed = onlyNotice(
      await trial().read(toNotice({ trade_status: "TRADE_CLOSED", gmt_payment: "" })),
    );
    assert.deepEqual([closed.type, closed.paidAt], ["failed", undefined]);
  });

  it("of a refund tells this refund's amount, not the sum of all", async () => {
    const { gateway, place, read } = trial();
    const begun = await place();
    await gateway.pay(begun);
    const told = [];
    for (const amount of [1_000, 500, 1_380]) {
      const refund = onlyNotice(await read(await need(gateway.refund)(begun, amount)));
      assert.equal(refund.type, "refund");
      told.push({ amount: refund.amount, reference: refund.reference });
    }
    assert.deepEqual(told, [
      { amount: 1_000, reference: `${begun.reference}:portal0` },
      { amount: 500, reference: `${begun.reference}:portal1` },
      { amount: 1_380, reference: `${begun.reference}:portal2` },
    ]);
  });

  it("of a refund that Alipay does not know by a number is kept with the sum under one reference", async () => {
    const { read, place } = trial();
    const { reference } = await place();
    const change = { trade_no: reference, gmt_refund: "2026-11-21 18:00:00", refund_fee: "5.00" };
    const refund = onlyNotice(await read(toNotice(change)));
    assert.deepEqual([refund.amount, refund.reference], [500, `${reference}:refunds`]);
  });

  it("of a refund waits until Alipay can be queried", async () => {
    const { read } = trial({ answer: () => new Response("away", { status: 502 }) });
    const notice = toNotice({ gmt_refund: "2026-11-21 18:00:00", refund_fee: "5.00" });
    await assert.rejects(read(notice), isAppError("unavailable"));
  });

  it("is refused without the right signature", async () => {
    const { gateway, read } = trial();
    await assert.rejects(read(gateway.forge(toNotice())), isWrongProof);
    for (const name of ["total_amount", "out_trade_no", "app_id", "seller_id", "trade_status"]) {
      const body = toNotice().body.replace(new RegExp(`\\b${name}=[^&]*`, "u"), `${name}=9`);
      await assert.rejects(read({ ...toNotice(), body }), isWrongProof, name);
    }
    const own = trial({ credentials: { alipayPublicKey: ownPublicKey } });
    await assert.rejects(own.read(toNotice()), isWrongProof);
    for (const body of ["", "a=1", toNotice().body.replace(/&sign=[^&]*/u, "")])
      await assert.rejects(read({ ...toNotice(), body }), isAppError("unauthenticated"));
    const rsa1 = { ...toNotice(), body: toNotice().body.replace("RSA2", "RSA") };
    await assert.rejects(read(rsa1), isAppError("unauthenticated", /RSA2/u));
  });

  it("is refused for another app or seller, with fields that are missing, come twice, or are no amounts", async () => {
    const { read } = trial();
    await assert.rejects(read(toNotice({ app_id: "1" })), isAppError("invalid", /app_id/u));
    await assert.rejects(read(toNotice({ seller_id: "2088" })), isAppError("invalid", /seller_id/u));
    await assert.rejects(read(toNotice({ charset: "x-unknown" })), isAppError("invalid"));
    for (const name of ["trade_no", "out_trade_no", "total_amount"])
      await assert.rejects(read(toNotice({ [name]: "" })), isAppError("invalid"), name);
    for (const amount of ["28.801", "-1", "1e3", "２８"])
      await assert.rejects(read(toNotice({ total_amount: amount })), isAppError("invalid"), amount);
    const twice = { ...toNotice(), body: `${toNotice().body}&total_amount=0.01` };
    await assert.rejects(read(twice), isAppError("bad_request"));
    await assert.rejects(read({ ...toNotice(), body: "a=%" }), isAppError("bad_request"));
    await assert.rejects(read(toNotice({ trade_no: "9".repeat(60_000) })), isAppError("invalid"));
  });
});

describe("Alipay when it is queried", () => {
  it("says that a trade is unknown, waits, was paid, or is over", async () => {
    const { ask, begin, gateway, read, setup, tools } = trial();
    assert.deepEqual(await ask({ reference: "" }), { kind: "unpaid", isOver: false });
    const start = await begin();
    assert.deepEqual(await ask(start), { kind: "unpaid", isOver: false });
    const [first] = gateway.payments;
    assert.ok(first !== undefined);
    const said = onlyNotice(await read(await gateway.pay(first)));
    assert.deepEqual(await ask(start), { kind: "notices", notices: [said] });
    first.isPaid = false;
    await need(alipay.cancel)(setup, { orderId: ORDER_ID, reference: "", state: start.state ?? {} }, tools);
    assert.deepEqual(await ask(start), { kind: "unpaid", isOver: true });
  });

  it("is not taken for an answer about another trade", async () => {
    const node = {
      code: "10000",
      trade_status: "TRADE_SUCCESS",
      out_trade_no: "other",
      total_amount: "28.80",
    };
    await assert.rejects(answers(node).ask({ reference: "" }), isFault("refused", "order"));
  });

  it("tries the settings with a trade that there is not", async () => {
    const { setup, tools } = trial();
    assert.match((await need(alipay.test)(setup, tools)).said, /40004 ACQ\.TRADE_NOT_EXIST: 交易不存在/u);
  });
});

describe("a refund by Alipay", () => {
  const toRefund = (reference: string, { amount, key }: { amount: number; key: string }) => ({
    orderId: ORDER_ID,
    number: "n",
    reference,
    state: { tradeNumber: TRADE_NUMBER },
    paid: 2_880,
    amount,
    currency: "CNY",
    reason: "broken",
    key,
  });

  it("moves money once for each key, however often it is tried", async () => {
    const { setup, tools, place, gateway } = trial();
    const begun = await place();
    await gateway.pay(begun);
    const refund = async (amount: number, key: string) =>
      need(alipay.refund)(setup, toRefund(begun.reference, { amount, key }), tools);
    for (const key of ["r1", "r1", "r2", "r1"])
      assert.deepEqual(await refund(1_000, key), {
        kind: "moved",
        reference: `${begun.reference}:${key}`,
      });
    assert.equal(begun.refunded, 2_000);
    await assert.rejects(refund(1_000, "r3"), isFault("refused", "amount"));
  });

  it("is pending while Alipay does not say that it went through, and unclear when the answer is lost", async () => {
    const answer = (node: Record<string, unknown>): TrialOptions["answer"] => {
      const methods = ["alipay.trade.refund", "alipay.trade.fastpay.refund.query"];
      return () =>
        new Response(toAlipayAnswer(methods.shift() ?? "", { code: "10000", fund_change: "N", ...node }));
    };
    for (const [node, kind] of [
      [{}, "pending"],
      [{ refund_amount: "0.01", refund_status: "REFUND_PROCESSING" }, "pending"],
      [{ refund_amount: "0.01" }, "moved"],
      [{ refund_amount: "0.01", refund_status: "REFUND_SUCCESS" }, "moved"],
    ] as const) {
      const { setup, tools } = trial({ answer: answer(node) });
      const result = await need(alipay.refund)(setup, toRefund("1", { amount: 1, key: "k" }), tools);
      assert.deepEqual(result, { kind, reference: kind === "moved" ? "1:k" : "" });
    }
    const lost = trial({ answer: () => new Response("", { status: 504 }) });
    await assert.rejects(
      async () => need(alipay.refund)(lost.setup, toRefund("1", { amount: 1, key: "k" }), lost.tools),
      isFault("unclear", "url"),
    );
  });
});

describe("times of Alipay", () => {
  it("are those of Beijing", () => {
    assert.equal(toBeijingTime(NOW), "2026-11-21 17:00:00");
    assert.equal(parseBeijingTime("2026-11-21 17:00:00"), NOW);
    assert.equal(parseBeijingTime("2026-11-21 17:00:00.123"), NOW);
    for (const text of ["", "yesterday", "2026-13-40 00:00:00"])
      assert.equal(parseBeijingTime(text), undefined);
  });
});

describe("settings of Alipay", () => {
  it("that have no keys yet are named in every fault", async () => {
    const { gateway, tools, setup, request } = trial();
    const bare = { ...setup, credentials: {} };
    await assert.rejects(
      async () => need(alipay.begin)(bare, request(), tools),
      isFault("refused", "credentials"),
    );
    const { body, headers, method } = toNotice();
    const notice = { body, method, url: "https://shop.test/", headers: new Headers(headers) };
    await assert.rejects(async () => need(alipay.read)(bare, notice, tools), isAppError("unauthenticated"));
    assert.equal(gateway.payments.length, 0);
  });

  it("are refused with the app's own public key in place of Alipay's", () => {
    const { setup } = trial({ credentials: { alipayPublicKey: ownPublicKey } });
    assert.equal(alipay.findFault?.(setup)?.pointer, "/credentials/alipayPublicKey");
    assert.equal(alipay.findFault?.(trial().setup), undefined);
  });
});
