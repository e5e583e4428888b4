/** Orders as the administration's routes give them. */
import type {
  Attention,
  OrderLine,
  OrderRecord,
  OrderStatus,
  PaymentStatus,
} from "../../../../shop/orders/schema.ts";
import type { WithTimes } from "../../../ui/forms/with-times.ts";
import { adminRequest } from "../../../ui/console/session.ts";

/** In the order of the filter. */
export const orderStatuses: readonly OrderStatus[] = [
  ...(["pending_payment", "paid", "fulfilling", "delivered", "completed", "canceled", "expired"] as const),
];
export const paymentStatuses: readonly PaymentStatus[] = [
  ...(["unpaid", "partial", "paid", "overpaid", "partially_refunded", "refunded"] as const),
];
/** What a person should look at. */
export const attentions = [
  ...(["underpaid", "overpaid", "late_payment", "paid_after_cancel", "duplicate_payment"] as const),
  ...(["currency_mismatch", "stock_shortfall", "unverified_notice", "chargeback"] as const),
  ...(["payment_claim", "other_method", "withdrawal", "refund_unclear"] as const),
] as const satisfies readonly Attention[];

export type AddressView = NonNullable<OrderRecord["shippingAddress"]>;

type LineName = "id" | "productId" | "title" | "sku" | "options" | "deliveryType" | "inputs" | "returned";
type LineSum = "quantity" | "unitPrice" | "subtotal" | "discount" | "total" | "taxRate" | "tax";

export interface LineView extends WithTimes<
  Pick<OrderLine, LineName | LineSum | "deliveredAt">,
  "deliveredAt"
> {
  readonly instructions?: string;
  /** Once handed over: licence keys, or what was written. */
  readonly delivered?: readonly string[];
  readonly returnable: number;
  /** What is left to refund of it, VAT included; minor units. */
  readonly refundable: number;
}

export type ShipmentView = WithTimes<NonNullable<OrderRecord["shipment"]>, "shippedAt">;

type OrderName =
  | "id"
  | "version"
  | "number"
  | "userId"
  | "language"
  | "couponCode"
  | "note"
  | "invoiceNumber";
type OrderState = "status" | "paymentStatus" | "attention" | "paymentMethod" | "shippingTitle";
type OrderSum = "currency" | "subtotal" | "discount" | "shipping" | "total" | "amountPaid" | "amountRefunded";
type OrderTax = "tax" | "pricesIncludeTax" | "country" | "vatId" | "shippingAddress" | "billingAddress";
type OrderTime = "createdAt" | "expiresAt" | "paidAt" | "deliveredAt";

export interface OrderView extends WithTimes<
  Pick<OrderRecord, OrderName | OrderState | OrderSum | OrderTax | OrderTime>,
  OrderTime
> {
  readonly refundableShipping: number;
  readonly contact: { readonly email: string };
  readonly amountDue: number;
  readonly begun?: WithTimes<NonNullable<OrderRecord["begun"]>, "expiresAt">;
  readonly shipment?: ShipmentView;
  readonly lines: readonly LineView[];
  readonly mails: readonly string[];
}

export const ORDERS = "/api/admin/orders";

/** The routes of one order. */
export function orderPath(id: string, action = ""): string {
  return `${ORDERS}/${id}${action}`;
}

/** An order with how to read it anew: what a dialog about it needs. */
export interface OrderPart {
  readonly order: OrderView;
  /** Reads it anew. */
  readonly onChange: () => Promise<void>;
}

/** Sends a move of the order that is in sight. @throws ApiError */
export function sendMove<T = OrderView>(order: OrderView, action: string, body: object = {}): Promise<T> {
  return adminRequest<T>(orderPath(order.id, `/${action}`), {
    method: "POST",
    body: { ...body, version: order.version },
  });
}
