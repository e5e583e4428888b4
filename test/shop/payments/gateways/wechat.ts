/**
 * A stand-in of WeChat Pay's API v3, written from https://pay.weixin.qq.com/doc/v3/merchant/4012791877 (Native),
 * .../4012791882 (notices), .../4012365342 (signatures), .../4012071382 (sealed resources); not tried against the real
 * one.
 */
import { createCipheriv, createSign, createVerify, randomBytes } from "node:crypto";
import type {
  Gateway,
  GatewayNotice,
  GatewayOptions,
  GatewayPayment,
  GatewayRefund,
  NoticeChange,
} from "./gateway.ts";
import { ownKey, ownPublicKey, serviceKey, servicePublicKey } from "./rsa-pairs.ts";

const APP_ID = "wxd678efh567hg6787";
const MCH_ID = "1230000109";
const SERIAL = "1DDE55AD98ED71D6EDD4A4A16996DE7B47773A8C";
const API_KEY = "0123456789abcdefghijklmnopqrstuv";
const CURRENCY = "CNY";
export const PUBLIC_KEY_ID = "PUB_KEY_ID_0114232134912410000000000000";

type Json = Record<string, unknown>;

function signLines(...lines: readonly string[]): string {
  const text = lines.map((line) => `${line}\n`).join("");
  return createSign("RSA-SHA256").update(text, "utf8").sign(serviceKey, "base64");
}

/** The headers with which WeChat Pay signs a body. */
export function toWechatHeaders(
  body: string,
  atMs: number,
  serial: string = PUBLIC_KEY_ID,
): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1_000));
  const nonce = randomBytes(16).toString("hex");
  return {
    "wechatpay-nonce": nonce,
    "wechatpay-serial": serial,
    "wechatpay-signature": signLines(timestamp, nonce, body),
    "wechatpay-signature-type": "WECHATPAY2-SHA256-RSA2048",
    "wechatpay-timestamp": timestamp,
  };
}

/** A resource sealed with the APIv3 key. */
export function sealResource(resource: Json, kind: string, key: string = API_KEY): Json {
  const nonce = randomBytes(6).toString("hex");
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(Buffer.from(kind));
  const sealed = Buffer.concat([
    cipher.update(JSON.stringify(resource), "utf8"),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  return {
    original_type: kind,
    algorithm: "AEAD_AES_256_GCM",
    ciphertext: sealed.toString("base64"),
    associated_data: kind,
    nonce,
  };
}

/** A notice of an event about a resource. */
export function toWechatNotice(
  event: string,
  resource: Json,
  { atMs, serial, key }: { atMs: number; serial?: string; key?: string },
): GatewayNotice {
  const kind = event.startsWith("REFUND") ? "refund" : "transaction";
  const body = JSON.stringify({
    id: "EV-2018022511223320873",
    create_time: "2026-11-21T17:05:00+08:00",
    resource_type: "encrypt-resource",
    event_type: event,
    summary: "支付成功",
    resource: sealResource(resource, kind, key),
  });
  const headers = { "content-type": "application/json", ...toWechatHeaders(body, atMs, serial) };
  return { method: "POST", query: "", headers, body };
}

export interface WechatGateway extends Gateway {
  /** What a notice seals about a payment. */
  toTransaction(payment: GatewayPayment, change?: NoticeChange): Json;
}

export function createWechatGateway({ origin, now }: GatewayOptions): WechatGateway {
  const payments: GatewayPayment[] = [];
  const refunds = new Map<string, Json>();
  /** The last refund of each payment, by what the shop called the payment. */
  const newest = new Map<string, GatewayRefund & { readonly number: string }>();
  const find = (orderId: unknown): GatewayPayment | undefined =>
    payments.find((one) => one.orderId === orderId);

  const reply = (json: Json | undefined, status: number = json === undefined ? 204 : 200): Response => {
    const body = json === undefined ? "" : JSON.stringify(json);
    const headers = {
      "content-type": "application/json",
      date: new Date(now()).toUTCString(),
      ...toWechatHeaders(body, now()),
    };
    return new Response(json === undefined ? null : body, { status, headers });
  };
  const refuse = (status: number, code: string, message: string): Response =>
    reply({ code, message }, status);

  const toTransaction = (payment: GatewayPayment, change: NoticeChange = {}): Json => ({
    appid: APP_ID,
    mchid: MCH_ID,
    trade_type: "NATIVE",
    bank_type: "OTHERS",
    out_trade_no: change.orderId ?? payment.orderId,
    transaction_id: payment.reference,
    trade_state:
      payment.refunded > 0 ? "REFUND" : payment.isPaid ? "SUCCESS" : payment.isCanceled ? "CLOSED" : "NOTPAY",
    success_time: "2026-11-21T17:05:00+08:00",
    amount: {
      total: change.amount ?? payment.amount,
      payer_total: change.amount ?? payment.amount,
      currency: change.currency ?? CURRENCY,
    },
  });

  function place(json: Json): Response {
    if (json["appid"] !== APP_ID || json["mchid"] !== MCH_ID)
      return refuse(400, "APPID_MCHID_NOT_MATCH", "appid和mchid不匹配");
    const orderId = String(json["out_trade_no"]);
    const { total } = json["amount"] as { total: number };
    if (find(orderId)?.isPaid === true) return refuse(400, "ORDERPAID", "该订单已支付");
    if (find(orderId) === undefined) {
      const reference = `4200002${String(now())}${payments.length}`;
      payments.push({
        reference,
        orderId,
        amount: total,
        currency: CURRENCY,
        isPaid: false,
        isCanceled: false,
        refunded: 0,
      });
    }
    return reply({ code_url: `weixin://wxpay/bizpayurl?pr=${orderId}` });
  }

  function refund(json: Json): Response {
    const payment = payments.find(({ reference }) => reference === json["transaction_id"]);
    const number = String(json["out_refund_no"]);
    const { refund: amount } = json["amount"] as { refund: number };
    if (!payment?.isPaid) return refuse(404, "RESOURCE_NOT_EXISTS", "订单不存在");
    let known = refunds.get(number);
    if (known === undefined) {
      if (payment.refunded + amount > payment.amount)
        return refuse(400, "PARAM_ERROR", "amount.refund 超过可退金额");
      payment.refunded += amount;
      const reference = `5030000${refunds.size}${String(now())}`;
      known = { refund_id: reference, out_refund_no: number, status: "SUCCESS" };
      newest.set(payment.orderId, { reference, number, amount });
      refunds.set(number, known);
    }
    return reply(known);
  }

  function close(payment: GatewayPayment | undefined): Response {
    if (payment === undefined) return refuse(404, "ORDER_NOT_EXIST", "订单不存在");
    if (payment.isPaid) return refuse(400, "ORDERPAID", "该订单已支付");
    payment.isCanceled = true;
    return reply(undefined);
  }

  /** Whether a request is signed by the merchant, not more than five minutes ago. */
  function findFlaw(request: Request, body: string): Response | undefined {
    const { pathname, search } = new URL(request.url);
    const values = Object.fromEntries(
      [...(request.headers.get("authorization") ?? "").matchAll(/(\w+)="([^"]*)"/gu)].map(
        ([, name, value]) => [name, value],
      ),
    ) as Record<string, string>;
    const { mchid, nonce_str: nonce = "", timestamp = "", signature = "", serial_no: serial } = values;
    if (mchid !== MCH_ID || serial !== SERIAL) return refuse(401, "SIGN_ERROR", "商户证书序列号有误");
    if (Math.abs(Number(timestamp) * 1_000 - now()) > 300_000)
      return refuse(401, "SIGN_ERROR", "Http头Authorization中的timestamp与发起请求的时间不得超过5分钟");
    const text = [request.method, pathname + search, timestamp, nonce, body]
      .map((line) => `${line}\n`)
      .join("");
    const isRight = createVerify("RSA-SHA256").update(text, "utf8").verify(ownPublicKey, signature, "base64");
    return isRight ? undefined : refuse(401, "SIGN_ERROR", "错误的签名，验签失败");
  }

  async function answer(request: Request): Promise<Response> {
    const body = await request.text();
    const flaw = findFlaw(request, body);
    if (flaw !== undefined) return flaw;
    const { pathname } = new URL(request.url);
    const [, orderId, action] = /out-trade-no\/([^/]+)(\/close)?$/u.exec(pathname) ?? [];
    if (orderId !== undefined) {
      const payment = find(decodeURIComponent(orderId));
      if (action !== undefined) return close(payment);
      return payment === undefined
        ? refuse(404, "ORDER_NOT_EXIST", "订单不存在")
        : reply(toTransaction(payment));
    }
    const json = JSON.parse(body) as Json;
    return pathname.endsWith("/refunds") ? refund(json) : place(json);
  }

  const tellRefund = (payment: GatewayPayment): GatewayNotice => {
    const { reference = "", number = "", amount = 0 } = newest.get(payment.orderId) ?? {};
    const resource = {
      mchid: MCH_ID,
      out_trade_no: payment.orderId,
      transaction_id: payment.reference,
      out_refund_no: number,
      refund_id: reference,
      refund_status: "SUCCESS",
      success_time: "2026-11-21T18:00:00+08:00",
      amount: { total: payment.amount, refund: amount, payer_total: payment.amount, payer_refund: amount },
    };
    return toWechatNotice("REFUND.SUCCESS", resource, { atMs: now() });
  };

  return {
    kind: "wechat",
    options: { appId: APP_ID, mchId: MCH_ID, serialNumber: SERIAL, publicKeyId: PUBLIC_KEY_ID, url: origin },
    credentials: { privateKey: ownKey, apiV3Key: API_KEY, platformKeys: servicePublicKey },
    currency: CURRENCY,
    payments,
    answer,
    toTransaction,
    pay: (payment, change) => {
      payment.isPaid = true;
      const atMs = change?.atMs ?? now();
      // What it said when it was paid, however late it is heard.
      const transaction = { ...toTransaction(payment, change), trade_state: "SUCCESS" };
      return Promise.resolve(toWechatNotice("TRANSACTION.SUCCESS", transaction, { atMs }));
    },
    sendAgain: (notice) => ({
      ...notice,
      headers: { ...notice.headers, ...toWechatHeaders(notice.body, now()) },
    }),
    refund: (payment, amount) => {
      payment.refunded += amount;
      const reference = `5030000${payment.reference}${payment.refunded}`;
      newest.set(payment.orderId, { reference, number: `portal${payment.refunded}`, amount });
      return Promise.resolve(tellRefund(payment));
    },
    tellRefund,
    newestRefund: ({ orderId }) => newest.get(orderId),
    forge: (notice) => ({
      ...notice,
      headers: { ...notice.headers, "wechatpay-signature": signLines("1", "2", notice.body) },
    }),
  };
}
