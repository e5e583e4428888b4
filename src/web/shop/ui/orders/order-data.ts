/** Orders as the administration's routes give them. */
import { adminRequest } from "../../../ui/console/session.ts";

export type OrderStatus =
  | ("pending_payment" | "paid" | "fulfilling" | "delivered" | "completed" | "canceled")
  | "expired";
export type PaymentStatus = "unpaid" | "partial" | "paid" | "overpaid" | "partially_refunded" | "refunded";

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
] as const;
export type Attention = (typeof attentions)[number];

export interface AddressView {
  readonly name: string;
  readonly company?: string;
  readonly line1: string;
  readonly line2?: string;
  readonly city: string;
  readonly region?: string;
  readonly postalCode?: string;
  readonly country: string;
  readonly phone?: string;
}

export interface LineView {
  readonly id: string;
  readonly productId: string;
  readonly title: string;
  readonly sku: string;
  readonly options: Readonly<Record<string, string>>;
  readonly quantity: number;
  readonly unitPrice: number;
  readonly subtotal: number;
  readonly discount: number;
  readonly total: number;
  /** Basis points. */
  readonly taxRate?: number;
  readonly tax?: number;
  readonly deliveryType: "auto_secret" | "shared_secret" | "files" | "manual" | "shipping";
  readonly inputs: Readonly<Record<string, string>>;
  readonly deliveredAt?: string;
  readonly instructions?: string;
  /** Once handed over: licence keys, or what was written. */
  readonly delivered?: readonly string[];
  readonly returned?: number;
  readonly returnable: number;
}

export interface ShipmentView {
  readonly carrier: string;
  readonly trackingNumber: string;
  readonly trackingUrl: string;
  readonly shippedAt?: string;
}

export interface OrderView {
  readonly id: string;
  readonly version: number;
  readonly number: string;
  readonly userId?: string;
  readonly contact: { readonly email: string };
  readonly language: string;
  readonly status: OrderStatus;
  readonly paymentStatus: PaymentStatus;
  readonly attention: readonly Attention[];
  readonly currency: string;
  readonly subtotal: number;
  readonly discount: number;
  readonly shipping: number;
  readonly total: number;
  readonly amountPaid: number;
  readonly amountRefunded: number;
  readonly amountDue: number;
  readonly tax?: {
    readonly amount: number;
    readonly rates: readonly {
      readonly kind: string;
      readonly rate: number;
      readonly tax: number;
      readonly net: number;
    }[];
  };
  readonly pricesIncludeTax?: boolean;
  readonly shippingTitle?: string;
  readonly invoiceNumber?: string;
  readonly couponCode?: string;
  readonly note: string;
  readonly shippingAddress?: AddressView;
  readonly billingAddress?: AddressView;
  readonly country?: string;
  readonly vatId?: string;
  readonly paymentMethod: string;
  readonly begun?: {
    readonly attempt: number;
    readonly kind: string;
    readonly failure?: "unavailable" | "refused";
    readonly expiresAt?: string;
  };
  readonly shipment?: ShipmentView;
  readonly lines: readonly LineView[];
  readonly mails: readonly string[];
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly paidAt?: string;
  readonly deliveredAt?: string;
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
