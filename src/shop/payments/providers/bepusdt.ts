/**
 * BEpusdt: coins, priced in ordinary money. Written from its documentation,
 * https://github.com/v03413/BEpusdt/blob/main/docs/api/api.md (2026) and, for the first line of versions,
 * https://github.com/v03413/bepusdt/blob/v1/docs/api.md and https://github.com/assimon/epusdt/blob/master/wiki/API.md;
 * for queries, from its source (app/handler/epusdt). Notifications name no currency: it is that of the settings.
 */
import { signingSecret } from "./signing-secret.ts";
import { z } from "zod";
import { AppError } from "../../../kit/errors.ts";
import { isSameText } from "../../../kit/secrets/same-text.ts";
import { toDecimal } from "../../base/money.ts";
import { WrongProof } from "../notice-proof.ts";
import { md5Hex } from "../signing/md5.ts";
import { toSignedFields, toSignedText } from "../signing/signed-fields.ts";
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
  type ProviderNotice,
  type ProviderSetup,
  type ProviderTools,
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
  objectOf,
  parseObject,
  plainAnswer,
  readAmount,
  readAnsweredAmount,
  readJson,
  serviceAddressSchema,
  textOf,
  toAddress,
  toRefusal,
} from "./answers.ts";

const UNSIGNED = ["signature"];
/** The service takes no shorter and no longer wait, in seconds; outside of these it takes its own. */
const MIN_TIMEOUT = 180;
const MAX_TIMEOUT = 3_600;

const currencies = ["CNY", "USD", "EUR", "GBP", "JPY"] as const;

const options = {
  url: serviceAddressSchema,
  /** The money that prices are in, which the service turns into coins. */
  fiat: z.enum(currencies).default("CNY"),
  /** Coin and chain; "": the buyer chooses at the service. */
  tradeType: z
    .string()
    .regex(/^(?:[a-z0-9]+\.[a-z0-9]+)?$/u, "must be a coin and its chain such as usdt.trc20")
    .max(40)
    .default("usdt.trc20"),
  /** The word that ends the repeats of a notice. */
  answer: z.enum(["ok", "success"]).default("ok"),
};
type Setup = ProviderSetup<typeof options>;

const fields: readonly ProviderField[] = [
  openField("url"),
  secretField("token"),
  openField("fiat"),
  openField("tradeType"),
  openField("answer"),
];

type Values = Readonly<Record<string, string | number>>;

function sign(values: Values, token: string): string {
  return md5Hex(toSignedText(values, UNSIGNED) + token);
}

const parts = [
  [/签名|signature/iu, "signature"],
  [/订单不存在|not found/iu, "order"],
  [/汇率|法币|fiat/iu, "currency"],
  [/金额|amount/iu, "amount"],
] as const;

/** Sends a signed request; `data` of the answer. */
async function call(
  { options: { url }, credentials }: Setup,
  tools: ProviderTools,
  { path, values }: { readonly path: string; readonly values: Values },
): Promise<JsonObject> {
  const signature = sign(values, credentials["token"] ?? "");
  const body = JSON.stringify({ ...values, signature });
  const request = {
    method: "POST",
    url: toAddress(url, path),
    contentType: "application/json",
    body,
  } as const;
  const json = await askForJson(tools, request, { credentials });
  if (textOf(json["status_code"]) === "200") return objectOf(json["data"]);
  throw toRefusal(hideSecrets(textOf(json["message"]) || JSON.stringify(json), credentials), parts);
}

async function begin(setup: Setup, request: PaymentRequest, tools: ProviderTools): Promise<PaymentStart> {
  const { fiat, tradeType } = setup.options;
  needCurrency(request.currency, fiat);
  const tradeNumber = toTradeNumber(request);
  const nowMs = tools.now();
  const leftSeconds = Math.floor((request.expiresAt - nowMs) / 1_000);
  const data = await call(setup, tools, {
    path: `api/v1/order/${tradeType === "" ? "create-order" : "create-transaction"}`,
    values: {
      order_id: tradeNumber,
      amount: Number(toDecimal(request.amount, fiat)),
      fiat,
      ...(tradeType === "" ? {} : { trade_type: tradeType }),
      name: request.description.slice(0, 60),
      notify_url: request.notifyUrl,
      redirect_url: request.returnUrl,
      timeout: Math.min(MAX_TIMEOUT, Math.max(MIN_TIMEOUT, leftSeconds)),
    },
  });
  const waits = Number(textOf(data["expiration_time"]));
  return {
    kind: "redirect",
    url: checkPayAddress(textOf(data["payment_url"])),
    reference: textOf(data["trade_id"]),
    state: { tradeNumber },
    // Seconds; Epusdt, whose interface this was, tells the moment.
    ...(waits > 0 ? { expiresAt: waits > 1e9 ? waits * 1_000 : nowMs + waits * 1_000 } : {}),
  };
}

function toNotice(
  trade: Parameters<typeof toTradeNotice>[0],
  type: "payment" | "failed" = "payment",
): ProviderNotice {
  return toTradeNotice(trade, { type, eventId: `${trade.reference}:${type}` });
}

function read(
  { options: { fiat, answer: word }, credentials }: Setup,
  request: NoticeRequest,
): NoticeReading {
  const json = toSignedFields(readJson(request));
  const sent = textOf(json["signature"]);
  if (sent === "")
    throw new AppError("unauthenticated", "The field signature is missing. BEpusdt notifications are signed");
  if (!isSameText(sent.toLowerCase(), sign(json, credentials["token"] ?? "")))
    throw new WrongProof("The signature does not match this notification and the token of the provider");
  const answer = plainAnswer(word);
  const status = textOf(json["status"]);
  // 1 comes every minute until the buyer pays, and 2 once: an expiry is 3.
  if (status !== "2" && status !== "3") return { notices: [], verified: "signature", answer };
  const notice = {
    tradeNumber: needText(textOf(json["order_id"]), "/order_id"),
    reference: needText(textOf(json["trade_id"]), "/trade_id"),
    // The amount due, not the coins: the books are in the order's currency.
    amount: readAmount(textOf(json["amount"]), { currency: fiat, pointer: "/amount" }),
    currency: fiat,
  };
  const type = status === "2" ? "payment" : "failed";
  return { notices: [toNotice(notice, type)], verified: "signature", answer };
}

/**
 * The status query of the provider's own payment page: since 2026 with the amount, in older versions only the status.
 */
async function askStatus(
  { options: { url } }: Setup,
  tradeId: string,
  tools: ProviderTools,
): Promise<JsonObject> {
  const answer = await tools.send({
    method: "POST",
    url: toAddress(url, "api/v1/pay/info"),
    contentType: "application/json",
    body: JSON.stringify({ trade_id: tradeId }),
  });
  const info = objectOf(parseObject(answer.text)?.["data"]);
  if (answer.status === 200 && textOf(info["status"]) !== "") return info;
  const older = {
    method: "GET",
    url: toAddress(url, `pay/check-status/${encodeURIComponent(tradeId)}`),
  } as const;
  const json = await askForJson(tools, older, { credentials: {} });
  return textOf(json["status"]) === "" ? objectOf(json["data"]) : json;
}

async function ask(setup: Setup, payment: PendingPayment, tools: ProviderTools): Promise<AskResult> {
  const { reference } = payment;
  if (reference === "") return { kind: "unpaid", isOver: false };
  const tradeNumber = findTradeNumber(payment);
  const info = await askStatus(setup, reference, tools);
  const status = textOf(info["status"]);
  // 3 expired, 4 canceled, 6 failed on the chain.
  if (status !== "2") return { kind: "unpaid", isOver: /^[346]$/u.test(status) };
  assertSameTrade(textOf(info["order_id"]) || tradeNumber, tradeNumber);
  const currency = textOf(info["fiat"]) || setup.options.fiat;
  // An order recreated under the same name also has the attempt's amount: other amounts are other attempts.
  const money = textOf(info["money"]);
  const amount = money === "" ? payment.amount : readAnsweredAmount(money, currency);
  return { kind: "notices", notices: [toNotice({ tradeNumber, reference, amount, currency })] };
}

async function cancel(
  setup: Setup,
  { reference }: Pick<PendingPayment, "reference">,
  tools: ProviderTools,
): Promise<void> {
  if (reference === "") return;
  await call(setup, tools, { path: "api/v1/order/cancel-transaction", values: { trade_id: reference } });
}

export const bepusdt: ProviderKind<typeof options> = {
  title: "BEpusdt",
  documentation: "https://github.com/v03413/BEpusdt/blob/main/docs/api/api.md",
  options,
  credentials: { token: { schema: signingSecret, needed: true } },
  fields,
  currencies,
  origins: ({ url }) => [new URL(url).origin],
  begin,
  read: (setup, request) => Promise.resolve().then(() => read(setup, request)),
  ask,
  cancel,
};
