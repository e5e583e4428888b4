/** Coupons and their uses, as the store keeps them. */
import { z } from "zod";
import { line, timeMs } from "../../kit/text/schemas.ts";
import { amountSchema, currencySchema } from "../base/money-schema.ts";

export const couponRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  code: line(60),
  /** Capitals: codes are compared without case. */
  codeKey: z.string(),
  kind: z.enum(["percent", "fixed"]),
  /** Percent in hundredths (1000 = 10 %), or minor units. */
  value: z.number().int().min(1),
  /** For "fixed", and for minimum and cap. */
  currency: currencySchema,
  minimum: amountSchema,
  /** The largest discount that it gives; for "percent". */
  cap: amountSchema.optional(),
  startsAt: timeMs.optional(),
  endsAt: timeMs.optional(),
  maxUses: z.number().int().min(1).optional(),
  maxUsesPerUser: z.number().int().min(1).optional(),
  /** Uses by orders that are pending or paid. */
  used: z.number().int().min(0),
  productIds: z.array(z.string()).max(1_000),
  categoryIds: z.array(z.string()).max(200),
  enabled: z.boolean(),
  note: line(300),
  createdAt: timeMs,
  updatedAt: timeMs,
});
export type CouponRecord = z.infer<typeof couponRecordSchema>;

/** Uses of a coupon by one person; the id is "<coupon>:<user id or keyed hash of the address>". */
export const couponUseRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  couponId: z.string(),
  uses: z.number().int().min(0),
});
