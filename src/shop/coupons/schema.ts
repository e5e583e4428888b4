/** Coupons and their uses, as the store keeps them, and what an administrator may say of one. */
import { z } from "zod";
import { type ViewOf, changeShape, recordShape } from "../../kit/fields/field-table.ts";
import { timeMs } from "../../kit/text/schemas.ts";
import { currencySchema } from "../base/money-schema.ts";
import { couponFields } from "./fields.ts";

export const couponRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  ...recordShape(couponFields),
  /** Capitals: codes are compared without case. */
  codeKey: z.string(),
  /** For "fixed", and for minimum and cap. */
  currency: currencySchema,
  /** Uses by orders that are pending or paid. */
  used: z.number().int().min(0),
  createdAt: timeMs,
  updatedAt: timeMs,
});
export type CouponRecord = z.infer<typeof couponRecordSchema>;

/** Some fields of a coupon; what is absent stays, and null takes a limit away. */
export const couponChangeSchema = z.strictObject(changeShape(couponFields));
export type CouponChange = z.infer<typeof couponChangeSchema>;

/** A new coupon; what is absent gets its default. */
export const newCouponSchema = couponChangeSchema.required({ kind: true });
export type NewCoupon = z.infer<typeof newCouponSchema>;

/** A coupon as answers have it. */
export type CouponView = ViewOf<typeof couponFields> &
  Pick<CouponRecord, "id" | "version" | "currency" | "used"> & {
    readonly createdAt: string;
    readonly updatedAt: string;
  };

/** Uses of a coupon by one person; the id is "<coupon>:<user id or keyed hash of the address>". */
export const couponUseRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  couponId: z.string(),
  uses: z.number().int().min(0),
});
