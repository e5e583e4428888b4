import { defineCollection } from "../../store/store.ts";
import { paymentSessionRecordSchema, refundRecordSchema, noticeRecordSchema } from "./schema.ts";

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

export const notices = defineCollection({
  name: "notices",
  revision: 1,
  schema: noticeRecordSchema,
  unique: { byEvent: ["provider", "eventKey"], byReference: ["provider", "refKey", "type"] },
  ordered: {
    byOrder: ["orderId", "receivedAt"],
    byReceived: ["receivedAt"],
    byProvider: ["provider", "receivedAt"],
    byState: ["state", "receivedAt"],
    byOpen: ["open", "receivedAt"],
    byEventUntil: ["eventUntil"],
  },
});
