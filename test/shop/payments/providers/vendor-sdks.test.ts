/** Our signatures against the vendors' own SDKs, in both directions: alipay-sdk and wechatpay-node-v3. */
import assert from "node:assert/strict";
import { createPrivateKey } from "node:crypto";
import { describe, it } from "node:test";
import { AlipaySdk } from "alipay-sdk";
import WechatPay from "wechatpay-node-v3";
import { toAlipayParameters } from "../../../../src/shop/payments/providers/alipay-api.ts";
import { alipay } from "../../../../src/shop/payments/providers/alipay.ts";
import { openResource } from "../../../../src/shop/payments/providers/wechat-api.ts";
import { wechat } from "../../../../src/shop/payments/providers/wechat.ts";
import { isRsaSignature, readPublicKeys } from "../../../../src/shop/payments/signing/rsa-keys.ts";
import { RawForm } from "../../../../src/shop/payments/signing/signed-fields.ts";
import { createAlipayGateway, toAlipayAnswer } from "../gateways/alipay.ts";
import {
  ownKey,
  ownPublicKey,
  serviceCertificate,
  serviceKey,
  servicePublicKey,
  SERVICE_SERIAL,
} from "../gateways/rsa-pairs.ts";
import { createWechatGateway, PUBLIC_KEY_ID, sealResource, toWechatHeaders } from "../gateways/wechat.ts";
import { NOW, onlyNotice, tryAdapter } from "./adapter-trial.ts";

const trial = () => tryAdapter(alipay, createAlipayGateway);

/** The SDK writes keys in one line between those of PEM, which Deno's own node:crypto does not read. */
function sdkOf(keys: { privateKey: string; alipayPublicKey: string }): AlipaySdk {
  const sdk = new AlipaySdk({ appId: "2021000122671080", keyType: "PKCS8", signType: "RSA2", ...keys });
  Object.assign(sdk.config, keys);
  return sdk;
}
/** As the shop would use it. */
const shopSdk = sdkOf({ privateKey: ownKey, alipayPublicKey: servicePublicKey });

describe("alipay-sdk", () => {
  it("takes what we sign as it takes what Alipay signs", async () => {
    const biz = { out_trade_no: "a_1", total_amount: "28.80", subject: "VIP会员 & “quotes” + %20" };
    const call = {
      method: "alipay.trade.page.pay",
      biz,
      notifyUrl: "https://shop.test/n",
      returnUrl: "https://shop.test/r?a=b",
    };
    const parameters = await toAlipayParameters(trial().setup, call, NOW);
    // Its check of notices keeps sign_type, which is how requests are signed.
    const gateway = sdkOf({ privateKey: serviceKey, alipayPublicKey: ownPublicKey });
    assert.equal(gateway.checkNotifySignV2(parameters), true);
    assert.equal(gateway.checkNotifySignV2({ ...parameters, timestamp: "2026-11-21 17:00:01" }), false);
  });

  it("signs as we check", async () => {
    const url = shopSdk.pageExecute("alipay.trade.page.pay", "GET", {
      bizContent: { out_trade_no: "a_1", total_amount: "28.80", subject: "VIP会员 & 中文 + %20" },
      notifyUrl: "https://shop.test/n?x=1&y=2",
    });
    const form = new RawForm(new URL(url).search.slice(1));
    const [key] = readPublicKeys(ownPublicKey);
    assert.ok(key !== undefined);
    const signature = form.text("sign");
    assert.equal(await isRsaSignature(key, { content: form.toSigned(["sign"]), signature }), true);
    assert.equal(await isRsaSignature(key, { content: form.toSigned(["sign", "app_id"]), signature }), false);
  });

  it("agrees on notices, right and forged", async () => {
    const { gateway, place, read } = trial();
    const notice = await gateway.pay(await place());
    const fieldsOf = (body: string): Record<string, string> => Object.fromEntries(new URLSearchParams(body));
    assert.equal(shopSdk.checkNotifySignV2(fieldsOf(notice.body)), true);
    assert.equal(onlyNotice(await read(notice)).amount, 2_880);
    const forged = gateway.forge(notice);
    assert.equal(shopSdk.checkNotifySignV2(fieldsOf(forged.body)), false);
    await assert.rejects(read(forged));
  });

  it("agrees on answers, right and forged", async () => {
    const node = {
      code: "10000",
      out_trade_no: "01jd5v6m0c8f3k2n7q4x9y1z5a_1",
      trade_status: "WAIT_BUYER_PAY",
      note: "a/b",
    };
    const text = toAlipayAnswer("alipay.trade.query", node);
    for (const [sent, isRight] of [
      [text, true],
      [text.replace("WAIT", "HATE"), false],
    ] as const) {
      const { sign } = JSON.parse(sent) as { sign: string };
      const check = (): void => shopSdk.checkResponseSign(sent, "alipay_trade_query_response", sign, "");
      const ask = async (): Promise<unknown> =>
        tryAdapter(alipay, createAlipayGateway, { answer: () => new Response(sent) }).ask({ reference: "" });
      if (isRight) {
        assert.doesNotThrow(check);
        assert.deepEqual(await ask(), { kind: "unpaid", isOver: false });
      } else {
        assert.throws(check);
        await assert.rejects(ask);
      }
    }
  });

  it("reads PKCS#1 as we do", async () => {
    const pkcs1 = createPrivateKey(ownKey).export({ type: "pkcs1", format: "pem" }).toString();
    const parameters = await toAlipayParameters(
      { ...trial().setup, credentials: { privateKey: pkcs1, alipayPublicKey: servicePublicKey } },
      { method: "alipay.trade.query", biz: {} },
      NOW,
    );
    assert.equal(
      sdkOf({ privateKey: serviceKey, alipayPublicKey: ownPublicKey }).checkNotifySignV2(parameters),
      true,
    );
  });
});

const wechatTrial = () => tryAdapter(wechat, createWechatGateway);

function wechatSdk(privateKey: string): WechatPay {
  const key = "0123456789abcdefghijklmnopqrstuv";
  const shared = {
    appid: "wxd678efh567hg6787",
    mchid: "1230000109",
    serial_no: "1DDE55AD98ED71D6EDD4A4A16996DE7B47773A8C",
  };
  return new WechatPay({
    ...shared,
    key,
    publicKey: Buffer.from(serviceCertificate),
    privateKey: Buffer.from(privateKey),
  });
}

describe("wechatpay-node-v3", () => {
  it("signs requests to the letter as we do", async () => {
    const { begin, ask, sent } = wechatTrial();
    const start = await begin();
    await ask(start);
    assert.equal(sent.length, 2);
    for (const { method, url, headers = {}, body } of sent) {
      const values = new Map(
        [...(headers["authorization"] ?? "").matchAll(/(\w+)="([^"]*)"/gu)].map(([, name, value = ""]) => [
          name,
          value,
        ]),
      );
      const { pathname, search } = new URL(url);
      const theirs = wechatSdk(ownKey).getSignature(
        method,
        values.get("nonce_str") ?? "",
        values.get("timestamp") ?? "",
        pathname + search,
        body,
      );
      assert.equal(values.get("signature"), theirs);
      assert.match(headers["authorization"] ?? "", /^WECHATPAY2-SHA256-RSA2048 mchid="1230000109",/u);
    }
  });

  it("signs notices that we take, and takes those that we take", async () => {
    const { gateway, place, read } = wechatTrial();
    const notice = await gateway.pay(await place());
    const timestamp = notice.headers["wechatpay-timestamp"] ?? "";
    const nonce = "c5ac7061fccab6bf3e254dcf98995b8c";
    const signature = wechatSdk(serviceKey).sha256WithRsa(`${timestamp}\n${nonce}\n${notice.body}\n`);
    const headers = { ...notice.headers, "wechatpay-nonce": nonce, "wechatpay-signature": signature };
    assert.equal(onlyNotice(await read({ ...notice, headers })).amount, 2_880);
    const check = async (body: string): Promise<boolean> =>
      wechatSdk(ownKey).verifySign({ timestamp, nonce, body, serial: SERVICE_SERIAL, signature });
    const known: unknown = Reflect.get(WechatPay, "certificates");
    Reflect.set(WechatPay, "certificates", { [SERVICE_SERIAL]: servicePublicKey });
    try {
      assert.equal(await check(notice.body), true);
      assert.equal(await check(`${notice.body} `), false);
    } finally {
      Reflect.set(WechatPay, "certificates", known);
    }
  });

  it("reads a certificate's serial number as we do", () => {
    assert.equal(wechatSdk(ownKey).getSN(serviceCertificate).toUpperCase(), SERVICE_SERIAL);
    assert.equal(readPublicKeys(serviceCertificate)[0]?.serial, SERVICE_SERIAL);
    assert.ok(PUBLIC_KEY_ID.startsWith("PUB_KEY_ID_"));
  });

  it("opens resources to the same", async () => {
    const resource = sealResource({ out_trade_no: "a_1", note: "会员" }, "transaction");
    const text = (name: string): string => String(resource[name]);
    const theirs: unknown = wechatSdk(ownKey).decipher_gcm(
      text("ciphertext"),
      text("associated_data"),
      text("nonce"),
      "0123456789abcdefghijklmnopqrstuv",
    );
    assert.deepEqual(await openResource(wechatTrial().setup, resource), theirs);
    assert.ok("wechatpay-signature" in toWechatHeaders("", NOW));
  });
});
