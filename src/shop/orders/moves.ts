/** The one table of the states of an order, and what leads from one to another. */
import { ShopError } from "../base/errors.ts";
import type { OrderStatus } from "./schema.ts";

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

/** Throws `illegal_transition` for an order in the state `from`. */
export function refuse(
  from: OrderStatus,
  message: string,
  details: { to?: string; allowed: string[] },
): never {
  throw new ShopError("illegal_transition", message, { details: { from, ...details } });
}

/** The state that an event leads to. Throws `illegal_transition` with `from`, `to` and `allowed` when it may not happen. */
export function getMove(from: OrderStatus, event: OrderEvent): OrderStatus {
  const found = findMove(from, event);
  if (found !== undefined) return found;
  const { to } = moves[event];
  const allowed = allowedFrom(from);
  const message =
    allowed.length === 0
      ? `The status of the order is final: ${from}`
      : `The status of the order cannot change from ${from} to ${to}. Allowed: ${allowed.join(" or ")}`;
  return refuse(from, message, { to, allowed });
}
