/**
 * TokenPay: coins, priced in ordinary money. Written from its documentation,
 * https://github.com/LightCountry/TokenPay/blob/master/Wiki/docs.md, and for what that leaves open (the members of
 * /Query, which orders are found again) from the source beside it. It sends a notification up to three times within
 * two minutes, and none for orders that expire: so it is polled every minute while an order waits.
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
  type ProviderSetup,
  type ProviderTools,
  type ServiceRequest,
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
  plainAnswer,
  readAmount,
  readAnsweredAmount,
  readJson,
  serviceAddressSchema,
  textOf,
  toAddress,
  toRefusal,
} from "./answers.ts";

const UNSIGNED = ["Signature"];
/** OrderStatus of the source: Pending, Paid, Expired; notices have the numbers, /Query the words. */
const PAID = /^(?:1|Paid)$/u;
const EXPIRED = /^(?:2|Expired)$/u;
const MINUTES_ASKED = 60;

const currencies = ["CNY", "USD", "EUR", "GBP", "AUD", "HKD", "TWD", "SGD"] as const;

const options = {
  url: serviceAddressSchema,
  /** The coin that is paid with, as the service names it. */
  coin: z
    .string()
    .regex(/^[A-Za-z0-9_]{2,60}$/u, "must be a coin such as USDT_TRC20")
    .default("USDT_TRC20"),
  /** BaseCurrency in the service's own settings. */
  baseCurrency: z.enum(currencies).default("CNY"),
};
type Setup = ProviderSetup<typeof options>;

const fields: readonly ProviderField[] = [
  openField("url"),
  secretField("token"),
  openField("coin"),
  openField("baseCurrency"),
];

function sign(values: Readonly<Record<string, string | number>>, token: string): string {
  return md5Hex(toSignedText(values, UNSIGNED) + token);
}

const parts = [
  [/签名/u, "signature"],
  [/币种/u, "currency"],
  [/金额/u, "amount"],
  [/订单不存在/u, "order"],
] as const;

async function call(
  { credentials }: Setup,
  tools: ProviderTools,
  request: ServiceRequest,
): Promise<JsonObject> {
  const json = await askForJson(tools, request, { credentials });
  if (json["success"] === true) return json;
  throw toRefusal(hideSecrets(textOf(json["message"]) || JSON.stringify(json), credentials), parts);
}

async function begin(setup: Setup, request: PaymentRequest, tools: ProviderTools): Promise<PaymentStart> {
  const { options: set, credentials } = setup;
  needCurrency(request.currency, set.baseCurrency);
  const tradeNumber = toTradeNumber(request);
  const values = {
    OutOrderId: tradeNumber,
    // The same key would get the same wallet address: an address per order keeps payments apart.
    OrderUserKey: tradeNumber,
    ActualAmount: Number(toDecimal(request.amount, set.baseCurrency)),
    Currency: set.coin,
    NotifyUrl: request.notifyUrl,
    RedirectUrl: request.returnUrl,
  };
  const json = await call(setup, tools, {
    method: "POST",
    url: toAddress(set.url, "CreateOrder"),
    contentType: "application/json",
    body: JSON.stringify({ ...values, Signature: sign(values, credentials["token"] ?? "") }),
  });
  return {
    kind: "redirect",
    url: checkPayAddress(textOf(json["data"])),
    reference: textOf(objectOf(json["info"])["Id"]),
    state: { tradeNumber },
  };
}

function read({ options: set, credentials }: Setup, request: NoticeRequest): NoticeReading {
  const json = toSignedFields(readJson(request));
  const sent = textOf(json["Signature"]);
  if (sent === "")
    throw new AppError(
      "unauthenticated",
      "The field Signature is missing. TokenPay notifications are signed",
    );
  if (!isSameText(sent.toLowerCase(), sign(json, credentials["token"] ?? "")))
    throw new WrongProof("The Signature does not match this notification and the key of the provider");
  const answer = plainAnswer("ok");
  if (!PAID.test(textOf(json["Status"]))) return { notices: [], verified: "signature", answer };
  // The amount due. With DynamicAddressConfig the provider itself tolerates small differences in coins.
  const currency = textOf(json["BaseCurrency"]) || set.baseCurrency;
  const amount = readAmount(textOf(json["ActualAmount"]), { currency, pointer: "/ActualAmount" });
  const tradeNumber = needText(textOf(json["OutOrderId"]), "/OutOrderId");
  const reference = needText(textOf(json["Id"]), "/Id");
  const notice = toTradeNotice({ tradeNumber, reference, amount, currency });
  return { notices: [notice], verified: "signature", answer };
}

async function ask(setup: Setup, payment: PendingPayment, tools: ProviderTools): Promise<AskResult> {
  const { options: set, credentials } = setup;
  const { reference } = payment;
  // The service finds orders by its own id only.
  if (reference === "") return { kind: "unpaid", isOver: false };
  const query = { Id: reference, Signature: sign({ Id: reference }, credentials["token"] ?? "") };
  const url = `${toAddress(set.url, "Query")}?${new URLSearchParams(query).toString()}`;
  const data = objectOf((await call(setup, tools, { method: "GET", url }))["data"]);
  const tradeNumber = findTradeNumber(payment);
  assertSameTrade(textOf(data["outOrderId"]), tradeNumber);
  const status = textOf(data["status"]);
  if (!PAID.test(status)) return { kind: "unpaid", isOver: EXPIRED.test(status) };
  const currency = set.baseCurrency;
  const amount = readAnsweredAmount(textOf(data["actualAmount"]), currency);
  return { kind: "notices", notices: [toTradeNotice({ tradeNumber, reference, amount, currency })] };
}

export const tokenpay: ProviderKind<typeof options> = {
  title: "TokenPay",
  documentation: "https://github.com/LightCountry/TokenPay/blob/master/Wiki/docs.md",
  options,
  credentials: { token: { schema: signingSecret, needed: true } },
  fields,
  currencies,
  origins: ({ url }) => [new URL(url).origin],
  begin,
  read: (setup, request) => Promise.resolve().then(() => read(setup, request)),
  ask,
  askAfterMinutes: Array.from({ length: MINUTES_ASKED }, (_, index) => index + 1),
};
