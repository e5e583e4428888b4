import type { NewCoupon } from "../../coupons/schema.ts";

/** A coupon as a file describes it. */
export interface CouponDraft {
  readonly line: number;
  readonly fields: NewCoupon;
  /** Names of products, and paths of categories, which are looked up in the shop. */
  readonly products: readonly string[];
  readonly categories: readonly (readonly string[])[];
  /** The column of the products, for what is not found. */
  readonly column: string | undefined;
  readonly source: string;
}
