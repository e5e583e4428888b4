/** WeChat Pay: payments, notices, clocks, questions and refunds. The service is a stand-in. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { wechat } from "../../../../src/shop/payments/providers/wechat.ts";
import type { GatewayNotice } from "../gateways/gateway.ts";
import { ownPublicKey, SERVICE_SERIAL, serviceCertificate, servicePublicKey } from "../gateways/rsa-pairs.ts";
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
import { isAppError, isFault, isWrongProof } from "./refusals.ts";

const trial = (change?: TrialOptions) => tryAdapter(wechat, createWechatGateway, change);
const MINUTE = 60_000;

const payment = {
  ...{ reference: "4200002026", orderId: TRADE_NUMBER, amount: 2_880, currency: "CNY" },
  ...{ isPaid: true, isCanceled: false, refunded: 0 },
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

  it("is closed when nobody wants it any more", async () => {
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

describe("a notice of WeChat Pay", () => {
  it("is proved and opened", async () => {
    const reading = await trial().read(toNotice());
    assert.deepEqual(onlyNotice(reading), {
      eventId: "4200002026:paid",
      reference: "4200002026",
      orderId: ORDER_ID,
      type: "payment",
      amount: 2_880,
      currency: "CNY",
      paidAt: Date.UTC(2026, 10, 21, 9, 5),
      state: { tradeNumber: TRADE_NUMBER },
    });
    assert.deepEqual([reading.verified, reading.answer?.status], ["signature", 200]);
    assert.deepEqual(await trial().read(toNotice()), reading, "a replay says the same again");
  });

  it("is taken with a platform certificate, the public key, or both", async () => {
    const byCertificate = toWechatNotice(EVENT, transaction, { atMs: NOW, serial: SERVICE_SERIAL });
    const certificate = { credentials: { platformKeys: serviceCertificate }, options: { publicKeyId: "" } };
    const both = { credentials: { platformKeys: servicePublicKey + serviceCertificate } };
    assert.equal((await trial(certificate).read(byCertificate)).notices.length, 1);
    for (const notice of [byCertificate, toNotice()])
      assert.equal((await trial(both).read(notice)).notices.length, 1);
    const refused = isAppError("unauthenticated", /PUB_KEY_ID_0114232134912410000000000000/u);
    await assert.rejects(trial(certificate).read(toNotice()), refused);
  });

  it("says that the clock is wrong when it is more than five minutes off", async () => {
    for (const [offMs, words] of [
      [5 * MINUTE + 2_000, /302 s ahead of/u],
      [-6 * MINUTE, /360 s behind/u],
    ] as const) {
      const { read, setClock } = trial();
      setClock(offMs);
      await assert.rejects(read(toNotice()), isAppError("unauthenticated", words));
    }
    const { read, setClock } = trial();
    setClock(5 * MINUTE);
    assert.equal((await read(toNotice())).notices.length, 1);
  });

  it("is refused without the right signature, trials of WeChat Pay's among them", async () => {
    const { gateway, read } = trial();
    const notice = toNotice();
    await assert.rejects(read(gateway.forge(notice)), isWrongProof);
    await assert.rejects(read({ ...notice, body: `${notice.body} ` }), isWrongProof);
    const withHeader = (name: string, value: string): GatewayNotice => ({
      ...notice,
      headers: { ...notice.headers, [`wechatpay-${name}`]: value },
    });
    await assert.rejects(read(withHeader("nonce", "other")), isWrongProof);
    await assert.rejects(read(withHeader("signature", "AAAA")), isWrongProof);
    await assert.rejects(read(withHeader("timestamp", String(NOW / 1_000 + 1))), isWrongProof);
    for (const name of ["serial", "signature", "timestamp", "nonce"])
      await assert.rejects(read(withHeader(name, "")), isAppError("unauthenticated", /proxies/u), name);
    const probe = withHeader("signature", "WECHATPAY/SIGNTEST/AAAA");
    await assert.rejects(read(probe), isAppError("unauthenticated", /trial/u));
    const own = trial({ credentials: { platformKeys: ownPublicKey } });
    await assert.rejects(own.read(notice), isWrongProof);
  });

  it("is refused when it cannot be opened, or is for another merchant or app", async () => {
    const key = "another-key-of-thirty-two-chars!";
    const sealed = toWechatNotice(EVENT, transaction, { atMs: NOW, key });
    await assert.rejects(trial().read(sealed), isAppError("invalid", /APIv3 key/u));
    await assert.rejects(trial().read(toNotice({ mchid: "1" })), isAppError("invalid", /mchid/u));
    await assert.rejects(trial().read(toNotice({ appid: "wx1" })), isAppError("invalid", /appid/u));
  });

  it("is refused when it is no JSON, lacks members, or has an amount that is none", async () => {
    const { read } = trial();
    for (const body of ["", "[]x", "{", "\u{FFFD}"]) {
      const notice = { ...toNotice(), body, headers: toWechatHeaders(body, NOW) };
      await assert.rejects(read(notice), isAppError("bad_request"), body);
    }
    for (const body of ["{}", "[]", '{"resource":{"algorithm":"AEAD_AES_256_GCM","ciphertext":"!"}}']) {
      const notice = { ...toNotice(), body, headers: toWechatHeaders(body, NOW) };
      await assert.rejects(read(notice), isAppError("invalid"), body);
    }
    for (const total of [28.8, "2880", -1, undefined, 2 ** 53])
      await assert.rejects(read(toNotice({ amount: { total } })), isAppError("invalid"));
    for (const name of ["transaction_id", "out_trade_no"])
      await assert.rejects(read(toNotice({ [name]: undefined })), isAppError("invalid"), name);
    await assert.rejects(read(toNotice({ transaction_id: "9".repeat(60_000) })), isAppError("invalid"));
  });

  it("of a refund tells what went back; one that did not go through is a failure", async () => {
    const { gateway, place, read } = trial();
    const begun = await place();
    await gateway.pay(begun);
    const refund = onlyNotice(await read(await need(gateway.refund)(begun, 1_000)));
    assert.deepEqual([refund.type, refund.amount, refund.orderId], ["refund", 1_000, ORDER_ID]);
    const base = {
      mchid: "1230000109",
      appid: undefined,
      refund_id: "5030",
      amount: { refund: 5, total: 9 },
    };
    for (const status of ["ABNORMAL", "CLOSED"]) {
      const notice = toNotice({ ...base, refund_status: status }, `REFUND.${status}`);
      assert.equal(onlyNotice(await read(notice)).type, "failed");
    }
    assert.deepEqual((await read(toNotice({}, "COUPON.USE"))).notices, []);
    assert.deepEqual((await read(toNotice({ trade_state: "NOTPAY" }))).notices, []);
  });
});

describe("WeChat Pay when it is asked", () => {
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
    ...{
      orderId: ORDER_ID,
      number: "n",
      reference,
      state: { tradeNumber: TRADE_NUMBER, notifyUrl: "https://s.test/" },
    },
    ...{ paid: 2_880, amount: 1_000, currency: "CNY", reason: "坏".repeat(60), key },
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
      reference: "5",
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
