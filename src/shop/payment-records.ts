/** Collections about what payment services are asked to do. */
import { defineCollection } from "../store/store.ts";
import { paymentSessionRecordSchema, refundRecordSchema } from "./payments/schema.ts";

export const paymentSessions = defineCollection({
  name: "paymentSessions",
  revision: 1,
  schema: paymentSessionRecordSchema,
  ordered: { byDue: ["dueAt"], byReference: ["provider", "reference"], bySweep: ["sweepAt"] },
});

export const refunds = defineCollection({
  name: "refunds",
  revision: 1,
  schema: refundRecordSchema,
  ordered: { byDue: ["dueAt"], byOrder: ["orderId", "createdAt"] },
});
