import { defineCollection } from "../../store/store.ts";
import { couponRecordSchema, couponUseRecordSchema } from "./schema.ts";

export const coupons = defineCollection({
  name: "coupons",
  revision: 1,
  schema: couponRecordSchema,
  unique: { byCode: ["codeKey"] },
  ordered: { byCreated: ["createdAt"] },
});

export const couponUses = defineCollection({
  name: "couponUses",
  revision: 1,
  schema: couponUseRecordSchema,
  ordered: { byCoupon: ["couponId"] },
});
