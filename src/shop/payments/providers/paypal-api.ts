/**
 * PayPal's REST API as the adapter uses it: an access token, decimal amounts, and faults that name the field
 * (https://developer.paypal.com/api/rest/, https://developer.paypal.com/docs/api/orders/v2/,
 * https://developer.paypal.com/docs/api/payments/v2/, https://developer.paypal.com/api/rest/reference/currency-codes/).
 */
import { z } from "zod";
import { AppError } from "../../../kit/errors.ts";
import { line } from "../../../kit/text/schemas.ts";
import { webUrl } from "../../../kit/text/variables.ts";
import { parseDecimal, toDecimal } from "../../base/money.ts";
import { findJson } from "./answers.ts";
import { type FaultPart, type ProviderSetup, type ProviderTools, ProviderFault } from "./provider.ts";

const LIVE = "https://api-m.paypal.com";

export const paypalOptions = {
  /** URL of the API, without a path: a different one for the sandbox or a test server. */
  apiUrl: webUrl
    .max(200)
    .refine((url) => URL.canParse(url) && new URL(url).origin === url, "must be a URL without a path")
    .default(LIVE),
  clientId: z.string().regex(/^[A-Za-z0-9_-]{10,200}$/u, "must be the client ID of the app at PayPal"),
  /** Signatures cover it, so that a notice for another shop is none for this one. */
  webhookId: z.string().regex(/^[A-Za-z0-9]{5,50}$/u, "must be the ID of the webhook at PayPal"),
};
export type PaypalSetup = ProviderSetup<typeof paypalOptions>;

/** https://developer.paypal.com/api/rest/reference/currency-codes/ */
export const paypalCurrencies: readonly string[] =
  "AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN RUB SEK SGD THB TWD USD".split(
    " ",
  );
/** "This currency does not support decimals. If you pass a decimal amount, an error occurs." */
const wholeOnly = new Set(["HUF", "JPY", "TWD"]);

/** An amount as PayPal wants it. @throws ProviderFault "refused" for one that it cannot take */
export function toPaypalMoney(amount: number, currency: string): { currency_code: string; value: string } {
  const value = toDecimal(amount, currency);
  if (!wholeOnly.has(currency)) return { currency_code: currency, value };
  const [whole = "", fraction = ""] = value.split(".");
  if (/[1-9]/u.test(fraction))
    throw new ProviderFault("refused", `PayPal supports only whole amounts in ${currency}`, {
      part: "amount",
    });
  return { currency_code: currency, value: whole };
}

/** The access token of a provider's settings, which are replaced whole when they change; until when, epoch milliseconds. */
const tokens = new WeakMap<PaypalSetup["credentials"], { key: string; token: string; untilMs: number }>();
/** A token is renewed this long before it expires. */
const TOKEN_MARGIN_MS = 60_000;

const tokenSchema = z.object({
  access_token: line(4_000).min(1),
  expires_in: z.number().positive().max(1e9),
});
const errorSchema = z.object({
  name: z.string().optional().catch(undefined),
  error: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
  error_description: z.string().optional().catch(undefined),
  details: z
    .array(
      z.object({
        issue: z.string().optional().catch(undefined),
        field: z.string().optional().catch(undefined),
        description: z.string().optional().catch(undefined),
      }),
    )
    .optional()
    .catch(undefined),
});
type PaypalError = z.infer<typeof errorSchema>;

/** The setting or field in question, by PayPal's name and location of the issue. */
const partsByWords: readonly (readonly [RegExp, FaultPart])[] = [
  [/CURRENCY|currency_code/u, "currency"],
  [/AMOUNT|DECIMAL|FULLY_REFUNDED|\/amount/u, "amount"],
  [/return_url|cancel_url/u, "url"],
  [/PAYEE|PERMISSION_DENIED|NOT_AUTHORIZED|PAYMENT_DENIED|TRANSACTION_REFUSED/u, "merchant"],
  [/RESOURCE_NOT_FOUND|INVALID_RESOURCE_ID|DUPLICATE_INVOICE_ID/u, "order"],
];

/** A refusal of PayPal's with its issues, by which callers tell what they can deal with. */
export class PaypalFault extends ProviderFault {
  readonly issues: readonly string[];
  readonly status: number;

  constructor(status: number, { name, error, message, error_description, details = [] }: PaypalError) {
    const code = name ?? error ?? "";
    const words = [code, ...details.map(({ issue = "", field = "" }) => `${issue} ${field}`)].join(" ");
    const named = partsByWords.find(([pattern]) => pattern.test(words))?.[1];
    const part = status === 401 ? "credentials" : named;
    const where = part === undefined ? "" : ` the ${part}`;
    const said = [
      code,
      message ?? error_description,
      ...details.map(({ issue, description }) => issue ?? description),
    ];
    super(status === 429 ? "unavailable" : "refused", `PayPal rejected${where || " the request"}`, {
      part,
      said: said.filter((text) => text !== undefined && text !== "").join(": "),
    });
    this.issues = [code, ...details.map(({ issue = "" }) => issue)];
    this.status = status;
  }

  has(issue: string): boolean {
    return this.issues.includes(issue);
  }
}

/** The JSON of an answer. @throws ProviderFault */
function readAnswer(
  { status, text }: { readonly status: number; readonly text: string },
  {
    isWrite,
    secret,
    origin,
  }: { readonly isWrite: boolean; readonly secret: string; readonly origin: string },
): unknown {
  const json = findJson(text);
  if (status >= 200 && status < 300 && json !== undefined) return json;
  const said = secret === "" ? text : text.replaceAll(secret, "…");
  if (status >= 500 || (status >= 200 && status < 300))
    throw new ProviderFault(isWrite ? "unclear" : "unavailable", `PayPal failed with status ${status}`, {
      said,
    });
  const failure = errorSchema.safeParse(findJson(said));
  if (failure.success) throw new PaypalFault(status, failure.data);
  throw new ProviderFault("refused", `The server at ${origin} is not PayPal (status ${status})`, {
    part: "url",
    said,
  });
}

async function findToken(setup: PaypalSetup, tools: ProviderTools): Promise<string> {
  const { apiUrl, clientId } = setup.options;
  const { clientSecret = "" } = setup.credentials;
  const key = `${apiUrl} ${clientId}`;
  const known = tokens.get(setup.credentials);
  if (known?.key === key && known.untilMs > tools.now()) return known.token;
  const answer = await tools.send({
    method: "POST",
    url: `${apiUrl}/v1/oauth2/token`,
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    contentType: "application/x-www-form-urlencoded",
    body: "grant_type=client_credentials",
  });
  const json = readAnswer(answer, { isWrite: false, secret: clientSecret, origin: apiUrl });
  const token = tokenSchema.safeParse(json);
  if (!token.success) throw new ProviderFault("unavailable", "The response from PayPal has no access token");
  const untilMs = tools.now() + token.data.expires_in * 1_000 - TOKEN_MARGIN_MS;
  tokens.set(setup.credentials, { key, token: token.data.access_token, untilMs });
  return token.data.access_token;
}

/** A call of the API; `body` makes it a POST. */
export interface PaypalCall {
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** The same key again is answered with the same result for six hours. */
  readonly requestId?: string;
}

/** The JSON of PayPal's answer, whole rather than minimal. @throws ProviderFault */
export async function callPaypal(
  setup: PaypalSetup,
  call: PaypalCall,
  tools: ProviderTools,
): Promise<unknown> {
  const { path, body, requestId } = call;
  const { apiUrl: origin } = setup.options;
  const isWrite = body !== undefined;
  const ask = async (): Promise<unknown> => {
    const token = await findToken(setup, tools);
    const answer = await tools.send({
      method: isWrite ? "POST" : "GET",
      url: `${origin}${path}`,
      headers: {
        authorization: `Bearer ${token}`,
        prefer: "return=representation",
        ...(requestId !== undefined && { "paypal-request-id": requestId.slice(0, 108) }),
      },
      ...(isWrite && { contentType: "application/json", body: JSON.stringify(body) }),
    });
    return readAnswer(answer, { isWrite, secret: token, origin });
  };
  const isFresh = !tokens.has(setup.credentials);
  try {
    return await ask();
  } catch (error) {
    if (isFresh || !(error instanceof PaypalFault && error.status === 401)) throw error;
    // A token may end before its time; whether the credentials are wrong a new one tells.
    tokens.delete(setup.credentials);
    return ask();
  }
}

const text = line(200).min(1);
const optionalText = text.nullish().catch(undefined);

/** A decimal amount as it came. */
const moneySchema = z.object({ currency_code: line(3).min(3), value: line(32) });
export type PaypalMoney = z.infer<typeof moneySchema>;

/** PayPal's amount in our minor units. @throws AppError `invalid` for one that is none of that currency */
export function fromPaypalMoney({ currency_code: code, value }: PaypalMoney): {
  amount: number;
  currency: string;
} {
  const currency = code.toUpperCase();
  const amount = parseDecimal(value, currency);
  if (amount !== undefined) return { amount, currency };
  throw new AppError("invalid", `The PayPal amount "${value}" ${currency} is not supported`);
}

const linksSchema = z
  .array(z.object({ rel: z.string(), href: z.string().max(5_000) }))
  .nullish()
  .catch(undefined);

/** A capture or a refund: https://docs.paypal.ai/reference/api/rest/captured-payments/show-captured-payment-details */
export const paypalMovement = z.object({
  id: text,
  status: optionalText,
  amount: moneySchema,
  custom_id: optionalText,
  create_time: optionalText,
  links: linksSchema,
});
export type PaypalMovement = z.infer<typeof paypalMovement>;

const movements = z.array(paypalMovement).nullish().catch(undefined);

/** An order of PayPal's: https://developer.paypal.com/docs/api/orders/v2/ */
export const paypalOrder = z.object({
  id: text,
  status: optionalText,
  create_time: optionalText,
  update_time: optionalText,
  purchase_units: z
    .array(
      z.object({
        reference_id: optionalText,
        custom_id: optionalText,
        amount: moneySchema.nullish().catch(undefined),
        payments: z.object({ captures: movements, refunds: movements }).nullish().catch(undefined),
      }),
    )
    .nullish()
    .catch(undefined),
  links: linksSchema,
});
export type PaypalOrder = z.infer<typeof paypalOrder>;

/** Where a link of an object leads; undefined where it has none of that name. */
export function findLink({ links }: Pick<PaypalOrder, "links">, rel: string): string | undefined {
  return links?.find((link) => link.rel === rel)?.href;
}

/** The order that a capture belongs to; undefined for one that was not begun here. @throws ProviderFault */
export async function findOrderOfCapture(
  setup: PaypalSetup,
  id: string,
  tools: ProviderTools,
): Promise<string | undefined> {
  const json = await callPaypal(setup, { path: `/v2/payments/captures/${encodeURIComponent(id)}` }, tools);
  return paypalMovement.safeParse(json).data?.custom_id ?? undefined;
}

/** Which addresses certificates of notices may come from: those of the API that is used, and no other. */
export function listCertificateOrigins(apiUrl: string): readonly string[] {
  if (apiUrl === LIVE || apiUrl === "https://api.paypal.com") return [LIVE, "https://api.paypal.com"];
  const sandbox = ["https://api-m.sandbox.paypal.com", "https://api.sandbox.paypal.com"];
  return sandbox.includes(apiUrl) ? sandbox : [apiUrl];
}
