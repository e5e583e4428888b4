/** Sales between two days of the shop's time zone, by day, week or month, and of the period before. */
import { isCustom } from "../base/custom-line.ts";
import { findFirst } from "../../kit/find-first.ts";
import type { Clock } from "../../kit/time/clock.ts";
import {
  addDays,
  nextMidnight,
  startOfDay,
  toDay,
  toDayNumber,
  toDayText,
} from "../../kit/time/zone-days.ts";
import type { ReadTx, Store } from "../../store/store.ts";
import type { OrderRow, OrderRows } from "../order-search/rows.ts";
import { dayViews } from "../catalogue/records.ts";
import { orders } from "../orders/records.ts";
import { products } from "../products/records.ts";
import { readSite } from "../site/settings.ts";

/** Products that are named, those that brought most first. */
const TOP_PRODUCTS = 20;
const PAGE = 1_000;

/** Orders count on the day on which they were placed. */
export interface Sums {
  readonly orders: number;
  readonly paidOrders: number;
  /** Payments minus refunds, without those of gift cards, in minor units of the site's currency. */
  readonly revenue: number;
  /** How often products were looked at; absent before that was counted. */
  readonly views?: number | undefined;
}

const nothing: Sums = { orders: 0, paidOrders: 0, revenue: 0 };

export type SalesUnit = "day" | "week" | "month";

/** From the first day to the last, "2026-11-23", both of them in. */
export interface SalesSpan {
  readonly from: string;
  readonly to: string;
}

function add(a: Sums, b: Sums): Sums {
  const views =
    a.views === undefined && b.views === undefined ? {} : { views: (a.views ?? 0) + (b.views ?? 0) };
  return {
    orders: a.orders + b.orders,
    paidOrders: a.paidOrders + b.paidOrders,
    revenue: a.revenue + b.revenue,
    ...views,
  };
}

/** How many days a span has. */
export function countDays({ from, to }: SalesSpan): number {
  return toDayNumber(to) - toDayNumber(from) + 1;
}

/** The day on which the week (from Monday) or month of a day begins. */
export function toPeriodStart(day: string, unit: SalesUnit): string {
  if (unit === "day") return day;
  if (unit === "month") return `${day.slice(0, 7)}-01`;
  const number = toDayNumber(day);
  // 1970-01-01 was a Thursday.
  return toDayText(number - ((((number + 3) % 7) + 7) % 7));
}

/** The rows between two times, `to` exclusive, of rows that come in the order of their making. */
function between(rows: readonly OrderRow[], { from, to }: { from: number; to: number }): readonly OrderRow[] {
  const firstOf = (ms: number): number =>
    findFirst(rows.length, (place) => (rows[place]?.createdAt ?? 0) < ms);
  return rows.slice(firstOf(from), firstOf(to));
}

/** Sums by day of rows that come in the order of their making. */
function sumByDay(
  rows: readonly OrderRow[],
  { timeZone, currency }: { timeZone: string; currency: string },
): Map<string, Sums> {
  const days = new Map<string, Sums>();
  let day = "";
  let endsAt = 0;
  for (const row of rows) {
    if (row.createdAt >= endsAt) {
      day = toDay(row.createdAt, timeZone);
      endsAt = nextMidnight(row.createdAt, timeZone);
    }
    const revenue = row.currency === currency ? row.received : 0;
    days.set(day, add(days.get(day) ?? nothing, { orders: 1, paidOrders: row.isPaid ? 1 : 0, revenue }));
  }
  return days;
}

/** A product with what paid orders of it brought. */
interface SoldProduct {
  readonly productId: string;
  readonly units: number;
  readonly revenue: number;
  /** Some order that has it, for its words when it is gone. */
  readonly orderId: string;
}

function sumProducts(rows: readonly OrderRow[], currency: string): SoldProduct[] {
  const found = new Map<string, SoldProduct>();
  for (const { id: orderId, isPaid, sold, currency: paidIn } of rows) {
    if (!isPaid || paidIn !== currency) continue;
    for (const { productId, quantity, total } of sold.filter((line) => !isCustom(line))) {
      const before = found.get(productId);
      const units = (before?.units ?? 0) + quantity;
      found.set(productId, { productId, orderId, units, revenue: (before?.revenue ?? 0) + total });
    }
  }
  return [...found.values()]
    .sort((a, b) => b.revenue - a.revenue || b.units - a.units)
    .slice(0, TOP_PRODUCTS);
}

async function findTitle(tx: ReadTx, { productId, orderId }: SoldProduct): Promise<string> {
  const product = await tx.get(products, productId);
  if (product !== undefined) return product.title;
  const order = await tx.get(orders, orderId);
  return order?.lines.find((line) => line.productId === productId)?.title ?? productId;
}

/** Views by day, and since when they are counted. */
async function readViews(tx: ReadTx, { from, to }: SalesSpan) {
  const range = { from: [from], to: [addDays(to, 1)], limit: PAGE };
  const { items } = await tx.list(dayViews, "id", range);
  const [first] = (await tx.list(dayViews, "id", { limit: 1 })).items;
  return { byDay: new Map(items.map(({ id, views }) => [id, views])), since: first?.id };
}

function withViews(
  span: SalesSpan,
  days: ReadonlyMap<string, Sums>,
  { byDay, since }: Awaited<ReturnType<typeof readViews>>,
): [string, Sums][] {
  return Array.from({ length: countDays(span) }, (_, index): [string, Sums] => {
    const day = addDays(span.from, index);
    const isCounted = since !== undefined && day >= since;
    return [day, { ...(days.get(day) ?? nothing), ...(isCounted ? { views: byDay.get(day) ?? 0 } : {}) }];
  });
}

function toTotal(days: readonly (readonly [string, Sums])[]): Sums {
  return days.reduce((sum, [, day]) => add(sum, day), nothing);
}

/** The days before a span, as many as it has. */
function toSpanBefore(span: SalesSpan): SalesSpan {
  return { from: addDays(span.from, -countDays(span)), to: addDays(span.from, -1) };
}

export type Sales = ReturnType<typeof createSales>;

/** Creates what reads sales. It walks the rows of orders in memory: no request reads all orders from the store. */
export function createSales({
  store,
  clock,
  orderRows,
}: {
  readonly store: Store;
  readonly clock: Clock;
  readonly orderRows: Pick<OrderRows, "read" | "isCut">;
}) {
  /** Sums by day of the rows between two times, for the site's currency and zone. */
  async function readDays({ from, to }: { from: number; to: number }) {
    const { currency, timeZone } = await store.read(readSite);
    const rows = await orderRows.read();
    const isComplete = !orderRows.isCut() || (rows[0]?.createdAt ?? 0) <= from;
    const days = sumByDay(between(rows, { from, to }), { currency, timeZone });
    return { currency, timeZone, isComplete, days };
  }
  return {
    readDays,
    /** The present day in the shop's zone. */
    today: async (): Promise<string> => toDay(clock.now(), (await store.read(readSite)).timeZone),
    /** A span and the one before it. */
    read: async (span: SalesSpan, unit: SalesUnit) => {
      const { timeZone } = await store.read(readSite);
      const before = toSpanBefore(span);
      const [from, middle, to] = [before.from, span.from, addDays(span.to, 1)].map((day) =>
        startOfDay(day, timeZone),
      );
      const range = { from: from ?? 0, to: to ?? 0 };
      const { days, currency, isComplete } = await readDays(range);
      const found = sumProducts(
        between(await orderRows.read(), { from: middle ?? 0, to: range.to }),
        currency,
      );
      return store.read(async (tx) => {
        const views = await readViews(tx, { from: before.from, to: span.to });
        const own = withViews(span, days, views);
        const periods = new Map<string, Sums>();
        for (const [day, sums] of own) {
          const start = toPeriodStart(day, unit);
          periods.set(start, add(periods.get(start) ?? nothing, sums));
        }
        const top: { productId: string; title: string; units: number; revenue: number }[] = [];
        for (const { orderId, ...sold } of found)
          top.push({ ...sold, title: await findTitle(tx, { orderId, ...sold }) });
        return {
          currency,
          timeZone,
          isComplete,
          unit,
          ...span,
          total: toTotal(own),
          before: { ...before, ...toTotal(withViews(before, days, views)) },
          periods: Array.from(periods, ([start, sums]) => ({ start, ...sums })),
          products: top,
        };
      });
    },
  };
}
