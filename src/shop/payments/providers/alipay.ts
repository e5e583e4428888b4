/**
 * Alipay (支付宝) for shops in China: a page of Alipay's (https://opendocs.alipay.com/open/028r8t) or a QR code
 * (https://opendocs.alipay.com/open/02ekfg), notices (https://opendocs.alipay.com/open/270/105902), questions
 * (https://opendocs.alipay.com/open/028woa), refunds (https://opendocs.alipay.com/open/028sm9).
 */
import { AppError } from "../../../kit/errors.ts";
import { withQuery } from "../../../kit/text/with-query.ts";
import { toDecimal } from "../../base/money.ts";
import { WrongProof } from "../notice-proof.ts";
import { findPublicKeys, hasOwnKey, isRsaSignature } from "../signing/rsa-keys.ts";
import { RawForm } from "../signing/signed-fields.ts";
import { findTradeNumber, toTradeNumber } from "../signing/trade-number.ts";
import {
  type AlipaySetup,
  alipayCredentials,
  alipayOptions,
  callAlipay,
  isDone,
  parseBeijingTime,
  toAlipayFault,
  toAlipayParameters,
  toBeijingTime,
} from "./alipay-api.ts";
import {
  askForNotice,
  needCurrency,
  needText,
  plainAnswer,
  readAmount,
  readAnsweredAmount,
  textOf,
} from "./answers.ts";
import {
  type AskResult,
  type NoticeReading,
  type NoticeRequest,
  type PaymentRequest,
  type PaymentStart,
  type PendingPayment,
  type ProviderField,
  type ProviderKind,
  type ProviderNotice,
  type ProviderTools,
  type RefundRequest,
  type RefundResult,
  openField,
  keyField,
} from "./provider.ts";
import { assertSameTrade, toTradeNotice } from "./trade-notice.ts";

const CURRENCY = "CNY";
const UNSIGNED = ["sign", "sign_type"];
const CHARSETS = /^(?:utf-8|gbk|gb2312|gb18030)$/iu;

const fields: readonly ProviderField[] = [
  openField("appId"),
  openField("sellerId"),
  keyField("privateKey"),
  keyField("alipayPublicKey"),
  openField("product"),
  openField("url"),
];

/** The parameters of a payment. "/", "=" and "&" are not allowed in a subject. */
function toBiz(request: PaymentRequest): Record<string, string> {
  needCurrency(request.currency, CURRENCY);
  return {
    out_trade_no: toTradeNumber(request),
    total_amount: toDecimal(request.amount, CURRENCY),
    subject: request.description.replaceAll(/[/=&]/gu, " ").slice(0, 256),
    time_expire: toBeijingTime(request.expiresAt),
  };
}

async function begin(
  setup: AlipaySetup,
  request: PaymentRequest,
  tools: ProviderTools,
): Promise<PaymentStart> {
  const { url, product } = setup.options;
  const { notifyUrl, returnUrl } = request;
  const biz = toBiz(request);
  const rest = { reference: "", state: { tradeNumber: toTradeNumber(request) } };
  if (product === "page") {
    const method = "alipay.trade.page.pay";
    const call = { method, biz: { ...biz, product_code: "FAST_INSTANT_TRADE_PAY" }, notifyUrl, returnUrl };
    const parameters = await toAlipayParameters(setup, call, tools.now());
    return { kind: "redirect", url: withQuery(url, parameters), ...rest };
  }
  const node = await callAlipay(setup, tools, { method: "alipay.trade.precreate", biz, notifyUrl });
  const text = textOf(node["qr_code"]);
  if (!isDone(node) || text === "") throw toAlipayFault(node);
  return { kind: "qr", text, url: text, ...rest };
}

function toNotice(trade: Omit<Parameters<typeof toTradeNotice>[0], "currency">): ProviderNotice {
  return toTradeNotice({ ...trade, currency: CURRENCY }, { eventId: `${trade.reference}:paid` });
}

function assertSame(form: RawForm, name: string, own: string): void {
  if (form.text(name) === own) return;
  throw new AppError("invalid", `The payment notification is for another ${name}`, {
    errors: [{ pointer: `/${name}`, code: "invalid", message: `must be the ${name} of the settings` }],
  });
}

/** The fields of a notice once they are proved. */
async function prove({ options, credentials }: AlipaySetup, { body }: NoticeRequest): Promise<RawForm> {
  const form = new RawForm(body);
  const signature = form.text("sign");
  if (signature === "")
    throw new AppError("unauthenticated", "The field sign is missing. Alipay notifications are signed forms");
  if (form.text("sign_type") !== "RSA2")
    throw new AppError(
      "unauthenticated",
      "The payment notification is not signed with RSA2. Set the app to RSA2",
    );
  const [key] = findPublicKeys(credentials["alipayPublicKey"]);
  const content = form.toSigned(UNSIGNED);
  if (key === undefined)
    throw new AppError("unauthenticated", "The Alipay public key of this provider is not set");
  if (!(await isRsaSignature(key, { content, signature })))
    throw new WrongProof(
      "The signature does not match these fields and the Alipay public key in the settings",
    );
  if (!CHARSETS.test(form.text("charset") || "utf-8"))
    throw new AppError("invalid", "The payment notification uses an undocumented charset");
  assertSame(form, "app_id", options.appId);
  assertSame(form, "seller_id", options.sellerId);
  return form;
}

/** A number of a refund names it within its trade alone: refunds of two trades may have the same. */
function toRefundReference(tradeNo: string, number: string): string {
  return `${tradeNo}:${number}`;
}

/**
 * The refund of a notice, which only contains the sum of all refunds: this one's amount has to be queried. One that
 * Alipay does not know by its number is stored with the sum, and the next sum with the same reference needs a review.
 */
async function readRefund(
  setup: AlipaySetup,
  { form, paid }: { readonly form: RawForm; readonly paid: ProviderNotice },
  tools: ProviderTools,
): Promise<ProviderNotice> {
  const { reference: tradeNo, state } = paid;
  const number = form.text("out_biz_no") || form.text("out_trade_no");
  const biz = { trade_no: tradeNo, out_request_no: number };
  const method = "alipay.trade.fastpay.refund.query";
  const node = await askForNotice(async () => callAlipay(setup, tools, { method, biz }));
  const told = isDone(node) ? textOf(node["refund_amount"]) : "";
  const amount = readAmount(told || form.text("refund_fee"), { currency: CURRENCY, pointer: "/refund_fee" });
  const reference = told === "" ? `${tradeNo}:refunds` : toRefundReference(tradeNo, number);
  return {
    eventId: `${tradeNo}:refund:${number}`,
    reference,
    orderId: paid.orderId,
    type: "refund",
    amount,
    currency: CURRENCY,
    state,
  };
}

async function read(
  setup: AlipaySetup,
  request: NoticeRequest,
  tools: ProviderTools,
): Promise<NoticeReading> {
  const form = await prove(setup, request);
  const reading = { verified: "signature", answer: plainAnswer("success") } as const;
  const status = form.text("trade_status");
  if (!/^TRADE_(?:SUCCESS|FINISHED|CLOSED)$/u.test(status)) return { ...reading, notices: [] };
  const paidAt = parseBeijingTime(form.text("gmt_payment"));
  const paid = toNotice({
    tradeNumber: needText(form.text("out_trade_no"), "/out_trade_no"),
    reference: needText(form.text("trade_no"), "/trade_no"),
    amount: readAmount(form.text("total_amount"), { currency: CURRENCY, pointer: "/total_amount" }),
    ...(paidAt === undefined ? {} : { paidAt }),
  });
  const fee = form.text("refund_fee");
  const isRefund = form.text("gmt_refund") !== "" && /[1-9]/u.test(fee);
  // Not the payment, too: goods of an order that was given back already are not to be handed over.
  if (isRefund) return { ...reading, notices: [await readRefund(setup, { form, paid }, tools)] };
  // Closed without a refund: the buyer let the time pass.
  if (status !== "TRADE_CLOSED") return { ...reading, notices: [paid] };
  return { ...reading, notices: [{ ...paid, type: "failed", eventId: `${paid.reference}:closed` }] };
}

async function ask(setup: AlipaySetup, payment: PendingPayment, tools: ProviderTools): Promise<AskResult> {
  const tradeNumber = findTradeNumber(payment);
  const node = await callAlipay(setup, tools, {
    method: "alipay.trade.query",
    biz: { out_trade_no: tradeNumber },
  });
  if (!isDone(node)) {
    // A trade is there only once the buyer has opened it.
    if (textOf(node["sub_code"]) === "ACQ.TRADE_NOT_EXIST") return { kind: "unpaid", isOver: false };
    throw toAlipayFault(node);
  }
  assertSameTrade(textOf(node["out_trade_no"]), tradeNumber);
  const status = textOf(node["trade_status"]);
  if (!/^TRADE_(?:SUCCESS|FINISHED)$/u.test(status))
    return { kind: "unpaid", isOver: status === "TRADE_CLOSED" };
  const paidAt = parseBeijingTime(textOf(node["send_pay_date"]));
  const notice = toNotice({
    tradeNumber,
    reference: textOf(node["trade_no"]),
    amount: readAnsweredAmount(textOf(node["total_amount"]), CURRENCY),
    ...(paidAt === undefined ? {} : { paidAt }),
  });
  return { kind: "notices", notices: [notice] };
}

async function cancel(
  setup: AlipaySetup,
  payment: Pick<PendingPayment, "state">,
  tools: ProviderTools,
): Promise<void> {
  const tradeNumber = payment.state["tradeNumber"];
  if (tradeNumber === undefined) return;
  const biz = { out_trade_no: tradeNumber };
  const node = await callAlipay(setup, tools, { method: "alipay.trade.close", biz });
  if (!isDone(node) && textOf(node["sub_code"]) !== "ACQ.TRADE_NOT_EXIST") throw toAlipayFault(node);
}

/** The same `out_request_no` again gives nothing back a second time. */
async function refund(
  setup: AlipaySetup,
  request: RefundRequest,
  tools: ProviderTools,
): Promise<RefundResult> {
  const { reference, key, amount, reason } = request;
  const biz = {
    trade_no: reference,
    refund_amount: toDecimal(amount, CURRENCY),
    out_request_no: key,
    ...(reason === "" ? {} : { refund_reason: reason.slice(0, 256) }),
  };
  const node = await callAlipay(setup, tools, { method: "alipay.trade.refund", biz, isOnce: true });
  if (!isDone(node)) throw toAlipayFault(node, true);
  const moved = { kind: "moved", reference: toRefundReference(reference, key) } as const;
  if (textOf(node["fund_change"]) === "Y") return moved;
  // "N": nothing moved by this call. Query whether it had moved before.
  const query = {
    method: "alipay.trade.fastpay.refund.query",
    biz: { trade_no: reference, out_request_no: key },
  };
  const known = await callAlipay(setup, tools, query);
  const isMoved =
    isDone(known) &&
    /^(?:REFUND_SUCCESS)?$/u.test(textOf(known["refund_status"])) &&
    textOf(known["refund_amount"]) !== "";
  // Without a reference the request is repeated until Alipay has made the refund.
  return isMoved ? moved : { kind: "pending", reference: "" };
}

/** Queries an impossible trade: that requires the right app and keys, and sells nothing. */
async function test(setup: AlipaySetup, tools: ProviderTools): Promise<{ said: string }> {
  const biz = { out_trade_no: toTradeNumber({ orderId: "test", attempt: tools.now() }) };
  const node = await callAlipay(setup, tools, { method: "alipay.trade.query", biz });
  return { said: `${textOf(node["code"])} ${textOf(node["sub_code"])}: ${textOf(node["sub_msg"])}` };
}

export const alipay: ProviderKind<typeof alipayOptions> = {
  title: "Alipay (支付宝)",
  documentation: "https://opendocs.alipay.com/open/270/105898",
  options: alipayOptions,
  credentials: alipayCredentials,
  fields,
  currencies: [CURRENCY],
  origins: ({ url }) => [new URL(url).origin],
  findFault: ({ credentials }) =>
    hasOwnKey(credentials["privateKey"] ?? "", credentials["alipayPublicKey"] ?? "")
      ? {
          pointer: "/credentials/alipayPublicKey",
          message: "is the public key of your app. Enter the Alipay public key",
        }
      : undefined,
  begin,
  read,
  ask,
  cancel,
  refund,
  test,
};
