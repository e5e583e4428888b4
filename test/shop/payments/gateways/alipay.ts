/**
 * A stand-in of Alipay's gateway, written from https://opendocs.alipay.com/common/02kf5q, /common/02mse7,
 * /open/02ekfg (precreate), /open/028woa (query), /open/028sm9 (refund); not tried against the real one.
 */
import { createSign, createVerify } from "node:crypto";
import type {
  Gateway,
  GatewayNotice,
  GatewayOptions,
  GatewayPayment,
  GatewayRefund,
  NoticeChange,
} from "./gateway.ts";
import { toMinor } from "./md5-signed.ts";
import { ownKey, ownPublicKey, serviceKey, servicePublicKey } from "./rsa-pairs.ts";

const APP_ID = "2021000122671080";
const SELLER_ID = "2088102146225135";
const CURRENCY = "CNY";

type Json = Record<string, unknown>;
type Fields = Record<string, string>;

/** Sorted as the documentation has it; `sign` never belongs to what is signed. */
function toText(fields: Fields, except: readonly string[]): string {
  return Object.keys(fields)
    .filter((name) => !except.includes(name) && fields[name] !== "")
    .sort()
    .map((name) => `${name}=${fields[name] ?? ""}`)
    .join("&");
}

const signText = (text: string): string =>
  createSign("RSA-SHA256").update(text, "utf8").sign(serviceKey, "base64");
const toYuan = (fen: number): string => (fen / 100).toFixed(2);

/** A notice with these fields, signed rightly. */
export function toAlipayNotice(fields: Fields): GatewayNotice {
  const sign = signText(toText(fields, ["sign", "sign_type"]));
  return {
    method: "POST",
    query: "",
    headers: { "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
    body: new URLSearchParams({ ...fields, sign, sign_type: "RSA2" }).toString(),
  };
}

/** The answer of a method, signed over the text of its node; slashes escaped, as the gateway does. */
export function toAlipayAnswer(method: string, node: Json): string {
  const text = JSON.stringify(node).replaceAll("/", "\\/");
  return `{"${method.replaceAll(".", "_")}_response":${text},"sign":"${signText(text)}"}`;
}

interface Trade extends GatewayPayment {
  readonly refunds: Map<string, number>;
}

export interface AlipayGateway extends Gateway {
  /** Fields of the notice that a payment was made. */
  toFields(payment: GatewayPayment, change?: NoticeChange): Fields;
}

export function createAlipayGateway({ origin, now }: GatewayOptions): AlipayGateway {
  const payments: Trade[] = [];
  const done = (more: Json): Json => ({ code: "10000", msg: "Success", ...more });
  const refuse = (code: string, message: string): Json => ({
    code: "40004",
    msg: "Business Failed",
    sub_code: code,
    sub_msg: message,
  });

  function place(biz: Json): Json {
    const orderId = String(biz["out_trade_no"]);
    let trade = payments.find((one) => one.orderId === orderId);
    if (trade === undefined) {
      const reference = `20261121220010033302${String(now()).slice(-8)}${payments.length}`;
      const amount = toMinor(biz["total_amount"], CURRENCY);
      trade = {
        reference,
        orderId,
        amount,
        currency: CURRENCY,
        isPaid: false,
        isCanceled: false,
        refunded: 0,
        refunds: new Map(),
      };
      payments.push(trade);
    }
    return done({ out_trade_no: orderId, qr_code: `https://qr.alipay.com/${trade.reference}` });
  }

  function query(trade: Trade): Json {
    const { orderId, reference, amount, isPaid, isCanceled, refunded } = trade;
    const isClosed = isCanceled || refunded === amount;
    const status = isClosed ? "TRADE_CLOSED" : isPaid ? "TRADE_SUCCESS" : "WAIT_BUYER_PAY";
    return done({
      out_trade_no: orderId,
      trade_no: reference,
      trade_status: status,
      total_amount: toYuan(amount),
      ...(isPaid ? { send_pay_date: "2026-11-21 17:05:00" } : {}),
    });
  }

  function refund(trade: Trade, biz: Json): Json {
    const key = String(biz["out_request_no"]);
    const amount = toMinor(biz["refund_amount"], CURRENCY);
    const isRepeat = trade.refunds.has(key);
    if (!isRepeat && trade.refunded + amount > trade.amount)
      return refuse("ACQ.REFUND_AMT_NOT_EQUAL_TOTAL", "退款金额大于可退金额");
    trade.refunds.set(key, amount);
    if (!isRepeat) trade.refunded += amount;
    return done({
      trade_no: trade.reference,
      fund_change: isRepeat ? "N" : "Y",
      refund_fee: toYuan(trade.refunded),
    });
  }

  function queryRefund(trade: Trade, biz: Json): Json {
    const amount = trade.refunds.get(String(biz["out_request_no"]));
    return done(
      amount === undefined ? {} : { refund_amount: toYuan(amount), refund_status: "REFUND_SUCCESS" },
    );
  }

  function act(method: string, biz: Json): Json {
    if (method === "alipay.trade.precreate") return place(biz);
    const trade = payments.find(
      ({ orderId, reference }) => orderId === biz["out_trade_no"] || reference === biz["trade_no"],
    );
    if (trade === undefined) return refuse("ACQ.TRADE_NOT_EXIST", "交易不存在");
    if (method === "alipay.trade.query") return query(trade);
    if (method === "alipay.trade.refund") return refund(trade, biz);
    if (method === "alipay.trade.fastpay.refund.query") return queryRefund(trade, biz);
    if (trade.isPaid) return refuse("ACQ.TRADE_STATUS_ERROR", "交易状态不合法");
    trade.isCanceled = true;
    return done({ out_trade_no: trade.orderId });
  }

  async function answer(request: Request): Promise<Response> {
    const fields: Fields = Object.fromEntries(new URLSearchParams(await request.text()));
    const { app_id: appId, method = "", sign = "", biz_content: biz = "{}" } = fields;
    const isSigned = createVerify("RSA-SHA256")
      .update(toText(fields, ["sign"]), "utf8")
      .verify(ownPublicKey, sign, "base64");
    const error = (code: string): Json => ({
      code: "40002",
      msg: "Invalid Arguments",
      sub_code: code,
      sub_msg: "",
    });
    const node =
      appId !== APP_ID
        ? error("isv.invalid-app-id")
        : isSigned
          ? act(method, JSON.parse(biz) as Json)
          : error("isv.invalid-signature");
    return new Response(toAlipayAnswer(method, node), {
      headers: { "content-type": "text/html;charset=utf-8" },
    });
  }

  const toFields = (payment: GatewayPayment, change: NoticeChange = {}): Fields => ({
    notify_time: "2026-11-21 17:05:01",
    notify_type: "trade_status_sync",
    notify_id: "2026112100222170",
    app_id: APP_ID,
    seller_id: SELLER_ID,
    charset: "utf-8",
    version: "1.0",
    trade_status: "TRADE_SUCCESS",
    gmt_payment: "2026-11-21 17:05:00",
    subject: "大乐透2.1",
    trade_no: payment.reference,
    out_trade_no: change.orderId ?? payment.orderId,
    total_amount: toYuan(change.amount ?? payment.amount),
    receipt_amount: toYuan(change.amount ?? payment.amount),
  });

  const findTrade = ({ orderId }: GatewayPayment): Trade => {
    const trade = payments.find((one) => one.orderId === orderId);
    if (trade === undefined) throw new Error(`The stand-in knows no trade ${orderId}`);
    return trade;
  };
  const newestRefund = (payment: GatewayPayment): GatewayRefund | undefined => {
    const newest = [...findTrade(payment).refunds].at(-1);
    return newest && { reference: newest[0], amount: newest[1] };
  };
  /** A number of a refund is unique within its trade; the notice tells the sum of all. */
  const tellRefund = (payment: GatewayPayment): GatewayNotice =>
    toAlipayNotice({
      ...toFields(payment),
      trade_status: payment.refunded === payment.amount ? "TRADE_CLOSED" : "TRADE_SUCCESS",
      out_biz_no: newestRefund(payment)?.reference ?? "",
      refund_fee: toYuan(payment.refunded),
      gmt_refund: "2026-11-21 18:00:00.123",
    });

  return {
    kind: "alipay",
    options: { appId: APP_ID, sellerId: SELLER_ID, product: "precreate", url: `${origin}/gateway.do` },
    credentials: { privateKey: ownKey, alipayPublicKey: servicePublicKey },
    currency: CURRENCY,
    payments,
    answer,
    toFields,
    pay: (payment, change) => {
      payment.isPaid = true;
      return Promise.resolve(toAlipayNotice(toFields(payment, change)));
    },
    refund: (payment, amount) => {
      const trade = findTrade(payment);
      trade.refunds.set(`portal${trade.refunds.size}`, amount);
      payment.refunded += amount;
      return Promise.resolve(tellRefund(payment));
    },
    tellRefund,
    newestRefund,
    forge: (notice) => {
      const form = new URLSearchParams(notice.body);
      const sign = form.get("sign") ?? "";
      form.set("sign", (sign.startsWith("A") ? "B" : "A") + sign.slice(1));
      return { ...notice, body: form.toString() };
    },
    expects: "success",
  };
}
