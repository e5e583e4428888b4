/** The part of an order for invoices and credit notes. */
import type { Address } from "../base/postal-address.ts";
import type { OrderDiscount } from "../coupons/order-discounts.ts";
import type { OrderTax } from "../tax/schema.ts";
import type { InvoiceLine } from "./schema.ts";

export interface InvoicedOrder {
  readonly id: string;
  readonly number: string;
  readonly userId?: string | undefined;
  readonly email: string;
  readonly emailLower: string;
  readonly language: string;
  readonly currency: string;
  readonly lines: readonly InvoiceLine[];
  readonly subtotal: number;
  readonly discount: number;
  readonly shipping: number;
  readonly total: number;
  readonly amountPaid: number;
  readonly tax?: OrderTax | undefined;
  readonly pricesIncludeTax?: boolean | undefined;
  readonly shippingTitle?: string | undefined;
  readonly couponCode?: string | undefined;
  readonly discounts?: readonly OrderDiscount[] | undefined;
  readonly giftCards?:
    | readonly {
        readonly lastFour: string;
        readonly amount: number;
        readonly isReleased?: true | undefined;
      }[]
    | undefined;
  readonly shippingAddress?: Address | undefined;
  readonly billingAddress?: Address | undefined;
  readonly country?: string | undefined;
  readonly vatId?: string | undefined;
  readonly buyerReference?: string | undefined;
  readonly orderReference?: string | undefined;
  readonly paymentMethod: string;
  readonly createdAt: number;
  readonly paidAt?: number | undefined;
  readonly dueAt?: number | undefined;
  readonly deliveredAt?: number | undefined;
  readonly invoiceId?: string | undefined;
  readonly credited?: number | undefined;
  /** An edit made it more expensive; its invoice follows once this is paid. */
  readonly balanceDue?: number | undefined;
}

/** The same with what credit notes need of its lines. */
export interface CreditedOrder extends InvoicedOrder {
  readonly lines: readonly (InvoiceLine & { readonly id: string })[];
}
