/** Notices of WeChat Pay: signatures, keys, clocks and what they seal. The service is a stand-in. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { wechat } from "../../../../src/shop/payments/providers/wechat.ts";
import type { GatewayNotice } from "../gateways/gateway.ts";
import { ownPublicKey, SERVICE_SERIAL, serviceCertificate, servicePublicKey } from "../gateways/rsa-pairs.ts";
import { createWechatGateway, toWechatHeaders, toWechatNotice } from "../gateways/wechat.ts";
import {
  need,
  NOW,
  onlyNotice,
  ORDER_ID,
  TRADE_NUMBER,
  tryAdapter,
  type TrialOptions,
} from "./adapter-trial.ts";
import { isAppError, isWrongProof } from "./refusals.ts";

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
      await assert.rejects(read(withHeader(name, "")), isAppError("unauthenticated", /Proxies/u), name);
    const probe = withHeader("signature", "WECHATPAY/SIGNTEST/AAAA");
    await assert.rejects(read(probe), isAppError("unauthenticated", /test by WeChat Pay/u));
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
