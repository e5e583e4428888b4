/** Discounts of an order, as it stores and names them. */
import { z } from "zod";
import type { AppliedDiscount } from "./discounts.ts";

/** A discount of an order. */
export const orderDiscountSchema = z.object({
  id: z.string(),
  /** The title of an automatic discount, or the code. */
  title: z.string(),
  code: z.string().optional(),
  /** Off the items. */
  amount: z.number().int().min(0),
  /** Off the shipping fee, which is stored without it. */
  shipping: z.number().int().min(0),
});
export type OrderDiscount = z.infer<typeof orderDiscountSchema>;

/** Discounts for the order; undefined without any. One of staff has no ID, and is stored by itself. */
export function toOrderDiscounts(applied: readonly AppliedDiscount[]): OrderDiscount[] | undefined {
  const all = applied.flatMap(({ discount, amount, shipping }): OrderDiscount[] => {
    const { id, code = "", title = "" } = discount;
    if (id === undefined) return [];
    return [{ id, title: title || code, code: code || undefined, amount, shipping }];
  });
  return all.length === 0 ? undefined : all;
}

/** What reduced the items, for the row with the discount; undefined where there is no name for it. */
export function nameDiscounts({
  discounts,
  couponCode,
}: {
  readonly discounts?: readonly OrderDiscount[] | undefined;
  readonly couponCode?: string | undefined;
}): string | undefined {
  if (discounts === undefined) return couponCode || undefined;
  const names = discounts.filter(({ amount }) => amount > 0).map(({ title }) => title);
  return names.length === 0 ? undefined : names.join(", ");
}
