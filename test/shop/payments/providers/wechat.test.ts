/** WeChat Pay: payments, clocks, questions and refunds. The service is a stand-in. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { wechat } from "../../../../src/shop/payments/providers/wechat.ts";
import type { GatewayNotice } from "../gateways/gateway.ts";
import { ownPublicKey } from "../gateways/rsa-pairs.ts";
import { createWechatGateway, PUBLIC_KEY_ID, toWechatHeaders, toWechatNotice } from "../gateways/wechat.ts";
import {
  need,
  NOW,
  onlyNotice,
  ORDER_ID,
  TRADE_NUMBER,
  tryAdapter,
  type TrialOptions,
} from "./adapter-trial.ts";
import { isAppError, isFault } from "./refusals.ts";

const trial = (change?: TrialOptions) => tryAdapter(wechat, createWechatGateway, change);
const MINUTE = 60_000;

const payment = {
  reference: "4200002026",
  orderId: TRADE_NUMBER,
  amount: 2_880,
  currency: "CNY",
  isPaid: true,
  isCanceled: false,
  refunded: 0,
};
const transaction = createWechatGateway({ origin: "https://gateway.test", now: () => NOW }).toTransaction(
  payment,
);
const EVENT = "TRANSACTION.SUCCESS";
const toNotice = (change: Record<string, unknown> = {}, event: string = EVENT): GatewayNotice =>
  toWechatNotice(event, { ...transaction, ...change }, { atMs: NOW });

/** An answer that is signed rightly. */
const answers = (json: Record<string, unknown>, status = 200) => {
  const body = JSON.stringify(json);
  return trial({ answer: () => new Response(body, { status, headers: toWechatHeaders(body, NOW) }) });
};

describe("a payment by WeChat Pay", () => {
  it("begins with a code, the same for the same request", async () => {
    const { begin, gateway, sent } = trial();
    const start = await begin();
    assert.deepEqual(start, {
      kind: "qr",
      text: `weixin://wxpay/bizpayurl?pr=${TRADE_NUMBER}`,
      reference: "",
      state: { tradeNumber: TRADE_NUMBER, notifyUrl: "https://shop.test/api/webhooks/pay1-pay" },
      expiresAt: NOW + 900_000,
    });
    assert.deepEqual(await begin(), start);
    assert.equal(gateway.payments.length, 1);
    const body = JSON.parse(sent[0]?.body ?? "") as Record<string, unknown>;
    assert.deepEqual(body["amount"], { total: 2_880, currency: "CNY" });
    assert.equal(body["time_expire"], "2026-11-21T09:15:00+00:00");
    assert.equal((await begin({ attempt: 2, expiresAt: NOW + 86_400_000 })).expiresAt, NOW + 7_200_000);
    await begin({ attempt: 3, description: "会".repeat(100) });
    const cut = JSON.parse(sent.at(-1)?.body ?? "") as { description: string };
    assert.equal(cut.description, "会".repeat(42));
  });

  it("says what WeChat Pay complains of", async () => {
    await assert.rejects(trial({ options: { appId: "wx00000000" } }).begin(), isFault("refused", "merchant"));
    await assert.rejects(
      trial({ options: { serialNumber: "ABCDEF01" } }).begin(),
      isFault("refused", "signature"),
    );
    await assert.rejects(trial().begin({ currency: "EUR" }), isFault("refused", "currency"));
    const busy = trial({ answer: () => Response.json({ code: "SYSTEM_ERROR" }, { status: 500 }) });
    await assert.rejects(busy.begin(), isFault("unavailable"));
    const often = trial({ answer: () => Response.json({ code: "FREQUENCY_LIMITED" }, { status: 429 }) });
    await assert.rejects(often.begin(), isFault("unavailable"));
    const url = { code: "PARAM_ERROR", message: "notify_url 不合法" };
    const local = trial({ answer: () => Response.json(url, { status: 400 }) });
    await assert.rejects(local.begin(), isFault("refused", "url"));
  });

  it("names the clock when it is more than five minutes off, in either direction", async () => {
    for (const [offMs, words] of [
      [6 * MINUTE, /360 s ahead of/u],
      [-6 * MINUTE, /360 s behind/u],
    ] as const) {
      const { begin, setClock } = trial();
      setClock(offMs);
      await assert.rejects(begin(), isFault("refused", "clock", words));
    }
    const { begin, setClock } = trial();
    setClock(4 * MINUTE);
    assert.equal((await begin()).kind, "qr");
  });

  it("takes no success that is not signed, or signed wrongly, or by an unknown key", async () => {
    const body = JSON.stringify({ code_url: "weixin://evil" });
    for (const headers of [
      {},
      toWechatHeaders(`${body} `, NOW),
      toWechatHeaders(body, NOW, "PUB_KEY_ID_1"),
      { ...toWechatHeaders(body, NOW), "wechatpay-timestamp": "x" },
    ]) {
      const { begin } = trial({ answer: () => new Response(body, { headers }) });
      await assert.rejects(begin(), isFault("refused", "signature"));
    }
    await assert.rejects(answers({}).begin(), isFault("refused"));
  });

  it("is closed when it is no longer wanted", async () => {
    const { setup, tools, begin, gateway } = trial();
    const unwanted = { orderId: ORDER_ID, reference: "", state: { tradeNumber: TRADE_NUMBER } };
    const cancel = async (): Promise<void> => need(wechat.cancel)(setup, unwanted, tools);
    await cancel();
    await begin();
    await cancel();
    const [first] = gateway.payments;
    assert.ok(first?.isCanceled);
    first.isPaid = true;
    await assert.rejects(cancel(), isFault("refused", "order"));
  });
});

describe("WeChat Pay when it is queried", () => {
  it("says that an order is unknown, waits, was paid, was given back in part, or is over", async () => {
    const { ask, begin, gateway, read, setup, tools } = trial();
    assert.deepEqual(await ask({ reference: "" }), { kind: "unpaid", isOver: false });
    const start = await begin();
    assert.deepEqual(await ask(start), { kind: "unpaid", isOver: false });
    const [first] = gateway.payments;
    assert.ok(first !== undefined);
    const said = { kind: "notices", notices: [onlyNotice(await read(await gateway.pay(first)))] };
    assert.deepEqual(await ask(start), said);
    first.refunded = 5;
    assert.deepEqual(await ask(start), said);
    first.refunded = 0;
    first.isPaid = false;
    const unwanted = { orderId: ORDER_ID, reference: "", state: start.state ?? {} };
    await need(wechat.cancel)(setup, unwanted, tools);
    assert.deepEqual(await ask(start), { kind: "unpaid", isOver: true });
  });

  it("is not taken for an answer about another order", async () => {
    const other = answers({ ...transaction, out_trade_no: "other" });
    await assert.rejects(other.ask({ reference: "" }), isFault("refused", "order"));
    const odd = answers({ ...transaction, amount: { total: "1" } });
    await assert.rejects(odd.ask({ reference: "" }), isFault("refused", "amount"));
  });

  it("tries the settings with an order that there is not", async () => {
    const { setup, tools } = trial();
    assert.deepEqual(await need(wechat.test)(setup, tools), { said: "ORDER_NOT_EXIST" });
  });
});

describe("a refund by WeChat Pay", () => {
  const toRefund = (reference: string, key: string) => ({
    orderId: ORDER_ID,
    number: "n",
    reference,
    state: { tradeNumber: TRADE_NUMBER, notifyUrl: "https://s.test/" },
    paid: 2_880,
    amount: 1_000,
    currency: "CNY",
    reason: "坏".repeat(60),
    key,
  });

  it("moves money once for each key, however often it is tried", async () => {
    const { setup, tools, place, gateway, sent } = trial();
    const begun = await place();
    await gateway.pay(begun);
    const refund = async (key: string) => need(wechat.refund)(setup, toRefund(begun.reference, key), tools);
    const first = await refund("r:1");
    assert.equal(first.kind, "moved");
    assert.deepEqual(await refund("r:1"), first);
    assert.equal((await refund("r2")).kind, "moved");
    assert.equal(begun.refunded, 2_000);
    await assert.rejects(refund("r3"), isFault("refused", "amount"));
    const body = JSON.parse(sent.find(({ url }) => url.endsWith("/refunds"))?.body ?? "") as Record<
      string,
      unknown
    >;
    assert.deepEqual(
      [body["out_refund_no"], body["notify_url"], body["amount"], body["reason"]],
      ["r-1", "https://s.test/", { refund: 1_000, total: 2_880, currency: "CNY" }, "坏".repeat(26)],
    );
  });

  it("may be pending, fail, or be unclear", async () => {
    const ask = async ({ setup, tools }: ReturnType<typeof trial>) =>
      need(wechat.refund)(setup, toRefund("1", "k"), tools);
    assert.deepEqual(await ask(answers({ refund_id: "5", status: "PROCESSING" })), {
      kind: "pending",
      reference: "",
    });
    await assert.rejects(ask(answers({ refund_id: "5", status: "ABNORMAL" })), isFault("refused"));
    await assert.rejects(ask(answers({ code: "SYSTEM_ERROR" }, 500)), isFault("unclear"));
    const unsigned = trial({ answer: () => Response.json({ status: "SUCCESS" }) });
    await assert.rejects(ask(unsigned), isFault("unclear", "signature"));
  });
});

describe("settings of WeChat Pay", () => {
  it("that have no keys yet are named in every fault", async () => {
    const { gateway, tools, setup, request } = trial();
    const bare = { ...setup, credentials: {} };
    await assert.rejects(
      async () => need(wechat.begin)(bare, request(), tools),
      isFault("refused", "credentials"),
    );
    const { body, headers, method } = toNotice();
    const notice = { body, method, url: "https://shop.test/", headers: new Headers(headers) };
    await assert.rejects(async () => need(wechat.read)(bare, notice, tools), isAppError("unauthenticated"));
    assert.equal(gateway.payments.length, 0);
  });

  it("are refused with the merchant's own key, and with a public key that has no id", () => {
    const own = trial({ credentials: { platformKeys: ownPublicKey } });
    assert.equal(wechat.findFault?.(own.setup)?.pointer, "/credentials/platformKeys");
    const nameless = trial({ options: { publicKeyId: "" } });
    assert.equal(wechat.findFault?.(nameless.setup)?.pointer, "/options/publicKeyId");
    assert.equal(wechat.findFault?.(trial().setup), undefined);
    assert.ok(PUBLIC_KEY_ID.length < 100);
  });
});
