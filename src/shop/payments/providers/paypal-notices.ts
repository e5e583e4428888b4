/**
 * PayPal's data about payments: orders, captures, refunds and disputes as notifications, and events with their
 * signature (https://developer.paypal.com/api/rest/webhooks/rest/,
 * https://developer.paypal.com/api/rest/webhooks/event-names/).
 */
import { z } from "zod";
import { AppError } from "../../../kit/errors.ts";
import { line } from "../../../kit/text/schemas.ts";
import { checkPaypalSignature } from "../paypal-signature.ts";
import { askForNotice, parseNotice, toUnread } from "./answers.ts";
import {
  type PaypalMovement,
  type PaypalOrder,
  type PaypalSetup,
  callPaypal,
  findLink,
  findOrderOfCapture,
  fromPaypalMoney,
  listCertificateOrigins,
  PaypalFault,
  paypalMovement,
  paypalOrder,
} from "./paypal-api.ts";
import {
  type NoticeReading,
  type NoticeRequest,
  type ProviderNotice,
  type ProviderTools,
  ProviderFault,
} from "./provider.ts";

const MINUTE_MS = 60_000;
/** An approval is captured until this long after the order stopped waiting. */
const LATE_MS = 10 * MINUTE_MS;

/** A notice of one movement of money; undefined for one that was not begun here. */
function toNotice(
  { id, amount, create_time: at }: PaypalMovement,
  about: { type: ProviderNotice["type"]; orderId: string | null | undefined; eventId: string },
): ProviderNotice[] {
  const { type, orderId, eventId } = about;
  if (typeof orderId !== "string") return [];
  const paidMs = type === "payment" ? Date.parse(at ?? "") : Number.NaN;
  const paidAt = Number.isNaN(paidMs) ? undefined : paidMs;
  return [
    { eventId, reference: id, orderId, type, ...fromPaypalMoney(amount), paidAt, state: { capture: id } },
  ];
}

/** The meaning of a capture's status; a refunded one had been paid. */
const captureTypes: ReadonlyMap<string, ProviderNotice["type"]> = new Map([
  ["COMPLETED", "payment"],
  ["PARTIALLY_REFUNDED", "payment"],
  ["REFUNDED", "payment"],
  ["PENDING", "pending"],
  ["DECLINED", "failed"],
  ["DENIED", "failed"],
  ["FAILED", "failed"],
]);

/** Everything that an order of PayPal's says: its captures, and what of them was given back. */
export function toOrderNotices({ purchase_units: units }: PaypalOrder, eventId: string): ProviderNotice[] {
  return (units ?? []).flatMap(({ custom_id, payments }) => {
    const captures = (payments?.captures ?? []).flatMap((capture) => {
      const type = captureTypes.get(capture.status ?? "");
      const orderId = capture.custom_id ?? custom_id;
      return type === undefined
        ? []
        : toNotice(capture, { type, orderId, eventId: `${eventId}:${capture.id}` });
    });
    const refunds = (payments?.refunds ?? []).flatMap((refund) => {
      const about = { type: "refund" as const, orderId: custom_id, eventId: `${eventId}:${refund.id}` };
      return refund.status === "COMPLETED" ? toNotice(refund, about) : [];
    });
    return [...captures, ...refunds];
  });
}

/** Whether the shop's order waits no more: `begin` writes its end into the order at PayPal. */
export function isTooLate({ purchase_units: units }: PaypalOrder, nowMs: number): boolean {
  const endSeconds = /^until-(\d{1,12})$/u.exec(units?.[0]?.reference_id ?? "")?.[1];
  return endSeconds !== undefined && nowMs > Number(endSeconds) * 1_000 + LATE_MS;
}

/** An order as PayPal has it now; undefined if PayPal no longer has it. @throws ProviderFault */
async function readOrder(
  setup: PaypalSetup,
  id: string,
  tools: ProviderTools,
): Promise<PaypalOrder | undefined> {
  try {
    const path = `/v2/checkout/orders/${encodeURIComponent(id)}`;
    const parsed = paypalOrder.safeParse(await callPaypal(setup, { path }, tools));
    if (parsed.success) return parsed.data;
    throw new ProviderFault("unavailable", "The response from PayPal is not an order");
  } catch (error) {
    if (error instanceof PaypalFault && error.status === 404) return undefined;
    throw error;
  }
}

/**
 * An order of PayPal's after its approval was captured, if it has one: approved is not paid. What the buyer approved after
 * the shop's order had ended is not taken, and PayPal lets it lapse. Undefined for one that PayPal does not know.
 * @throws ProviderFault, which leaves open whether it was captured: the next call sees
 */
export async function settleOrder(
  setup: PaypalSetup,
  id: string,
  tools: ProviderTools,
): Promise<PaypalOrder | undefined> {
  const order = await readOrder(setup, id, tools);
  if (order?.status !== "APPROVED" || isTooLate(order, tools.now())) return order;
  const path = `/v2/checkout/orders/${encodeURIComponent(id)}/capture`;
  // After a refusal the buyer approves once more, with another means: that is another capture.
  const requestId = `capture-${id}-${order.update_time ?? ""}`;
  try {
    const parsed = paypalOrder.safeParse(await callPaypal(setup, { path, body: {}, requestId }, tools));
    if (parsed.success) return parsed.data;
  } catch (error) {
    if (!(error instanceof PaypalFault && error.has("ORDER_ALREADY_CAPTURED"))) throw error;
  }
  return readOrder(setup, id, tools);
}

const disputeSchema = z.object({
  dispute_id: line(200).min(1),
  dispute_outcome: z
    .object({ outcome_code: line(200).optional() })
    .nullish()
    .catch(undefined),
  disputed_transactions: z
    .array(
      z.object({
        seller_transaction_id: line(200).optional().catch(undefined),
        custom: line(200).optional().catch(undefined),
      }),
    )
    .nullish()
    .catch(undefined),
  money_movements: z
    .array(
      z.object({
        affected_party: line(50).optional(),
        type: line(50).optional(),
        reason: line(100).optional(),
        amount: paypalMovement.shape.amount,
      }),
    )
    .nullish()
    .catch(undefined),
});

const eventSchema = z.object({
  // A separate notification for each capture adds to it.
  id: line(150).min(1),
  event_type: line(200),
  resource: z.record(z.string(), z.unknown()),
});

/** The certificate at a URL; undefined if there is none. @throws ProviderFault */
async function fetchCertificate(url: string, tools: ProviderTools): Promise<string | undefined> {
  const { status, text } = await tools.send({ method: "GET", url });
  if (status === 200) return text;
  if (status >= 400 && status < 500 && status !== 429) return undefined;
  throw new ProviderFault("unavailable", `The certificate URL of PayPal responded with status ${status}`);
}

/** An event with what is needed to look further. */
interface Told {
  readonly event: z.infer<typeof eventSchema>;
  readonly setup: PaypalSetup;
  readonly tools: ProviderTools;
}

function parseResource<T>({ event_type: type, resource }: Told["event"], schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(resource);
  if (parsed.success) return parsed.data;
  const missing = parsed.error.issues.map(({ path }) => path.join(".")).join(", ");
  throw new AppError("invalid", `The event "${type}" of PayPal is missing required data: ${missing}`);
}

async function readApproval({ event, setup, tools }: Told): Promise<ProviderNotice[]> {
  const told = parseResource(event, paypalOrder);
  try {
    const order = await settleOrder(setup, told.id, tools);
    return order === undefined ? [] : toOrderNotices(order, event.id);
  } catch (error) {
    const isDeclined = error instanceof PaypalFault && error.status === 422;
    if (!isDeclined) throw toUnread(error);
    // Another approval with another means may follow.
    const { custom_id: orderId, amount } = told.purchase_units?.[0] ?? {};
    if (!amount) return [];
    return toNotice({ id: told.id, amount, links: [] }, { type: "failed", orderId, eventId: event.id });
  }
}

function readCapture(type: ProviderNotice["type"]) {
  return ({ event }: Told): ProviderNotice[] => {
    const capture = parseResource(event, paypalMovement);
    return toNotice(capture, { type, orderId: capture.custom_id, eventId: event.id });
  };
}

/** Money that goes back: the resource is the refund, and leads up to its capture. */
function readReturn(type: "refund" | "chargeback" | "failed") {
  return async ({ event, setup, tools }: Told): Promise<ProviderNotice[]> => {
    const movement = parseResource(event, paypalMovement);
    if (type === "refund" && movement.status === "PENDING") return [];
    const capture = /\/captures\/([A-Za-z0-9]{1,40})$/u.exec(findLink(movement, "up") ?? "")?.[1];
    const orderId =
      movement.custom_id ??
      (capture && (await askForNotice(() => findOrderOfCapture(setup, capture, tools))));
    return toNotice(movement, { type, orderId, eventId: event.id });
  };
}

/**
 * A dispute moves no money by itself: other events report the seller's loss as reversed or refunded. Only what a
 * seller who won gets back is reported nowhere else.
 */
async function readDispute({ event, setup, tools }: Told): Promise<ProviderNotice[]> {
  const { dispute_id: id, ...dispute } = parseResource(event, disputeSchema);
  if (dispute.dispute_outcome?.outcome_code !== "RESOLVED_SELLER_FAVOUR") return [];
  const credits = (dispute.money_movements ?? []).filter(
    ({ affected_party, type, reason }) =>
      affected_party === "SELLER" && type === "CREDIT" && reason === "DISPUTE_SETTLEMENT",
  );
  const [transaction] = dispute.disputed_transactions ?? [];
  const capture = transaction?.seller_transaction_id;
  const orderId =
    transaction?.custom ?? (capture && (await askForNotice(() => findOrderOfCapture(setup, capture, tools))));
  return credits.flatMap(({ amount }, index) => {
    const number = index === 0 ? "" : `:${index + 1}`;
    const about = { type: "payment" as const, orderId, eventId: `${event.id}${number}` };
    return toNotice({ id: `${id}${number}`, amount, links: [] }, about);
  });
}

const readers: Readonly<Record<string, (told: Told) => ProviderNotice[] | Promise<ProviderNotice[]>>> = {
  "CHECKOUT.ORDER.APPROVED": readApproval,
  "PAYMENT.CAPTURE.COMPLETED": readCapture("payment"),
  "PAYMENT.CAPTURE.PENDING": readCapture("pending"),
  "PAYMENT.CAPTURE.DENIED": readCapture("failed"),
  "PAYMENT.CAPTURE.DECLINED": readCapture("failed"),
  "PAYMENT.CAPTURE.REFUNDED": readReturn("refund"),
  "PAYMENT.CAPTURE.REVERSED": readReturn("chargeback"),
  "PAYMENT.REFUND.FAILED": readReturn("failed"),
  "CUSTOMER.DISPUTE.RESOLVED": readDispute,
};

/** The events to choose for the webhook at PayPal. */
export const paypalEvents: readonly string[] = Object.keys(readers);

/**
 * Reads an event of PayPal; captures an approval.
 * @throws AppError `unauthenticated`, `bad_request`, `invalid`, and `unavailable` when PayPal had to be queried and
 * did not respond
 */
export async function readPaypalNotice(
  setup: PaypalSetup,
  request: NoticeRequest,
  tools: ProviderTools,
): Promise<NoticeReading> {
  if (request.method !== "POST")
    throw new AppError("method_not_allowed", "PayPal webhooks must use POST", {
      details: { allow: ["POST"] },
    });
  const { apiUrl, webhookId } = setup.options;
  await checkPaypalSignature(request, {
    webhookId,
    origins: listCertificateOrigins(apiUrl),
    nowMs: tools.now(),
    fetchCertificate: (url) => askForNotice(() => fetchCertificate(url, tools)),
  });
  const event = eventSchema.safeParse(parseNotice(request)).data;
  const type = event?.event_type ?? "";
  const reader = Object.hasOwn(readers, type) ? readers[type] : undefined;
  const notices = event === undefined ? [] : await reader?.({ event, setup, tools });
  return { notices: notices ?? [], verified: "signature" };
}
