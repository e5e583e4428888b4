/** Refunds with an unknown outcome: the flag of their order, until that is cleared. */
import type { Tx } from "../../store/store.ts";
import { withoutAttention } from "../orders/order.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { refunds } from "./records.ts";
import type { RefundRecord } from "./schema.ts";

const MOST = 1_000;

async function listRefunds(tx: Tx, orderId: string): Promise<readonly RefundRecord[]> {
  return (await tx.list(refunds, "byOrder", { prefix: [orderId], limit: MOST })).items;
}

/**
 * Money went back, as its service or an administrator says: an unclear refund of that reference or amount is that
 * one. The order loses its flag with the last of them.
 */
export async function settleUnclear(
  tx: Tx,
  order: OrderRecord,
  { amount, providerRef, atMs }: { amount: number; providerRef: string; atMs: number },
): Promise<OrderRecord> {
  if (!order.attention.includes("refund_unclear")) return order;
  const all = await listRefunds(tx, order.id);
  // Another refund through a service, which has its own record.
  if (all.some(({ status, reference }) => status === "moved" && reference === providerRef)) return order;
  const unclear = all.filter(({ status }) => status === "unclear");
  const found =
    unclear.find(({ reference }) => reference === providerRef) ??
    unclear.find((each) => each.amount === amount);
  if (found === undefined) return order;
  const said = "The refund was confirmed later";
  await tx.put(refunds, { ...found, status: "moved", said, updatedAt: atMs });
  return unclear.length > 1 ? order : withoutAttention(order, "refund_unclear");
}

/** An administrator has looked at the service: what is unclear still did not happen, and can be given back again. */
export async function dismissUnclear(tx: Tx, orderId: string, atMs: number): Promise<void> {
  for (const refund of await listRefunds(tx, orderId)) {
    if (refund.status !== "unclear") continue;
    const said = "An administrator confirmed that the money was not refunded";
    await tx.put(refunds, { ...refund, status: "failed", said, updatedAt: atMs });
  }
}
