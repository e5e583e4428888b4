/**
 * Epay (易支付), version 1 of its interface, which many services speak: submit.php or mapi.php, notices by GET, MD5.
 * Written from https://epay.la/doc/v1, https://www.kancloud.cn/qq2222888821/dasfw/1850953 (notices) and
 * https://docs.kyren.top/epay-migration/api-php (api.php). The browser's return carries the same signature as a notice,
 * and signed notices of payments that never came have been seen (dujiao-next/dujiao-next#340, GMWalletApp/epusdt#117):
 * none counts before api.php says the same.
 */
import { signingSecret } from "./signing-secret.ts";
import { z } from "zod";
import { AppError } from "../../../kit/errors.ts";
import { isSameText } from "../../../kit/secrets/same-text.ts";
import { cutBytes } from "../../../kit/text/cut-bytes.ts";
import { toDecimal } from "../../base/money.ts";
import { WrongProof } from "../notice-proof.ts";
import { md5Hex } from "../signing/md5.ts";
import { RawForm, toSignedText } from "../signing/signed-fields.ts";
import { findTradeNumber, toTradeNumber } from "../signing/trade-number.ts";
import {
  type AskResult,
  type NoticeReading,
  type NoticeRequest,
  type PaymentRequest,
  type PaymentStart,
  type PendingPayment,
  type ProviderField,
  type ProviderKind,
  type ProviderSetup,
  type ProviderTools,
  type RefundRequest,
  type RefundResult,
  type ServiceRequest,
  ProviderFault,
  openField,
  secretField,
} from "./provider.ts";
import { assertSameTrade, toTradeNotice } from "./trade-notice.ts";
import {
  type JsonObject,
  askForJson,
  checkPayAddress,
  hideSecrets,
  needCurrency,
  needText,
  plainAnswer,
  readAmount,
  readAnsweredAmount,
  serviceAddressSchema,
  textOf,
  toAddress,
  toRefusal,
} from "./answers.ts";

const CURRENCY = "CNY";
/** Services cut longer names themselves, maybe within a character. */
const MAX_NAME_BYTES = 127;
const UNSIGNED = ["sign", "sign_type"];

const options = {
  /** Below it lie submit.php, mapi.php and api.php. */
  url: serviceAddressSchema,
  pid: z.string().regex(/^[\w.-]{1,64}$/u, "must be the merchant ID"),
  /** alipay, wxpay, qqpay or whatever the service offers; "": the buyer chooses at the service. */
  type: z
    .string()
    .regex(/^[\w.-]{0,40}$/u, "must be an identifier such as alipay")
    .default(""),
  /** How payments begin: by a form in the buyer's browser, or by a request of the shop. */
  begin: z.enum(["submit", "mapi"]).default("submit"),
  /** Whether the service gives money back by api.php?act=refund; many do not. */
  refunds: z.boolean().default(false),
};
type Setup = ProviderSetup<typeof options>;

const fields: readonly ProviderField[] = [
  openField("url"),
  openField("pid"),
  secretField("key"),
  openField("type"),
  openField("begin"),
  openField("refunds"),
];

function sign(values: Readonly<Record<string, string>>, key: string): string {
  return md5Hex(toSignedText(values, UNSIGNED) + key);
}

function toFields({ options: set, credentials }: Setup, request: PaymentRequest): Record<string, string> {
  needCurrency(request.currency, CURRENCY);
  const values = {
    pid: set.pid,
    ...(set.type === "" ? {} : { type: set.type }),
    out_trade_no: toTradeNumber(request),
    notify_url: request.notifyUrl,
    return_url: request.returnUrl,
    name: cutBytes(request.description, MAX_NAME_BYTES),
    money: toDecimal(request.amount, CURRENCY),
    ...(set.begin === "mapi" ? { clientip: request.clientAddress ?? "127.0.0.1", device: "pc" } : {}),
  };
  return { ...values, sign: sign(values, credentials["key"] ?? ""), sign_type: "MD5" };
}

/** The subject of the provider's error: its messages are Chinese or English, and its codes are not standardized. */
const parts = [
  [/订单[^,，]*不存在|order\b.{0,40}(?:not found|not exist)/iu, "order"],
  [/密钥|签名|验签|\bkey\b|\bsign/iu, "credentials"],
  [/商户|\bpid\b|merchant/iu, "merchant"],
  [/金额|money|amount/iu, "amount"],
] as const;

function toForm(values: Readonly<Record<string, string>>): Pick<ServiceRequest, "contentType" | "body"> {
  return {
    contentType: "application/x-www-form-urlencoded",
    body: new URLSearchParams(values).toString(),
  };
}

async function call(
  { credentials }: Setup,
  tools: ProviderTools,
  request: ServiceRequest & { readonly isOnce?: boolean },
): Promise<JsonObject> {
  const { isOnce = false, ...sent } = request;
  const json = await askForJson(tools, sent, { credentials, isOnce });
  if (textOf(json["code"]) === "1" || json["code"] === true) return json;
  throw toRefusalOf(json, credentials);
}

function toRefusalOf(json: JsonObject, credentials: Setup["credentials"]): ProviderFault {
  const said = textOf(json["msg"]) || JSON.stringify(json);
  return toRefusal(hideSecrets(said, credentials), parts);
}

async function begin(setup: Setup, request: PaymentRequest, tools: ProviderTools): Promise<PaymentStart> {
  const values = toFields(setup, request);
  const state = { tradeNumber: toTradeNumber(request) };
  if (setup.options.begin === "submit")
    return {
      kind: "form",
      url: toAddress(setup.options.url, "submit.php"),
      fields: values,
      reference: "",
      state,
    };
  const url = toAddress(setup.options.url, "mapi.php");
  const json = await call(setup, tools, { method: "POST", url, ...toForm(values) });
  const reference = textOf(json["trade_no"]);
  const qr = textOf(json["qrcode"]);
  if (qr !== "") return { kind: "qr", text: qr, reference, state };
  return { kind: "redirect", url: checkPayAddress(textOf(json["payurl"])), reference, state };
}

/**
 * The fields of a notification: providers send them by GET, some by POST. Never both, so that they cannot be mixed.
 */
function readForm({ method, url, body }: NoticeRequest): RawForm {
  if (method === "POST" && body !== "") return new RawForm(body);
  return new RawForm(new URL(url).search.slice(1));
}

function read({ options: { pid }, credentials }: Setup, request: NoticeRequest): NoticeReading {
  const form = readForm(request);
  const sent = form.text("sign");
  if (sent === "")
    throw new AppError(
      "unauthenticated",
      "The field sign is missing. Epay notifications have pid, trade_no, money… and sign",
    );
  if (!/^(?:MD5)?$/iu.test(form.text("sign_type")))
    throw new AppError(
      "unauthenticated",
      "The payment notification is not signed with MD5. Set the provider to version 1 of its interface",
    );
  if (!isSameText(sent.toLowerCase(), md5Hex(form.toSigned(UNSIGNED, credentials["key"]))))
    throw new WrongProof("The signature does not match these fields and the merchant key");
  if (form.text("pid") !== pid)
    throw new AppError("invalid", "The payment notification is for another merchant (pid)", {
      errors: [{ pointer: "/pid", code: "invalid", message: "must be the pid of the settings" }],
    });
  const answer = plainAnswer("success");
  // "Only TRADE_SUCCESS is a success", says the documentation, and names no other.
  if (form.text("trade_status") !== "TRADE_SUCCESS") return { notices: [], verified: "signature", answer };
  const tradeNumber = needText(form.text("out_trade_no"), "/out_trade_no");
  const reference = needText(form.text("trade_no"), "/trade_no");
  const amount = readAmount(form.text("money"), { currency: CURRENCY, pointer: "/money" });
  const notice = toTradeNotice({ tradeNumber, reference, amount, currency: CURRENCY });
  return { notices: [notice], verified: "signature", mustAsk: true, answer };
}

/** api.php's data about an order; its message for an unknown one. The documentation has the key in the query. */
async function findOrder(
  setup: Setup,
  tradeNumber: string,
  tools: ProviderTools,
): Promise<{ readonly order?: JsonObject; readonly said: string }> {
  const { options: set, credentials } = setup;
  const query = new URLSearchParams({
    act: "order",
    pid: set.pid,
    key: credentials["key"] ?? "",
    out_trade_no: tradeNumber,
  });
  const url = `${toAddress(set.url, "api.php")}?${query.toString()}`;
  try {
    const order = await call(setup, tools, { method: "GET", url });
    return { order, said: textOf(order["msg"]) };
  } catch (error) {
    if (error instanceof ProviderFault && error.kind === "refused" && error.part === "order")
      return { said: error.said };
    throw error;
  }
}

async function ask(setup: Setup, payment: PendingPayment, tools: ProviderTools): Promise<AskResult> {
  const tradeNumber = findTradeNumber(payment);
  const { order } = await findOrder(setup, tradeNumber, tools);
  if (order === undefined) return { kind: "unpaid", isOver: false };
  assertSameTrade(textOf(order["out_trade_no"]), tradeNumber);
  const status = textOf(order["status"]);
  // 1 is paid; 2, where a service has it, is given back.
  if (status !== "1") return { kind: "unpaid", isOver: status === "2" };
  const amount = readAnsweredAmount(textOf(order["money"]), CURRENCY);
  const reference = textOf(order["trade_no"]);
  const notice = toTradeNotice({ tradeNumber, reference, amount, currency: CURRENCY });
  return { kind: "notices", notices: [notice] };
}

async function refund(setup: Setup, request: RefundRequest, tools: ProviderTools): Promise<RefundResult> {
  const { options: set, credentials } = setup;
  if (!set.refunds)
    throw new ProviderFault(
      "refused",
      "Refunds are not enabled for this payment provider. Refund the money there and record the refund here",
    );
  if (request.amount !== request.paid)
    throw new ProviderFault("refused", "This payment provider supports only full refunds", {
      part: "amount",
    });
  const tradeNumber = request.state["tradeNumber"] ?? "";
  const { order } = await findOrder(setup, tradeNumber, tools);
  const done = { kind: "moved", reference: request.key } as const;
  if (textOf(order?.["status"]) === "2") return done;
  await call(setup, tools, {
    method: "POST",
    url: `${toAddress(set.url, "api.php")}?act=refund`,
    ...toForm({
      pid: set.pid,
      key: credentials["key"] ?? "",
      out_trade_no: tradeNumber,
      money: toDecimal(request.amount, CURRENCY),
    }),
    isOnce: true,
  });
  return done;
}

/** Queries an impossible order: that requires the right pid and key, and sells nothing. */
async function test(setup: Setup, tools: ProviderTools): Promise<{ said: string }> {
  const tradeNumber = toTradeNumber({ orderId: "test", attempt: tools.now() });
  return { said: (await findOrder(setup, tradeNumber, tools)).said };
}

export const epay: ProviderKind<typeof options> = {
  title: "Epay (易支付)",
  documentation: "https://epay.la/doc/v1",
  options,
  credentials: { key: { schema: signingSecret, needed: true } },
  fields,
  currencies: [CURRENCY],
  origins: ({ url }) => [new URL(url).origin],
  begin,
  read: (setup, request) => Promise.resolve().then(() => read(setup, request)),
  ask,
  refund,
  test,
};
