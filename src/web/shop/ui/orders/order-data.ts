/** Orders as the administration's routes give them. */
import type { AdminOrderView } from "../../../../shop/orders/answer-schema.ts";
import { adminRequest, mayUse } from "../../../ui/console/session.ts";

export type OrderView = AdminOrderView;
export type LineView = OrderView["lines"][number];

/** Whether the person may do something about orders: without it they read. */
export function mayWriteOrders(): boolean {
  return mayUse("orders:write");
}

export const ORDERS = "/api/admin/orders";

/** The routes of one order. */
export function orderPath(id: string, action = ""): string {
  return `${ORDERS}/${id}${action}`;
}

/** An order with a way to reload it, for dialogs about it. */
export interface OrderPart {
  readonly order: OrderView;
  /** Reloads it. */
  readonly onChange: () => Promise<void>;
}

/** Sends a move of the order that is in sight. @throws ApiError */
export function sendMove<T = OrderView>(order: OrderView, action: string, body: object = {}): Promise<T> {
  return adminRequest<T>(orderPath(order.id, `/${action}`), {
    method: "POST",
    body: { ...body, version: order.version },
  });
}
