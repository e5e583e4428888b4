/** The one table of what an order may become, and the payment status that its books give. */
import { ShopError } from "../errors.ts";
import type { HistoryEntry, OrderRecord, OrderStatus, PaymentStatus } from "./schema.ts";

/** What makes an order move. */
export type OrderEvent =
  | "pay"
  | "expire"
  | "cancel"
  | "pay_late"
  | "start_fulfilling"
  | "deliver"
  | "complete"
  /** With the whole payment given back in the same step. */
  | "cancel_refunded";

/** Event → the states that it leads from, and where to. */
const moves = {
  pay: { from: ["pending_payment"], to: "paid" },
  expire: { from: ["pending_payment"], to: "expired" },
  cancel: { from: ["pending_payment"], to: "canceled" },
  pay_late: { from: ["expired"], to: "paid" },
  start_fulfilling: { from: ["paid"], to: "fulfilling" },
  deliver: { from: ["fulfilling"], to: "delivered" },
  complete: { from: ["delivered"], to: "completed" },
  cancel_refunded: { from: ["paid", "fulfilling"], to: "canceled" },
} as const satisfies Record<OrderEvent, { from: readonly OrderStatus[]; to: OrderStatus }>;

/** All events of the table. */
export const orderEvents: readonly OrderEvent[] = Object.keys(moves) as OrderEvent[]; // its keys by declaration

/** The state that an event leads to from another, undefined when it may not happen there. */
export function findMove(from: OrderStatus, event: OrderEvent): OrderStatus | undefined {
  const move: { from: readonly OrderStatus[]; to: OrderStatus } = moves[event];
  return move.from.includes(from) ? move.to : undefined;
}

/** States that can follow a state. */
export function allowedFrom(from: OrderStatus): OrderStatus[] {
  const targets = orderEvents.flatMap((event) => findMove(from, event) ?? []);
  return [...new Set(targets)];
}

/** @throws ShopError `illegal_transition` with `from`, `to` and `allowed` */
function refuseMove(from: OrderStatus, event: OrderEvent): never {
  const { to } = moves[event];
  const allowed = allowedFrom(from);
  throw new ShopError(
    "illegal_transition",
    allowed.length === 0
      ? `An order that is ${from} stays so`
      : `An order that is ${from} cannot become ${to}, only ${allowed.join(" or ")}`,
    { details: { from, to, allowed } },
  );
}

/** What a move looks like in the history, beside its states. */
export interface MoveNote {
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

/** What is only kept while an order waits for payment. */
function withoutPending(order: OrderRecord): OrderRecord {
  const { openUser: _user, openEmail: _email, openAddress: _address, pendingUntil: _until, ...kept } = order;
  return kept;
}

/** Times that a state brings, and fields that end with the state before. */
function withTimes(order: OrderRecord, atMs: number): OrderRecord {
  const { autoCompleteAt: _auto, ...rest } = withoutPending(order);
  switch (order.status) {
    case "pending_payment":
      return order;
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

/** Moves an order, with its history; what goes with the move (stock, coupon, mail) is up to the caller's transaction. Throws `illegal_transition`. */
export function moveOrder(order: OrderRecord, event: OrderEvent, { by, atMs, note }: MoveNote): OrderRecord {
  const from = order.status;
  const to = findMove(from, event) ?? refuseMove(from, event);
  const moved = withTimes({ ...order, status: to }, atMs);
  return withHistory(moved, { at: atMs, by, event, from, to, ...(note === undefined ? {} : { note }) });
}

/** What the books of an order say: `received` came in, `refunded` was given back, of `total`. */
export function toPaymentStatus(books: { total: number; received: number; refunded: number }): PaymentStatus {
  const { total, received, refunded } = books;
  if (refunded > 0) return refunded >= received ? "refunded" : "partially_refunded";
  if (received >= total) return received > total ? "overpaid" : "paid";
  return received === 0 ? "unpaid" : "partial";
}
