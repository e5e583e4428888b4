/**
 * Stripe's HTTP API as the adapter uses it: form-encoded requests, amounts in Stripe's units, and faults that name the
 * field (https://docs.stripe.com/api, https://docs.stripe.com/currencies, https://docs.stripe.com/error-codes).
 */
import { z } from "zod";
import { AppError } from "../../../kit/errors.ts";
import { line } from "../../../kit/text/schemas.ts";
import { webUrl } from "../../../kit/text/variables.ts";
import { exponentOf } from "../../base/money.ts";
import { type FaultPart, type ProviderSetup, type ProviderTools, ProviderFault } from "./provider.ts";
import { findJson, fromDigits, toDigits } from "./answers.ts";

export const stripeOptions = {
  /** URL of the API, without a path: a different one for a test server such as stripe-mock. */
  apiUrl: webUrl
    .max(200)
    .refine((url) => URL.canParse(url) && new URL(url).origin === url, "must be a URL without a path")
    .default("https://api.stripe.com"),
};
export type StripeSetup = ProviderSetup<typeof stripeOptions>;

/** The form of responses; an account's webhooks have a separate version, so events are read with less trust. */
const API_VERSION = "2025-09-30.clover";

/**
 * Decimals of Stripe's amounts where they are not those of ISO 4217: ISK "requires you to represent it as a two-decimal
 * value", and MGA is on the list of zero-decimal currencies.
 */
const stripeDigits: Readonly<Record<string, number>> = { ISK: 2, MGA: 0 };
/**
 * Currencies with an uncertain minor unit, which are not accepted: UGX is on the zero-decimal list and under "special
 * cases" with two decimals; the others have more than two decimals in ISO 4217 and are not on Stripe's three-decimal
 * list.
 */
const uncertain = new Set(["UGX", "IQD", "LYD", "CLF", "UYW"]);

/** A payment of Stripe's in our minor units; what we cannot tell stays unread. @throws AppError `invalid` */
export function fromStripeAmount(amount: number, code: string): { amount: number; currency: string } {
  const currency = code.toUpperCase();
  const digits = stripeDigits[currency] ?? exponentOf(currency);
  const ours = uncertain.has(currency) ? undefined : fromDigits(amount, currency, digits);
  if (ours === undefined || !Number.isSafeInteger(ours) || ours < 0)
    throw new AppError("invalid", `The Stripe amount ${amount} ${currency} is not supported`);
  return { amount: ours, currency };
}

/** Our minor units as Stripe counts them. @throws ProviderFault "refused" for what Stripe cannot charge */
export function toStripeAmount(amount: number, currency: string): number {
  const refuse = (part: FaultPart, message: string): never => {
    throw new ProviderFault("refused", message, { part });
  };
  if (uncertain.has(currency))
    return refuse("currency", `Stripe does not document how amounts in ${currency} are counted`);
  const digits = stripeDigits[currency] ?? exponentOf(currency);
  const theirs = toDigits(amount, currency, digits);
  if (theirs === undefined) return refuse("amount", `Stripe supports only whole amounts in ${currency}`);
  // "These API calls require the least-significant (last) digit to be 0."
  if (digits === 3 && theirs % 10 !== 0)
    return refuse("amount", `Stripe supports only two decimals in ${currency}: the last digit must be 0`);
  return theirs;
}

/** Whether Stripe can charge an amount in our minor units. */
export function isStripeAmount(amount: number, currency: string): boolean {
  try {
    toStripeAmount(amount, currency);
    return true;
  } catch {
    return false;
  }
}

const errorSchema = z.object({
  error: z.object({
    type: z.string().optional().catch(undefined),
    code: z.string().optional().catch(undefined),
    param: z.string().optional().catch(undefined),
    message: z.string().catch(""),
  }),
});
type StripeError = z.infer<typeof errorSchema>["error"];

/** A fault of Stripe's with its own code, by which callers tell what they can deal with. */
export class StripeFault extends ProviderFault {
  readonly code: string;
  readonly status: number;

  constructor(status: number, { type = "", code = type, ...error }: StripeError, part?: FaultPart) {
    const isBusy = status === 429 || status === 409 || code === "lock_timeout";
    const where = part === undefined ? "" : ` the ${part}`;
    super(isBusy ? "unavailable" : "refused", `Stripe rejected${where || " the request"}`, {
      part,
      said: error.message,
    });
    this.code = code;
    this.status = status;
  }
}

/** Which setting or field is meant, by the parameter that Stripe names. */
const partsByParam: readonly (readonly [RegExp, FaultPart])[] = [
  [/^(?:success_url|cancel_url)/u, "url"],
  [/^expires_at/u, "clock"],
  [/currency/u, "currency"],
  [/amount/u, "amount"],
  [/^(?:id|session|payment_intent|charge|client_reference_id)/u, "order"],
];

function findPart(status: number, { code = "", param = "" }: StripeError): FaultPart | undefined {
  if (status === 401 || status === 403) return "credentials";
  if (/currency/u.test(code)) return "currency";
  if (/amount|already_refunded/u.test(code)) return "amount";
  if (/^account|testmode_charges_only/u.test(code)) return "merchant";
  const named = partsByParam.find(([pattern]) => pattern.test(param))?.[1];
  return named ?? (status === 404 || code === "idempotency_error" ? "order" : undefined);
}

/** A call of the API; `form` makes it a POST. */
export interface StripeCall {
  readonly path: string;
  readonly form?: Readonly<Record<string, string>>;
  readonly method?: "DELETE";
  /** The same key again is answered with the same result for at least 24 hours. */
  readonly idempotencyKey?: string;
}

/** The JSON of Stripe's answer with the answer itself. @throws ProviderFault */
export async function callStripe(
  { options, credentials }: StripeSetup,
  call: StripeCall,
  { send }: Pick<ProviderTools, "send">,
): Promise<{ readonly json: unknown; readonly headers: Headers | undefined }> {
  const { path, form, idempotencyKey } = call;
  const isWrite = form !== undefined || call.method !== undefined;
  const { secretKey = "" } = credentials;
  const { status, text, headers } = await send({
    method: call.method ?? (isWrite ? "POST" : "GET"),
    url: `${options.apiUrl}${path}`,
    headers: {
      authorization: `Bearer ${secretKey}`,
      "stripe-version": API_VERSION,
      ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
    },
    ...(form !== undefined && {
      contentType: "application/x-www-form-urlencoded",
      body: new URLSearchParams(form).toString(),
    }),
  });
  const json = findJson(text);
  if (status >= 200 && status < 300 && json !== undefined) return { json, headers };
  const said = secretKey === "" ? text : text.replaceAll(secretKey, "…");
  const failure = errorSchema.safeParse(json);
  if (status >= 500 || (status < 300 && json === undefined))
    throw new ProviderFault(isWrite ? "unclear" : "unavailable", `Stripe failed with status ${status}`, {
      said,
    });
  if (!failure.success)
    throw new ProviderFault("refused", `The server at ${options.apiUrl} is not Stripe (status ${status})`, {
      part: "url",
      said,
    });
  const { error } = failure.data;
  const message = secretKey === "" ? error.message : error.message.replaceAll(secretKey, "…");
  throw new StripeFault(status, { ...error, message }, findPart(status, error));
}

const text = line(200).min(1);
/** Written by `begin`; other members belong to other programs. */
const metadata = z
  .object({ order_id: text.optional().catch(undefined) })
  .nullish()
  .catch(undefined);
/** The id of something that may be expanded. */
const reference = z
  .union([text, z.object({ id: text }).transform(({ id }) => id)])
  .nullish()
  .catch(undefined);

export { text as stripeText, reference as stripeReference };

/** A refund: https://docs.stripe.com/api/refunds/object */
export const stripeRefund = z.object({
  id: text,
  amount: z.number().int().min(0),
  currency: text,
  status: text.nullish().catch(undefined),
  charge: reference,
  payment_intent: reference,
  metadata,
});

const listOfRefunds = z.object({ data: z.array(stripeRefund) });
export type StripeRefund = z.infer<typeof stripeRefund>;

/** A charge: https://docs.stripe.com/api/charges/object */
export const stripeCharge = z.object({
  id: text,
  created: z.number().optional().catch(undefined),
  payment_intent: reference,
  metadata,
  /** Only in versions before 2022-11-15, and if it was requested. */
  refunds: listOfRefunds.nullish().catch(undefined),
});

const expandedIntent = z.object({
  status: text.optional().catch(undefined),
  latest_charge: stripeCharge.optional().catch(undefined),
});

/** A Checkout Session: https://docs.stripe.com/api/checkout/sessions/object */
export const stripeSession = z.object({
  id: text,
  url: z.string().max(5_000).nullish().catch(undefined),
  status: text.nullish().catch(undefined),
  payment_status: text.nullish().catch(undefined),
  amount_total: z.number().int().min(0).nullish().catch(undefined),
  currency: text.nullish().catch(undefined),
  client_reference_id: text.nullish().catch(undefined),
  expires_at: z.number().optional().catch(undefined),
  metadata,
  /** Before 2025-03-31 the amounts above are those that the buyer sees, and ours are here. */
  currency_conversion: z
    .object({ amount_total: z.number().int().min(0), source_currency: text })
    .nullish()
    .catch(undefined),
  payment_intent: z
    .unknown()
    .prefault(null)
    .transform((value) => ({
      id: reference.parse(value) ?? undefined,
      expanded: expandedIntent.safeParse(value).data,
    })),
});
export type StripeSession = z.infer<typeof stripeSession>;

/** A PaymentIntent, of which only the order is wanted. */
export const stripeIntent = z.object({ id: text, metadata });

/** The newest refunds of a charge, at most 20. @throws ProviderFault */
export async function listStripeRefunds(
  setup: StripeSetup,
  charge: string,
  tools: ProviderTools,
): Promise<readonly StripeRefund[]> {
  const path = `/v1/refunds?${new URLSearchParams({ charge, limit: "20" }).toString()}`;
  const { json } = await callStripe(setup, { path }, tools);
  return listOfRefunds.parse(json).data;
}

/** The order that a payment belongs to; undefined for one that was not begun here. @throws ProviderFault */
export async function findOrderOfIntent(
  setup: StripeSetup,
  id: string,
  tools: ProviderTools,
): Promise<string | undefined> {
  const { json } = await callStripe(setup, { path: `/v1/payment_intents/${encodeURIComponent(id)}` }, tools);
  return stripeIntent.safeParse(json).data?.metadata?.order_id;
}
