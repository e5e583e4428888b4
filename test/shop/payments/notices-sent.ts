/** Notices of random histories as a payment service sends them. */
import type { ReceivedNotice } from "../../../src/shop/payments/services/receive.ts";
import { toPosted, WEBHOOK_SECRET } from "../goods.ts";
import type { Facts, ModelOrder } from "./notices-model-records.ts";
import type { Amount, NoticeStep } from "./notices-steps.ts";

const types = {
  succeeded: "payment",
  refunded: "refund",
  chargeback: "chargeback",
  pending: "pending",
  failed: "failed",
} as const;

/** A notice as it was sent. */
export interface Sent {
  readonly facts: Facts;
  readonly status: NoticeStep["status"];
  /** "" when the body names none. */
  readonly event: string;
}

/** How much a step means: of what is due, or of what was paid when it goes back. */
export function toAmount(wanted: Amount, type: string, order: ModelOrder | undefined): number {
  const { total = 1_000, received = 0, refunded = 0 } = order ?? {};
  const paid = received - refunded;
  const whole = type === "payment" ? total : Math.max(1, paid);
  const rest = type === "payment" ? Math.max(0, total - paid) : paid;
  return { whole, rest, half: Math.floor(whole / 2), more: whole + 100, one: 1, none: 0 }[wanted];
}

/** The notice of a step about an order. */
export function toSent(step: NoticeStep, order: ModelOrder | undefined, at: number): Sent {
  const type = types[step.status];
  const { id = "ord_nobody", number = "no-number" } = order ?? {};
  const claimed = { id, number: number.toLowerCase(), nobody: "ord_nobody" }[step.by];
  const facts = {
    provider: step.provider,
    ref: step.ref === "" ? `fresh${at}` : step.ref,
    type,
    claimed,
    amount: toAmount(step.amount, type, order),
    currency: step.currency,
  };
  return { facts, status: step.status, event: step.event };
}

/** What a notice's event is known by. */
export function toEventId({ facts, event }: Sent): string {
  return event === "" ? `${facts.type}:${facts.ref}` : event;
}

/** The request of a notice; the provider "open" sends no proof. */
export function toReceived({ facts, status, event }: Sent): ReceivedNotice {
  const { provider, ref, claimed, amount, currency } = facts;
  const data = { id: ref, orderId: claimed, amount, currency, status };
  const json = { type: "payment.arrived", data, ...(event === "" ? {} : { id: event }) };
  const proof = provider === "test" ? WEBHOOK_SECRET : undefined;
  return toPosted({ provider, json, secret: proof });
}
