/**
 * Sessions of payments go 90 days after their order was last changed, if it ended without any money. Those of orders
 * that got money stay as long as the order: refunds and disputes need what the service calls the payment.
 */
import type { Store } from "../../../store/store.ts";
import type { OrderRecord } from "../../orders/schema.ts";
import { paymentSessions } from "../records.ts";
import { orders } from "../../orders/records.ts";

const KEPT_MS = 90 * 86_400_000;
const SWEEP_BATCH = 200;

/** When a session is looked at that was of use at a time. */
export function planSweep(atMs: number): number {
  return atMs + KEPT_MS;
}

/** When the session of an order is looked at next; undefined: never, and "now" it may go. */
function judge(order: OrderRecord | undefined, nowMs: number): number | "now" | undefined {
  if (order === undefined) return "now";
  const { status, amountPaid, amountRefunded, attention, updatedAt } = order;
  if (amountPaid + amountRefunded > 0) return undefined;
  const hasEnded = status === "expired" || status === "canceled";
  // A person may still give money to it that waits for a decision.
  if (!hasEnded || attention.length > 0) return planSweep(nowMs);
  const sweepAt = planSweep(updatedAt);
  return sweepAt <= nowMs ? "now" : sweepAt;
}

/** Removes unused sessions; resolves with how many were looked at, at most 200. */
export async function sweepSessions(store: Store, nowMs: number): Promise<number> {
  return store.transact(async (tx) => {
    const range = { to: [nowMs + 1], limit: SWEEP_BATCH };
    const { items } = await tx.list(paymentSessions, "bySweep", range);
    for (const session of items) {
      const sweepAt = judge(await tx.get(orders, session.orderId), nowMs);
      if (sweepAt === "now") await tx.remove(paymentSessions, session.id);
      else await tx.put(paymentSessions, { ...session, sweepAt });
    }
    return items.length;
  });
}
