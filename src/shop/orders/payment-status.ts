/** The books of an order, and the payment status that follows from them. */
import type { PaymentStatus } from "./schema.ts";

/** The books of an order: payments received, and refunds. */
export interface Books {
  /** Applied payments. */
  readonly received: number;
  /** Applied refunds and chargebacks. */
  readonly refunded: number;
}

/** The payment status that the books of an order of `total` give. */
export function toPaymentStatus({ total, received, refunded }: Books & { total: number }): PaymentStatus {
  if (refunded > 0) return refunded >= received ? "refunded" : "partially_refunded";
  if (received >= total) return received > total ? "overpaid" : "paid";
  return received === 0 ? "unpaid" : "partial";
}
