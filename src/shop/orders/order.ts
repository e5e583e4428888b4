/** Everything an order may become: each move is a pure function that gives the next record and what goes with it. */
import { AppError } from "../../kit/errors.ts";
import type { MailKind } from "../site/schema.ts";
import { toDecimal } from "../base/money.ts";
import type { RefundPart } from "../base/refund-part.ts";
import { releaseCards } from "./card-shares.ts";
import { addParts, toRefundParts } from "./refund-parts.ts";
import { type Books, toPaymentStatus } from "./payment-status.ts";
import { type OrderEvent, allowedFrom, getMove, refuse } from "./moves.ts";
import type { Attention, HistoryEntry, OrderChange, OrderLine, OrderRecord } from "./schema.ts";

const DAY_MS = 86_400_000;

/** "order_token" and "order_link" cannot be switched off: they were requested. */
export type OrderMailKind = Extract<MailKind, `order_${string}`> | "order_token" | "order_link";

/** Effects of a move, in its transaction: units of stock, the coupon, emails. */
export type OrderEffect =
  | { readonly kind: "reserve" | "take" | "release" | "put_back" | "retake_coupon" | "return_coupon" }
  | {
      readonly kind: "mail";
      readonly mail: OrderMailKind;
      readonly note?: string | undefined;
      readonly changes?: readonly OrderChange[] | undefined;
    }
  /** Licenses end: with "refund" those of refunded units, else all of the order. */
  | { readonly kind: "disable_licenses"; readonly reason: "refund" | "dispute" | "canceled" }
  /** Gift cards that paid for an order get their amounts back, because it will not be paid. */
  | { readonly kind: "release_cards" }
  /** Gift cards that the order sold: the refunded part of them ends, or all are disabled. */
  | { readonly kind: "end_cards"; readonly reason: "refund" | "dispute" }
  /** Money of a renewal went back; with "refund" only once all of its units are refunded. */
  | { readonly kind: "take_back_renewal"; readonly reason: "refund" | "dispute" | "canceled" }
  /** A renewal will not be paid by this order. */
  | { readonly kind: "wake_renewal" }
  /** The administrator learns of a paid order that waits for a person. */
  | { readonly kind: "mail_new_order" }
  /** A document is due, where the shop writes such. */
  | { readonly kind: "invoice"; readonly on: "order" | "payment" | "delivery" }
  /** An order with an invoice will not be paid. */
  | { readonly kind: "void_invoice" }
  /** The invoice is replaced if an edit changed what it prints. */
  | { readonly kind: "correct_invoice" }
  | {
      readonly kind: "credit_note";
      readonly amount: number;
      readonly parts?: readonly RefundPart[] | undefined;
      /** Set if the parts were computed. */
      readonly isSpread?: boolean | undefined;
      readonly reason?: string | undefined;
    }
  | {
      readonly kind: "mail_admin";
      readonly subject: string;
      readonly lines: readonly string[];
      /** "admin_attention" unless told. */
      readonly about?: "dispute" | "withdrawal";
    };

/** The next record of an order, and what goes with it. */
export interface Moved {
  readonly order: OrderRecord;
  readonly effects: readonly OrderEffect[];
}

/** The actor of a move, and its time. */
export interface MoveNote {
  /** "system", "buyer", "admin", or "provider <slug>". */
  readonly by: string;
  readonly atMs: number;
  readonly note?: string | undefined;
}

/** Entries after which a history keeps moves alone: a provider that repeats itself must not fill the store. */
const MAX_HISTORY = 200;

/** The order with one more entry in its history, and nothing else changed. */
export function withHistory(order: OrderRecord, entry: HistoryEntry): OrderRecord {
  // No order moves more than a few times.
  if (order.history.length >= MAX_HISTORY && entry.to === undefined) return { ...order, updatedAt: entry.at };
  return { ...order, updatedAt: entry.at, history: [...order.history, entry] };
}

/** Times that a state brings; what is only kept while an order waits for payment or for its buyer ends. */
function withTimes(order: OrderRecord, atMs: number): OrderRecord {
  if (order.status === "pending_payment") return order;
  const {
    openUser: _user,
    openEmail: _email,
    openAddress: _address,
    pendingUntil: _until,
    autoCompleteAt: _auto,
    ...rest
  } = order;
  switch (order.status) {
    case "paid":
      return { ...rest, paidAt: order.paidAt ?? atMs };
    case "fulfilling":
      return rest;
    case "delivered":
      return { ...rest, deliveredAt: atMs };
    case "completed":
      return { ...rest, completedAt: atMs };
    case "canceled":
      return { ...rest, canceledAt: atMs };
    case "expired":
      return { ...rest, expiredAt: atMs };
  }
}

/** Moves an order by the table, with its history. Throws `illegal_transition` with `from`, `to` and `allowed`. */
export function moveOrder(order: OrderRecord, event: OrderEvent, { by, atMs, note }: MoveNote): OrderRecord {
  const from = order.status;
  const to = getMove(from, event);
  return withHistory(withTimes({ ...order, status: to }, atMs), { at: atMs, by, event, from, to, note });
}

/** The order with flags for a person. */
export function withAttention(order: OrderRecord, ...flags: readonly Attention[]): OrderRecord {
  const attention = [...new Set([...order.attention, ...flags])];
  return attention.length === 0 ? order : { ...order, attention, needsAttention: "yes" };
}

export function withoutAttention(order: OrderRecord, ...flags: readonly Attention[]): OrderRecord {
  const attention = order.attention.filter((flag) => !flags.includes(flag));
  if (attention.length === order.attention.length) return order;
  return { ...order, attention, needsAttention: attention.length === 0 ? undefined : "yes" };
}

/** The amount due: zero once an order was paid or ended, unless an edit made it more expensive after that. */
export function amountDueOf(order: OrderRecord): number {
  const { status, total, amountPaid, amountRefunded, balanceDue = 0 } = order;
  if (status === "pending_payment" || status === "expired") return Math.max(0, total - amountPaid);
  const isRefunded = amountRefunded > 0 && amountPaid <= 0;
  return (status === "paid" || status === "fulfilling") && !isRefunded ? balanceDue : 0;
}

/** Whether a payment is expected: of the whole order, or of the balance after an edit. */
export function awaitsPayment(order: OrderRecord): boolean {
  return order.status === "pending_payment" || (order.status !== "expired" && amountDueOf(order) > 0);
}

/** Throws `illegal_transition` for an order that waits for no payment. */
export function assertAwaitsPayment(order: OrderRecord, details: { to?: string; allowed: string[] }): void {
  const { status } = order;
  if (!awaitsPayment(order) && status !== "expired")
    refuse(status, `An order with the status ${status} cannot be paid`, details);
}

/** Whether nothing is mailed about an order before it is paid. */
export function isQuiet({
  isQuiet: quiet,
  amountPaid,
  amountRefunded,
  giftCards,
  paidAt,
}: OrderRecord): boolean {
  if (quiet !== true) return false;
  // What a card holds is no payment of anybody at this address.
  return paidAt === undefined && giftCards !== undefined ? true : amountPaid + amountRefunded === 0;
}

type Derived =
  | ("version" | "emailLower" | "status" | "paymentStatus" | "attention" | "history")
  | ("amountPaid" | "amountRefunded" | "pendingUntil" | "createdAt" | "updatedAt");

export function placeOrder(facts: Omit<OrderRecord, Derived>, atMs: number): Omit<OrderRecord, "version"> {
  return {
    emailLower: facts.email.toLowerCase(),
    status: "pending_payment",
    paymentStatus: toPaymentStatus({ total: facts.total, received: 0, refunded: 0 }),
    attention: [],
    amountPaid: 0,
    amountRefunded: 0,
    history: [{ at: atMs, by: "buyer", event: "placed", to: "pending_payment" }],
    pendingUntil: facts.expiresAt,
    createdAt: atMs,
    updatedAt: atMs,
    // Last: V8 takes nearly a microsecond for each member that is new to a copy of so large an object.
    ...facts,
  };
}

/** Money that came or went back, as the history shows it. */
export interface MoneyMove extends MoveNote {
  readonly type: "payment" | "refund" | "chargeback";
  /** The amount for people. */
  readonly money: string;
  /** With this money. */
  readonly books: Books;
  /** Nothing proves where the notice of it came from. */
  readonly isUnproved: boolean;
  /** The items that a refund belongs to; absent: all of them, by value. */
  readonly parts?: readonly RefundPart[] | undefined;
}

/** Flags that a full payment settles; `settlePaid` raises "stock_shortfall" again where keys are missing. */
const settled = ["underpaid", "payment_claim", "late_payment", "stock_shortfall", "other_method"] as const;

function endLicenses(
  { lines }: OrderRecord,
  reason: Extract<OrderEffect, { kind: "disable_licenses" }>["reason"],
): OrderEffect[] {
  const effects: OrderEffect[] = [];
  if (lines.some(({ license }) => license !== undefined)) effects.push({ kind: "disable_licenses", reason });
  if (lines.some(({ renewal }) => renewal !== undefined)) effects.push({ kind: "take_back_renewal", reason });
  return effects;
}

function endCards({ lines }: OrderRecord, reason: "refund" | "dispute"): OrderEffect[] {
  return lines.some(({ deliveryType }) => deliveryType === "gift_card")
    ? [{ kind: "end_cards", reason }]
    : [];
}

/** Money in the books of an order, with its flags; the payment of all that is due is followed by `payOrder`. */
export function bookMoney(order: OrderRecord, move: MoneyMove): Moved {
  const { type, by, atMs, note, books, money, isUnproved } = move;
  const noted = withHistory(order, { at: atMs, by, event: type, note });
  const net = books.received - books.refunded;
  const summed: OrderRecord = {
    ...noted,
    amountPaid: net,
    amountRefunded: books.refunded,
    paymentStatus: toPaymentStatus({ total: order.total, ...books }),
  };
  const booked = isUnproved ? withAttention(summed, "unverified_notice") : summed;
  switch (type) {
    case "payment": {
      if (net < order.total) return { order: withAttention(booked, "underpaid"), effects: [] };
      const paid = withoutAttention(booked, ...settled);
      return { order: net > order.total ? withAttention(paid, "overpaid") : paid, effects: [] };
    }
    case "refund": {
      const parts = toRefundParts(order, { net, parts: move.parts });
      const refundParts = parts.length === 0 ? order.refundParts : addParts(order, parts);
      return {
        order: withoutAttention({ ...booked, refundParts }, "overpaid"),
        effects: [
          {
            kind: "credit_note",
            amount: books.refunded - order.amountRefunded,
            parts,
            isSpread: parts !== move.parts,
          },
          { kind: "mail", mail: "order_refunded" },
          ...endLicenses(order, "refund"),
          ...endCards(order, "refund"),
        ],
      };
    }
    case "chargeback": {
      const subject = `chargeback for order ${order.number}`;
      return {
        order: withAttention(booked, "chargeback"),
        effects: [
          { kind: "mail_admin", about: "dispute", subject, lines: [`${money} was charged back.`] },
          ...endLicenses(order, "dispute"),
          ...endCards(order, "dispute"),
        ],
      };
    }
  }
}

/** Leaves money aside for a person to decide, and says so on the order; `about` names the notice. */
export function reviewMoney(
  order: OrderRecord,
  {
    flags,
    about,
    type,
    by,
    atMs,
    note = "",
  }: MoveNote & { type: string; about: string; flags: readonly Attention[] },
): Moved {
  const noted = withHistory(order, { at: atMs, by, event: `${type}_needs_review`, note });
  const subject = `a payment notification for order ${order.number} needs review`;
  return {
    order: withAttention(noted, ...flags),
    effects: [{ kind: "mail_admin", subject, lines: [note, about] }],
  };
}

/** The whole payment is in the books: units leave the stock. Throws `illegal_transition`. */
export function payOrder(order: OrderRecord, by: MoveNote): Moved {
  if (order.status !== "expired") return { order: moveOrder(order, "pay", by), effects: [{ kind: "take" }] };
  return {
    order: moveOrder(order, "pay_late", by),
    effects: [{ kind: "reserve" }, { kind: "retake_coupon" }, { kind: "take" }],
  };
}

/** The delivered content of an order. */
export interface Goods {
  readonly lines: OrderLine[];
  /** False when keys were missing for a line, which then waits for a person. */
  readonly isComplete: boolean;
  /** Days after which a delivered order counts as completed; 0 for never. */
  readonly autoCompleteDays: number;
}

export function isHandedOver({ deliveredAt }: OrderLine): boolean {
  return deliveredAt !== undefined;
}

export function toDelivered(order: OrderRecord, days: number, by: MoveNote): OrderRecord {
  const fulfilling = order.status === "fulfilling" ? order : moveOrder(order, "start_fulfilling", by);
  const delivered = moveOrder(fulfilling, "deliver", by);
  return days === 0 ? delivered : { ...delivered, autoCompleteAt: by.atMs + days * DAY_MS };
}

/** A paid order with the goods that need no person. */
export function settlePaid(
  order: OrderRecord,
  { lines, isComplete, autoCompleteDays, atMs }: Goods & { readonly atMs: number },
): Moved {
  const by = { by: "system", atMs };
  let next: OrderRecord = { ...order, lines };
  if (lines.every(isHandedOver)) next = toDelivered(next, autoCompleteDays, by);
  else if (lines.some(isHandedOver)) next = moveOrder(next, "start_fulfilling", by);
  const effects: OrderEffect[] = [{ kind: "invoice", on: "payment" }];
  if (next.status === "delivered") effects.push({ kind: "invoice", on: "delivery" });
  if (isHeld(order)) {
    next = withAttention(next, "vat_id");
    effects.push({
      kind: "mail_admin",
      subject: `order ${order.number} waits for the check of a VAT ID`,
      lines: [
        `Order ${order.number} was paid without VAT. Nothing is delivered before its VAT ID ${order.vatId ?? ""} was checked.`,
        "Check the ID in VIES. If it is right, resolve the flag of the order; else refund the order or change it.",
      ],
    });
  } else if (!isComplete) {
    next = withAttention(next, "stock_shortfall");
    effects.push({
      kind: "mail_admin",
      subject: `order ${order.number} is missing license keys`,
      lines: [
        `Order ${order.number} was paid, but there are not enough license keys (or no shared secret, or no file).`,
        "Add what is missing, then deliver the order.",
      ],
    });
  } else if (next.status !== "delivered") effects.push({ kind: "mail_new_order" });
  // One mail: that of the delivery says that the payment came, too.
  effects.push({ kind: "mail", mail: next.status === "delivered" ? "order_delivered" : "order_paid" });
  return { order: next, effects };
}

/** Whether nothing is delivered before the VAT ID of the order was checked. */
export function isHeld({ vatCheck }: OrderRecord): boolean {
  return vatCheck?.isHeld === true;
}

/** Throws `illegal_transition` for an order of which nothing is to be handed over, `conflict` for one that is held. */
export function assertDeliverable(order: OrderRecord): void {
  const { status, number, currency } = order;
  const due = amountDueOf(order);
  if (due > 0 && status !== "pending_payment" && status !== "expired")
    throw new AppError(
      "conflict",
      `Order ${number} has a balance due of ${toDecimal(due, currency)} ${currency}. Send the buyer the order link to pay it, record the payment, or edit the order again`,
    );
  if (isHeld(order)) {
    const message = "The VAT ID of this order was not checked. Check it, then resolve the flag vat_id";
    throw new AppError("conflict", message);
  }
  if (status !== "paid" && status !== "fulfilling")
    refuse(status, `An order with the status ${status} cannot be delivered`, {
      to: "delivered",
      allowed: allowedFrom(status),
    });
}

/** A paid order with the goods that an administrator hands over. */
export function deliverOrder(
  order: OrderRecord,
  { lines, isComplete, autoCompleteDays, shipment, ...by }: Goods & MoveNote & Pick<OrderRecord, "shipment">,
): Moved {
  let next: OrderRecord = { ...order, lines, shipment: shipment ?? order.shipment };
  if (lines.every(isHandedOver)) next = toDelivered(next, autoCompleteDays, by);
  else if (next.status === "paid") next = moveOrder(next, "start_fulfilling", by);
  else next = withHistory(next, { at: by.atMs, by: by.by, event: "delivered_in_part" });
  return {
    order: isComplete ? withoutAttention(next, "stock_shortfall") : next,
    effects:
      next.status === "delivered"
        ? [
            { kind: "invoice", on: "delivery" },
            { kind: "mail", mail: "order_delivered", note: by.note },
          ]
        : [],
  };
}

/** Whether an order pays one more period of licenses that were sold before. */
export function isRenewal({ lines }: Pick<OrderRecord, "lines">): boolean {
  return lines.some(({ renewal }) => renewal !== undefined);
}

/** An order that was not paid in time: its units and coupon go back. */
export function expireOrder(order: OrderRecord, by: MoveNote): Moved {
  const released = releaseCards(order);
  const effects: OrderEffect[] = [
    ...(released === order ? [] : [{ kind: "release_cards" } as const]),
    { kind: "void_invoice" },
    { kind: "release" },
    { kind: "return_coupon" },
    // The email about the end of a subscription says more.
    isRenewal(order) ? { kind: "wake_renewal" } : { kind: "mail", mail: "order_expired" },
  ];
  return { order: moveOrder(released, "expire", by), effects };
}

/** Why an order with money in its books stays: its buyer asks the shop, an administrator gives the money back first. */
function refuseCancel({ status }: OrderRecord, by: string): never {
  if (by === "buyer")
    refuse(status, "This order is partially paid. Contact the shop to cancel it and receive a refund", {
      to: "canceled",
      allowed: [],
    });
  const message =
    status === "pending_payment"
      ? "The order is partially paid. Refund the payment first, then cancel the order"
      : "The order is paid. Refund it fully first, then cancel it";
  return refuse(status, message, { to: "canceled", allowed: allowedFrom(status) });
}

/** Cancels an order that waits for payment; an administrator also a paid one whose money was given back. Throws `illegal_transition`. */
export function cancelOrder(order: OrderRecord, by: MoveNote): Moved {
  const isUnpaid = order.status === "pending_payment" || by.by === "buyer";
  const released = isUnpaid ? releaseCards(order) : order;
  const canceled = moveOrder(released, isUnpaid ? "cancel" : "cancel_refunded", by);
  if (released.amountPaid > 0) refuseCancel(order, by.by);
  const mail = { kind: "mail", mail: "order_canceled", note: by.note } as const;
  return {
    order: isUnpaid ? canceled : withoutAttention(canceled, "stock_shortfall"),
    effects: [
      ...(released === order ? [] : [{ kind: "release_cards" } as const]),
      ...(isUnpaid ? [{ kind: "void_invoice" } as const] : []),
      { kind: isUnpaid ? "release" : "put_back" },
      { kind: "return_coupon" },
      // A renewal ends a subscription, and that is confirmed.
      ...(by.by === "buyer" || isRenewal(order) ? [] : [mail]),
      ...(isUnpaid && isRenewal(order) ? [{ kind: "wake_renewal" } as const] : []),
      ...(isUnpaid ? [] : endLicenses(order, "canceled")),
    ],
  };
}
