/** What an administrator may say of a coupon; times come as ISO 8601 and are epoch milliseconds from here on. */
import { z } from "zod";
import { isoTimeMs } from "../../kit/text/iso-time.ts";
import { line, trimmedLine, slug } from "../../kit/text/schemas.ts";
import { MAX_AMOUNT } from "../base/money.ts";
import { amountSchema } from "../base/money-schema.ts";

const uses = z.number().int().min(1).max(1_000_000_000);

/** Some fields of a coupon; what is absent stays, and null takes a limit away. */
export const couponChangeSchema = z.strictObject({
  code: trimmedLine(60).optional(),
  kind: z.enum(["percent", "fixed"]).optional(),
  value: z.number().int().min(1).max(MAX_AMOUNT).optional(),
  minimum: amountSchema.optional(),
  cap: amountSchema.nullable().optional(),
  startsAt: isoTimeMs.nullable().optional(),
  endsAt: isoTimeMs.nullable().optional(),
  maxUses: uses.nullable().optional(),
  maxUsesPerUser: uses.nullable().optional(),
  productIds: z.array(z.string().min(1).max(100)).max(1_000).optional(),
  categoryIds: z.array(slug).max(200).optional(),
  enabled: z.boolean().optional(),
  note: line(300).optional(),
});
export type CouponChange = z.infer<typeof couponChangeSchema>;

/** A new coupon; what is absent gets its default. */
export const newCouponSchema = couponChangeSchema.required({ kind: true, value: true });
export type NewCoupon = z.infer<typeof newCouponSchema>;
