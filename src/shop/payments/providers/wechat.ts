/**
 * WeChat Pay (微信支付), API v3, Native: a QR code that the buyer scans.
 * https://pay.weixin.qq.com/doc/v3/merchant/4012791877 (placing), .../4012791882 (notices), .../4012791880 (asking),
 * .../4012791881 (closing), .../4012791883 (refunds and their notices).
 */
import { AppError } from "../../../kit/errors.ts";
import { cutBytes } from "../../../kit/text/cut-bytes.ts";
import { hasOwnKey } from "../signing/rsa-keys.ts";
import { findTradeNumber, toTradeNumber } from "../signing/trade-number.ts";
import { type JsonObject, needCurrency, needText, objectOf, readJson, textOf } from "./answers.ts";
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
  ProviderFault,
  openField,
  keyField,
  secretField,
} from "./provider.ts";
import { assertSameTrade, toTradeNotice } from "./trade-notice.ts";
import {
  type WechatSetup,
  callWechat,
  listWechatKeys,
  openResource,
  proveWechat,
  wechatCredentials,
  wechatOptions,
} from "./wechat-api.ts";

const CURRENCY = "CNY";
const ORDERS = "/v3/pay/transactions/out-trade-no/";
/** A code can be scanned for two hours. */
const CODE_MS = 7_200_000;
const MAX_DESCRIPTION = 127;

const fields: readonly ProviderField[] = [
  openField("appId"),
  openField("mchId"),
  openField("serialNumber"),
  keyField("privateKey"),
  secretField("apiV3Key"),
  keyField("platformKeys"),
  openField("publicKeyId"),
  openField("url"),
];

async function begin(
  setup: WechatSetup,
  request: PaymentRequest,
  tools: ProviderTools,
): Promise<PaymentStart> {
  needCurrency(request.currency, CURRENCY);
  const { appId, mchId } = setup.options;
  const tradeNumber = toTradeNumber(request);
  const answer = await callWechat(setup, tools, {
    method: "POST",
    path: "/v3/pay/transactions/native",
    body: {
      appid: appId,
      mchid: mchId,
      description: cutBytes(request.description, MAX_DESCRIPTION),
      out_trade_no: tradeNumber,
      time_expire: new Date(request.expiresAt).toISOString().replace(/\.\d+Z$/u, "+00:00"),
      notify_url: request.notifyUrl,
      amount: { total: request.amount, currency: CURRENCY },
    },
  });
  const text = textOf(answer?.["code_url"]);
  if (text === "") throw new ProviderFault("refused", "The response from WeChat Pay has no code");
  return {
    kind: "qr",
    text,
    reference: "",
    state: { tradeNumber, notifyUrl: request.notifyUrl },
    expiresAt: Math.min(request.expiresAt, tools.now() + CODE_MS),
  };
}

/** An amount of the API: whole fen. @throws ProviderFault */
function readFen(value: unknown): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw new ProviderFault("refused", "The response from WeChat Pay has an invalid amount", {
    part: "amount",
  });
}

/** A transaction that was paid, from a notice or an answer. */
function toNotice(transaction: JsonObject): ProviderNotice {
  const amount = objectOf(transaction["amount"]);
  const tradeNumber = textOf(transaction["out_trade_no"]);
  const reference = textOf(transaction["transaction_id"]);
  const paidAt = Date.parse(textOf(transaction["success_time"]));
  const trade = {
    tradeNumber,
    reference,
    amount: readFen(amount["total"]),
    currency: textOf(amount["currency"]) || CURRENCY,
    ...(Number.isNaN(paidAt) ? {} : { paidAt }),
  };
  return toTradeNotice(trade, { eventId: `${reference}:paid` });
}

/** A refund that went through, or one that did not. */
function toRefundNotice(refund: JsonObject): ProviderNotice {
  const amount = objectOf(refund["amount"]);
  const reference = textOf(refund["refund_id"]);
  const status = textOf(refund["refund_status"]);
  const tradeNumber = textOf(refund["out_trade_no"]);
  const trade = {
    tradeNumber,
    reference,
    amount: readFen(amount["refund"]),
    currency: textOf(amount["currency"]) || CURRENCY,
  };
  const type = status === "SUCCESS" ? "refund" : "failed";
  return toTradeNotice(trade, { type, eventId: `${reference}:${status}` });
}

function assertOwn(resource: JsonObject, { options: { appId, mchId } }: WechatSetup): void {
  // Notices of refunds have no appid.
  for (const [name, own] of Object.entries({ mchid: mchId, appid: appId })) {
    const named = resource[name];
    if (named === own || (name === "appid" && named === undefined)) continue;
    throw new AppError("invalid", `The payment notification is for another ${name}`, {
      errors: [
        { pointer: `/resource/${name}`, code: "invalid", message: `must be the ${name} of the settings` },
      ],
    });
  }
}

function toNotices(event: string, resource: JsonObject): ProviderNotice[] {
  const pointer = event.startsWith("REFUND.") ? "refund_id" : "transaction_id";
  try {
    if (/^REFUND\.(?:SUCCESS|ABNORMAL|CLOSED)$/u.test(event)) {
      needText(textOf(resource[pointer]), `/resource/${pointer}`);
      return [toRefundNotice(resource)];
    }
    if (event !== "TRANSACTION.SUCCESS" || resource["trade_state"] !== "SUCCESS") return [];
    needText(textOf(resource[pointer]), `/resource/${pointer}`);
    needText(textOf(resource["out_trade_no"]), "/resource/out_trade_no");
    return [toNotice(resource)];
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error;
    throw new AppError("invalid", "The payment notification has an invalid amount", { cause: error });
  }
}

async function read(
  setup: WechatSetup,
  request: NoticeRequest,
  tools: ProviderTools,
): Promise<NoticeReading> {
  await proveWechat(setup, request, tools.now());
  const notice = objectOf(readJson(request));
  const resource = await openResource(setup, objectOf(notice["resource"]));
  assertOwn(resource, setup);
  return {
    notices: toNotices(textOf(notice["event_type"]), resource),
    verified: "signature",
    // Any 200 or 204 will do; this is what older documentation asked for.
    answer: { status: 200, contentType: "application/json", body: '{"code":"SUCCESS","message":""}' },
  };
}

async function findTransaction(
  setup: WechatSetup,
  tradeNumber: string,
  tools: ProviderTools,
): Promise<JsonObject | undefined> {
  const path = `${ORDERS}${encodeURIComponent(tradeNumber)}?mchid=${setup.options.mchId}`;
  return callWechat(setup, tools, {
    method: "GET",
    path,
    ignored: /^ORDER_?NOT_?EXIST$|^RESOURCE_NOT_EXISTS$/u,
  });
}

async function ask(setup: WechatSetup, payment: PendingPayment, tools: ProviderTools): Promise<AskResult> {
  const tradeNumber = findTradeNumber(payment);
  const transaction = await findTransaction(setup, tradeNumber, tools);
  if (transaction === undefined) return { kind: "unpaid", isOver: false };
  const isOwn = transaction["mchid"] === setup.options.mchId;
  assertSameTrade(isOwn ? transaction["out_trade_no"] : undefined, tradeNumber);
  const status = textOf(transaction["trade_state"]);
  // REFUND: paid, and something of it given back since.
  if (status === "SUCCESS" || status === "REFUND")
    return { kind: "notices", notices: [toNotice(transaction)] };
  return { kind: "unpaid", isOver: /^(?:CLOSED|REVOKED|PAYERROR)$/u.test(status) };
}

async function cancel(
  setup: WechatSetup,
  payment: Pick<PendingPayment, "state">,
  tools: ProviderTools,
): Promise<void> {
  const tradeNumber = payment.state["tradeNumber"];
  if (tradeNumber === undefined) return;
  await callWechat(setup, tools, {
    method: "POST",
    path: `${ORDERS}${encodeURIComponent(tradeNumber)}/close`,
    body: { mchid: setup.options.mchId },
    ignored: /^ORDER_?NOT_?EXIST$|^ORDER_?CLOSED$/u,
  });
}

/** The same `out_refund_no` again gives nothing back a second time, and tells how far it is. */
async function refund(
  setup: WechatSetup,
  request: RefundRequest,
  tools: ProviderTools,
): Promise<RefundResult> {
  const { reference, reason, amount, paid, state, key } = request;
  const notifyUrl = state["notifyUrl"];
  const answer = await callWechat(setup, tools, {
    method: "POST",
    path: "/v3/refund/domestic/refunds",
    body: {
      transaction_id: reference,
      out_refund_no: key.replaceAll(/[^\w|*@-]/gu, "-").slice(0, 64),
      ...(reason === "" ? {} : { reason: cutBytes(reason, 80) }),
      ...(notifyUrl === undefined ? {} : { notify_url: notifyUrl }),
      amount: { refund: amount, total: paid, currency: CURRENCY },
    },
    isOnce: true,
  });
  const [refundId, status] = [textOf(answer?.["refund_id"]), textOf(answer?.["status"])];
  if (status === "SUCCESS") return { kind: "moved", reference: refundId };
  // Without a reference the request is repeated, which is how WeChat Pay reports that it is done; a notification may
  // come first.
  if (status === "PROCESSING") return { kind: "pending", reference: "" };
  throw new ProviderFault("refused", `WeChat Pay could not refund the money: ${status.slice(0, 20)}`, {
    said: status,
  });
}

/** Queries an impossible order: that requires the right merchant and keys, and sells nothing. */
async function test(setup: WechatSetup, tools: ProviderTools): Promise<{ said: string }> {
  const tradeNumber = toTradeNumber({ orderId: "test", attempt: tools.now() });
  await findTransaction(setup, tradeNumber, tools);
  return { said: "ORDER_NOT_EXIST" };
}

function findFault(setup: WechatSetup): { pointer: string; message: string } | undefined {
  const { privateKey = "", platformKeys = "" } = setup.credentials;
  if (hasOwnKey(privateKey, platformKeys))
    return {
      pointer: "/credentials/platformKeys",
      message: "is the certificate of the merchant. Enter the public key or certificate of WeChat Pay",
    };
  return listWechatKeys(setup).has("")
    ? {
        pointer: "/options/publicKeyId",
        message: "is required with a public key. The ID starts with PUB_KEY_ID_",
      }
    : undefined;
}

export const wechat: ProviderKind<typeof wechatOptions> = {
  title: "WeChat Pay (微信支付)",
  documentation: "https://pay.weixin.qq.com/doc/v3/merchant/4012791874",
  options: wechatOptions,
  credentials: wechatCredentials,
  fields,
  currencies: [CURRENCY],
  origins: ({ url }) => [new URL(url).origin],
  findFault,
  begin,
  read,
  ask,
  cancel,
  refund,
  test,
};
