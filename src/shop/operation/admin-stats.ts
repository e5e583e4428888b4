/** Sales for administrators: orders by state, and what came in by day of the shop's time zone. */
import type { Page, Store } from "../../store/store.ts";
import { type OrderRecord, type OrderStatus, orderStatusSchema } from "../orders/schema.ts";
import { formatDay } from "../mails/formats.ts";
import { notices, orders } from "../records.ts";
import { readSite } from "../site/settings.ts";

/** Orders that are looked at; more in the range are left out, and the answer says so. */
const MAX_ORDERS = 50_000;
const PAGE = 1_000;

/** Sales of a day, in the site's currency; orders count on the day on which they were placed. */
interface DaySales {
  /** "2026-11-21". */
  readonly day: string;
  readonly orders: number;
  readonly paidOrders: number;
  /** What came in and was not given back, minor units. */
  readonly revenue: number;
}

async function walk(
  store: Store,
  range: { from: number; to: number },
  visit: (order: OrderRecord) => void,
): Promise<boolean> {
  let seen = 0;
  let cursor: string | undefined;
  do {
    const options = { from: [range.from], to: [range.to], limit: PAGE, cursor };
    const page: Page<OrderRecord> = await store.read((tx) => tx.list(orders, "byCreated", options));
    for (const order of page.items) visit(order);
    seen += page.items.length;
    cursor = page.nextCursor;
  } while (cursor !== undefined && seen < MAX_ORDERS);
  return cursor === undefined;
}

/** Reads the sales between two times, epoch milliseconds, `to` exclusive. Orders in another currency than the site's are counted but add no revenue. */
export async function readAdminStats(store: Store, range: { from: number; to: number }) {
  const { site, byStatus, needAttention, openNotices } = await store.read(async (tx) => {
    const counts: [OrderStatus, number][] = [];
    for (const status of orderStatusSchema.options)
      counts.push([status, await tx.count(orders, "byStatus", { prefix: [status] })]);
    return {
      site: await readSite(tx),
      // The keys are all statuses by construction.
      byStatus: Object.fromEntries(counts) as Record<OrderStatus, number>,
      needAttention: await tx.count(orders, "byAttention", { prefix: ["yes"] }),
      /** Payment notices that a person has to decide about. */
      openNotices: await tx.count(notices, "byOpen", { prefix: ["yes"] }),
    };
  });
  const { currency, timeZone } = site;
  const days = new Map<string, DaySales>();
  const isComplete = await walk(store, range, (order) => {
    const day = formatDay(order.createdAt, timeZone);
    const before = days.get(day) ?? { day, orders: 0, paidOrders: 0, revenue: 0 };
    days.set(day, {
      day,
      orders: before.orders + 1,
      paidOrders: before.paidOrders + (order.paidAt === undefined ? 0 : 1),
      revenue: before.revenue + (order.currency === currency ? order.amountPaid : 0),
    });
  });
  const all = [...days.values()];
  const revenue = all.reduce((sum, day) => sum + day.revenue, 0);
  // Incomplete when there were more orders in the range than are looked at.
  return { currency, timeZone, byStatus, needAttention, openNotices, revenue, days: all, isComplete };
}
