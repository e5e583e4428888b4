/** How many orders wait to be paid with a provider: what its removal would leave without a way to pay. */
import { pagesOf } from "../../store/every-page.ts";
import type { ReadTx } from "../../store/store.ts";
import { orders } from "../orders/records.ts";

const PAGE = 500;

/** Counts them. Only orders that wait for payment are read, and those end by themselves after a while. */
export async function countWaitingOrders(tx: Pick<ReadTx, "list">, provider: string): Promise<number> {
  const walk = { index: "byStatus", range: { prefix: ["pending_payment"] }, pageSize: PAGE } as const;
  let count = 0;
  for await (const page of pagesOf(tx, orders, walk))
    count += page.filter(({ paymentMethod }) => paymentMethod === provider).length;
  return count;
}
