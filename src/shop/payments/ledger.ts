/** The ledger of an order and its sums. */
import { listEvery } from "../../store/every-page.ts";
import type { ReadTx } from "../../store/store.ts";
import type { Books } from "../orders/payment-status.ts";
import { notices } from "./records.ts";
import type { NoticeRecord } from "./schema.ts";

/** Entries of an order's ledger, in the order in which they came. */
export function listLedger(tx: ReadTx, orderId: string): Promise<NoticeRecord[]> {
  return listEvery(tx, notices, { index: "byOrder", range: { prefix: [orderId] } });
}

/** The sums of entries; only applied ones count. */
export function sumLedger(entries: readonly Pick<NoticeRecord, "state" | "type" | "amount">[]): Books {
  let received = 0;
  let refunded = 0;
  for (const { state, type, amount } of entries) {
    if (state !== "applied") continue;
    if (type === "payment") received += amount;
    else if (type === "refund" || type === "chargeback") refunded += amount;
  }
  return { received, refunded };
}
