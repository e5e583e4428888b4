/** Sums of sales, and the spans that are offered. */
import type { SalesView } from "../../../shop/operation/answer-schema.ts";

export type Sums = SalesView["total"];
export type Period = SalesView["periods"][number];
export type Unit = SalesView["unit"];

export const units: readonly Unit[] = ["day", "week", "month"];

/** Spans by their days, with the unit that suits them. */
export const spans = [
  { days: 7, unit: "day" },
  { days: 30, unit: "day" },
  { days: 90, unit: "week" },
  { days: 365, unit: "month" },
] as const satisfies readonly { readonly days: number; readonly unit: Unit }[];

/** Average order value, minor units; undefined without paid orders. */
export function toAverage({ revenue, paidOrders }: Sums): number | undefined {
  return paidOrders === 0 ? undefined : Math.round(revenue / paidOrders);
}

/** Orders for a hundred views; undefined where none were counted. */
export function toConversion({ orders, views = 0 }: Sums): number | undefined {
  // More orders than views come from elsewhere, such as a shop front of one's own.
  return views === 0 || orders > views ? undefined : (100 * orders) / views;
}

const DAY_MS = 86_400_000;

/** The day that is so many days before another one, in the calendar. */
export function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10);
}
