/** The owner's first page: recent revenue and orders, pending tasks, and the state of the setup. */
import { addDays, startOfDay, toDay } from "../../kit/time/zone-days.ts";
import { outboxCollection } from "../../records/outbox-record.ts";
import type { ReadTx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { withdrawals } from "../withdrawals/records.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { webhookFailing } from "../webhooks-out/records.ts";
import { conversations } from "../chat/records.ts";
import { notices } from "../payments/records.ts";
import { orders } from "../orders/records.ts";
import { readSite, readSmtp } from "../site/settings.ts";
import type { StockAdmin } from "../stock/stock-admin.ts";
import type { Sales, Sums } from "./sales.ts";
import { type SetupFacts, listGaps, readSteps } from "./setup.ts";

const LAST_ORDERS = 8;
/** More products with few units than this are not counted. */
const MAX_LOW = 100;

async function countWaiting(tx: ReadTx) {
  const byStatus = (status: string): Promise<number> => tx.count(orders, "byStatus", { prefix: [status] });
  return {
    /** Orders that are paid and not handed over. */
    toDeliver: (await byStatus("paid")) + (await byStatus("fulfilling")),
    needAttention: await tx.count(orders, "byAttention", { prefix: ["yes"] }),
    openNotices: await tx.count(notices, "byOpen", { prefix: ["yes"] }),
    withdrawals: await tx.count(withdrawals, "byWaiting", { prefix: ["yes"] }),
    unreadChats: await tx.count(conversations, "byUnread", { prefix: ["yes"] }),
    mailsFailed: await tx.count(outboxCollection, "byState", { prefix: ["failed"] }),
    webhooksFailing: await tx.count(webhookFailing),
  };
}

const nothing: Sums = { orders: 0, paidOrders: 0, revenue: 0 };

/** Sums of the last days, including today. */
function sumLast(days: ReadonlyMap<string, Sums>, from: string): Sums {
  let sum = nothing;
  for (const [day, { orders: placed, paidOrders, revenue }] of days)
    if (day >= from)
      sum = {
        orders: sum.orders + placed,
        paidOrders: sum.paidOrders + paidOrders,
        revenue: sum.revenue + revenue,
      };
  return sum;
}

export interface TodayDeps extends Pick<ShopDeps, "store" | "clock"> {
  readonly sales: Sales;
  readonly stock: StockAdmin;
  /** Relevant facts about the installation for the setup. */
  readonly setupFacts: () => SetupFacts;
}

export async function readToday({ store, clock, sales, stock, setupFacts }: TodayDeps) {
  const now = clock.now();
  const read = await store.read(async (tx) => {
    const site = await readSite(tx);
    const last = await tx.list(orders, "byCreated", { reverse: true, limit: LAST_ORDERS });
    const lastOrders: readonly OrderRecord[] = last.items;
    return {
      site,
      lastOrders,
      waiting: await countWaiting(tx),
      steps: await readSteps(tx, site),
      gaps: listGaps(site, await readSmtp(tx), setupFacts()),
    };
  });
  const { site, ...told } = read;
  const today = toDay(now, site.timeZone);
  const from = startOfDay(addDays(today, -29), site.timeZone);
  const { days, currency, timeZone } = await sales.readDays({ from, to: now + 1 });
  return {
    ...told,
    currency,
    timeZone,
    waiting: { ...told.waiting, lowStock: stock.listAll({ low: true, limit: MAX_LOW }).items.length },
    today: sumLast(days, today),
    days7: sumLast(days, addDays(today, -6)),
    days30: sumLast(days, addDays(today, -29)),
  };
}
