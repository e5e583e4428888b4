/** The ledger of an order and its sums. */
import { listEvery } from "../../store/every-page.ts";
import type { ReadTx } from "../../store/store.ts";
import type { NoticeRecord, OrderRecord } from "../orders/schema.ts";
import { notices } from "../records.ts";

export interface LedgerSums {
  /** Applied payments. */
  readonly received: number;
  /** Applied refunds and chargebacks. */
  readonly refunded: number;
}

/** Entries of an order's ledger, in the order in which they came. */
export function listLedger(tx: ReadTx, orderId: string): Promise<NoticeRecord[]> {
  return listEvery(tx, notices, { index: "byOrder", range: { prefix: [orderId] } });
}

/** What entries add up to; only applied ones count. */
export function sumLedger(entries: readonly Pick<NoticeRecord, "state" | "type" | "amount">[]): LedgerSums {
  let received = 0;
  let refunded = 0;
  for (const { state, type, amount } of entries) {
    if (state !== "applied") continue;
    if (type === "payment") received += amount;
    else if (type === "refund" || type === "chargeback") refunded += amount;
  }
  return { received, refunded };
}

/** What is still to be paid: nothing once an order was paid or ended. */
export function amountDueOf(order: Pick<OrderRecord, "status" | "total" | "amountPaid">): number {
  const isOpen = order.status === "pending_payment" || order.status === "expired";
  return isOpen ? Math.max(0, order.total - order.amountPaid) : 0;
}
