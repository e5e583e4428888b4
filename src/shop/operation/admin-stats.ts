/** Figures for administrators: orders by state, and what came in by day of the shop's time zone. */
import type { Store } from "../../store/store.ts";
import { type OrderStatus, orderStatusSchema } from "../orders/schema.ts";
import { notices } from "../payments/records.ts";
import { orders } from "../orders/records.ts";
import type { Sales } from "./sales.ts";

/** Reads the figures between two times, epoch milliseconds, `to` exclusive. Orders in another currency than the site's are counted but add no revenue. */
export async function readAdminStats(
  { store, sales }: { readonly store: Store; readonly sales: Pick<Sales, "readDays"> },
  range: { from: number; to: number },
) {
  const counted = await store.read(async (tx) => {
    const counts: [OrderStatus, number][] = [];
    for (const status of orderStatusSchema.options)
      counts.push([status, await tx.count(orders, "byStatus", { prefix: [status] })]);
    return {
      // The keys are all statuses by construction.
      byStatus: Object.fromEntries(counts) as Record<OrderStatus, number>,
      needAttention: await tx.count(orders, "byAttention", { prefix: ["yes"] }),
      /** Payment notices that a person has to decide about. */
      openNotices: await tx.count(notices, "byOpen", { prefix: ["yes"] }),
    };
  });
  const { days, ...told } = await sales.readDays(range);
  const all = Array.from(days, ([day, sums]) => ({ day, ...sums }));
  const revenue = all.reduce((sum, day) => sum + day.revenue, 0);
  return { ...counted, ...told, revenue, days: all };
}
