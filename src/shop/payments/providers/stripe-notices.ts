/**
 * Stripe's data about payments: sessions, refunds and disputes as notifications, and events with their signature
 * (https://docs.stripe.com/webhooks#verify-manually, https://docs.stripe.com/api/events/types).
 */
import { z } from "zod";
import { AppError } from "../../../kit/errors.ts";
import { line } from "../../../kit/text/schemas.ts";
import { WrongProof } from "../notice-proof.ts";
import type {
  NoticeReading,
  NoticeRequest,
  ProviderNotice,
  ProviderTools,
  SubscriptionHint,
} from "./provider.ts";
import { askForNotice, parseNotice } from "./answers.ts";
import {
  type StripeRefund,
  type StripeSession,
  type StripeSetup,
  findOrderOfIntent,
  fromStripeAmount,
  listStripeRefunds,
  stripeCharge,
  stripeReference as reference,
  stripeRefund,
  stripeSession,
  stripeText as text,
} from "./stripe-api.ts";

/** How far the time of a signature may be from ours: that of Stripe's libraries, in seconds. */
const TOLERANCE_SECONDS = 300;
/** An endpoint whose secret is being rolled has two. */
const MAX_SIGNATURES = 10;

/** Bytes of 64 hex digits; undefined for anything else. */
function findBytes(hex: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[0-9a-fA-F]{64}$/u.test(hex)) return undefined;
  return Uint8Array.from(hex.match(/../gu) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Checks `Stripe-Signature: t=…,v1=…`. Other schemes than v1 prove nothing. @throws AppError `unauthenticated` */
async function checkSignature(
  { headers, body }: NoticeRequest,
  secret: string,
  nowMs: number,
): Promise<void> {
  const header = headers.get("stripe-signature");
  if (header === null) throw new AppError("unauthenticated", "The header Stripe-Signature is missing");
  const parts = header.split(",").map((part) => part.trim());
  const timestamp = parts.find((part) => part.startsWith("t="))?.slice(2) ?? "";
  if (!/^\d{1,12}$/u.test(timestamp))
    throw new AppError("unauthenticated", "Stripe-Signature has no timestamp (t=, in seconds)");
  if (secret === "")
    throw new AppError(
      "unauthenticated",
      "The webhook secret of this provider is not set. Set it in the provider settings",
    );
  const encoder = new TextEncoder();
  const hash = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), hash, false, ["verify"]);
  const signed = encoder.encode(`${timestamp}.${body}`);
  let isRight = false;
  for (const part of parts.filter((text) => text.startsWith("v1=")).slice(0, MAX_SIGNATURES)) {
    const bytes = findBytes(part.slice(3));
    if (bytes !== undefined && (await crypto.subtle.verify("HMAC", key, bytes, signed))) isRight = true;
  }
  if (!isRight)
    throw new WrongProof("Stripe-Signature does not match this body and the webhook secret of the provider");
  if (Math.abs(nowMs / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS)
    throw new AppError(
      "unauthenticated",
      "Stripe-Signature differs from the shop's clock by more than five minutes. Synchronize the clock",
    );
}

/** Which order a session was begun for; undefined for one that something else made on the same account. */
function findOrderOf({ metadata, client_reference_id: reference }: StripeSession): string | undefined {
  return metadata?.order_id ?? reference ?? undefined;
}

/** The notification of a session, by the type of its event or state; undefined if it is not ours. */
export function toSessionNotice(
  session: StripeSession,
  type: "payment" | "pending" | "failed",
  { eventId, paidAt }: { readonly eventId: string; readonly paidAt?: number },
): ProviderNotice | undefined {
  const orderId = findOrderOf(session);
  if (orderId === undefined) return undefined;
  const { id, amount_total: total, currency, currency_conversion: conversion, payment_intent } = session;
  const amount = conversion?.amount_total ?? total;
  const code = conversion?.source_currency ?? currency;
  if (typeof amount !== "number" || typeof code !== "string")
    throw new AppError(
      "invalid",
      `The Checkout Session "${id}" of Stripe has no amount_total or no currency`,
    );
  const money = fromStripeAmount(amount, code);
  const { id: intent = id } = payment_intent;
  const reference = type === "payment" ? intent : id;
  const state = { session: id, paymentIntent: intent };
  return { eventId, reference, orderId, type, ...money, paidAt, state };
}

/** The notification of a refund: only money that has moved counts, and a later failure is reported. */
export function toRefundNotice(
  { id, amount, currency, status }: StripeRefund,
  { eventId, orderId, of }: { readonly eventId: string; readonly orderId: string; readonly of?: string },
): ProviderNotice | undefined {
  const isFailed = status === "failed" || status === "canceled";
  // Events of the first versions have no status: what they told had gone.
  if (!isFailed && status !== "succeeded" && typeof status === "string") return undefined;
  const type = isFailed ? "failed" : "refund";
  return { eventId, reference: id, orderId, of, type, ...fromStripeAmount(amount, currency) };
}

const eventSchema = z.object({
  // A separate notification for each refund adds to it.
  id: line(150).min(1),
  type: line(200),
  created: z.number().positive().max(8.64e12).optional().catch(undefined),
  data: z.object({
    object: z.record(z.string(), z.unknown()),
    previous_attributes: z.record(z.string(), z.unknown()).optional().catch(undefined),
  }),
});
type StripeEvent = z.infer<typeof eventSchema>;

/** An event with what is needed to look further. */
interface Told {
  readonly event: StripeEvent;
  readonly setup: StripeSetup;
  readonly tools: ProviderTools;
}

function parseObject<T>({ type, data }: StripeEvent, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(data.object);
  if (parsed.success) return parsed.data;
  const missing = parsed.error.issues.map(({ path }) => path.join(".")).join(", ");
  throw new AppError("invalid", `The event "${type}" of Stripe is missing required data: ${missing}`);
}

function toList(notice: ProviderNotice | undefined): ProviderNotice[] {
  return notice === undefined ? [] : [notice];
}

function readSession({ event }: Told): ProviderNotice[] {
  const { id: eventId, type, created } = event;
  const session = parseObject(event, stripeSession);
  const paidAt = created === undefined ? undefined : created * 1_000;
  const isPaid = session.payment_status === "paid";
  if (type === "checkout.session.expired" || type === "checkout.session.async_payment_failed")
    return toList(toSessionNotice(session, "failed", { eventId }));
  // Paid later, such as by a bank's debit: completed says only that the buyer is done.
  return toList(toSessionNotice(session, isPaid ? "payment" : "pending", { eventId, paidAt }));
}

/** The order of a refund or dispute; undefined for one of a payment that was not begun here. */
async function findOrder(
  { setup, tools }: Told,
  about: Pick<StripeRefund, "metadata" | "payment_intent">,
): Promise<string | undefined> {
  const { metadata, payment_intent: intent } = about;
  const named = metadata?.order_id;
  if (named !== undefined || typeof intent !== "string") return named;
  return askForNotice(() => findOrderOfIntent(setup, intent, tools));
}

/** The order of what goes back; of a payment that names none, which may be of a subscription, the payment. */
async function findPaid(
  told: Told,
  about: Pick<StripeRefund, "metadata" | "payment_intent">,
): Promise<{ orderId: string; of?: string } | undefined> {
  const orderId = await findOrder(told, about);
  if (orderId !== undefined) return { orderId };
  const { payment_intent: intent } = about;
  return typeof intent === "string" ? { orderId: "", of: intent } : undefined;
}

async function readRefund(told: Told): Promise<ProviderNotice[]> {
  const { event } = told;
  const refund = parseObject(event, stripeRefund);
  const paid = await findPaid(told, refund);
  if (paid === undefined) return [];
  const notice = toRefundNotice(refund, { eventId: event.id, ...paid });
  // A bank may send back what had gone: it is with the seller again.
  const wasGone = event.data.previous_attributes?.["status"] === "succeeded";
  if (notice?.type !== "failed" || !wasGone) return toList(notice);
  return [notice, { ...notice, eventId: `${event.id}:returned`, type: "payment" }];
}

/** A charge tells the sum of its refunds: each is looked up, so that every one counts once with its own amount. */
async function readCharge(told: Told): Promise<ProviderNotice[]> {
  const { event, setup, tools } = told;
  const charge = parseObject(event, stripeCharge);
  const paid = await findPaid(told, charge);
  if (paid === undefined) return [];
  const refunds =
    charge.refunds?.data ?? (await askForNotice(() => listStripeRefunds(setup, charge.id, tools)));
  return refunds.flatMap((refund) =>
    toList(toRefundNotice(refund, { eventId: `${event.id}:${refund.id}`, ...paid })),
  );
}

const disputeSchema = stripeRefund;

/** Money is taken when a dispute is opened (an inquiry, "warning_…", takes none) and comes back when it is won. */
async function readDispute(told: Told): Promise<ProviderNotice[]> {
  const { event } = told;
  const { id, amount, currency, status, ...about } = parseObject(event, disputeSchema);
  const isInquiry = status?.startsWith("warning_") ?? false;
  if (isInquiry) return [];
  const paid = await findPaid(told, about);
  if (paid === undefined) return [];
  const isBack = event.type === "charge.dispute.funds_reinstated" || status === "won";
  const money = fromStripeAmount(amount, currency);
  const type = isBack ? "payment" : "chargeback";
  return [{ eventId: event.id, reference: id, ...paid, type, ...money }];
}

const readers: Readonly<Record<string, (told: Told) => ProviderNotice[] | Promise<ProviderNotice[]>>> = {
  "checkout.session.completed": readSession,
  "checkout.session.async_payment_succeeded": readSession,
  "checkout.session.async_payment_failed": readSession,
  "checkout.session.expired": readSession,
  "charge.refunded": readCharge,
  "charge.refund.updated": readRefund,
  "refund.created": readRefund,
  "refund.updated": readRefund,
  "refund.failed": readRefund,
  "charge.dispute.created": readDispute,
  "charge.dispute.funds_withdrawn": readDispute,
  "charge.dispute.funds_reinstated": readDispute,
  "charge.dispute.closed": readDispute,
};

/** Members of an event by which a subscription is found, in the versions of Stripe's API since 2022. */
const named = z
  .object({ subscription_id: text.optional().catch(undefined) })
  .nullish()
  .catch(undefined);
const billed = z.object({ subscription: reference, metadata: named }).nullish().catch(undefined);
const hintSchema = z.object({
  id: text,
  object: text,
  metadata: named,
  subscription: reference,
  subscription_details: billed,
  parent: z.object({ subscription_details: billed }).nullish().catch(undefined),
});

/** The subscription that an event is about. Its state is queried afterwards, so that the order of events does not matter. */
function readHint(event: StripeEvent): SubscriptionHint[] {
  const found = hintSchema.safeParse(event.data.object).data;
  if (found === undefined) return [];
  const isSubscription = found.object === "subscription";
  const details = found.parent?.subscription_details ?? found.subscription_details;
  const id = (isSubscription ? found.metadata : details?.metadata)?.subscription_id;
  const known = isSubscription ? found.id : (details?.subscription ?? found.subscription);
  return id === undefined && typeof known !== "string" ? [] : [{ id, reference: known ?? undefined }];
}

const hints: ReadonlySet<string> = new Set([
  "invoice.paid",
  "invoice.payment_failed",
  "customer.subscription.updated",
  "customer.subscription.deleted",
]);

/** The events to choose for the endpoint at Stripe. */
export const stripeEvents: readonly string[] = [...Object.keys(readers), ...hints];

/**
 * Reads an event of Stripe.
 * @throws AppError `unauthenticated`, `bad_request`, `invalid`, and `unavailable` when Stripe had to be queried and
 * did not respond
 */
export async function readStripeNotice(
  setup: StripeSetup,
  request: NoticeRequest,
  tools: ProviderTools,
): Promise<NoticeReading> {
  if (request.method !== "POST")
    throw new AppError("method_not_allowed", "Stripe webhooks must use POST", {
      details: { allow: ["POST"] },
    });
  await checkSignature(request, setup.credentials["webhookSecret"] ?? "", tools.now());
  const parsed = eventSchema.safeParse(parseNotice(request));
  const event = parsed.data;
  const reader = event !== undefined && Object.hasOwn(readers, event.type) ? readers[event.type] : undefined;
  const notices = event === undefined ? [] : await reader?.({ event, setup, tools });
  const subscriptions = event !== undefined && hints.has(event.type) ? readHint(event) : [];
  return { notices: notices ?? [], verified: "signature", subscriptions };
}
