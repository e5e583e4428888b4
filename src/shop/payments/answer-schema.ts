/** Payment notifications in responses, and the query of their list. */
import { z } from "@hono/zod-openapi";
import { pageQuerySchema, pageSchema } from "../../kit/http/paging.ts";
import { viewOf } from "../../kit/http/view.ts";
import { adminOrderSchema } from "../orders/answer-schema.ts";
import { noticeRecordSchema, noticeStateSchema } from "./schema.ts";

export const noticeView = viewOf(
  noticeRecordSchema,
  [
    ...(["id", "provider", "eventId", "providerRef", "claimedOrderId", "orderId", "type", "amount"] as const),
    ...(["currency", "verified", "state", "reason", "repeats", "raw"] as const),
  ],
  ["paidAt", "receivedAt"],
);
export const noticeSchema = z.object(noticeView.shape).openapi("PaymentNotice");
export type NoticeView = z.infer<typeof noticeSchema>;

export const noticeListSchema = pageSchema(noticeSchema).openapi("PaymentNoticeList");
export type NoticeList = z.infer<typeof noticeListSchema>;

export const noticeQuerySchema = pageQuerySchema.extend({
  state: noticeStateSchema.optional(),
  open: z.enum(["true"]).optional(),
  orderId: z.string().max(100).optional(),
});

/** A notice after a review, with the order that it belongs to. */
export const reviewedNoticeSchema = z
  .object({ notice: noticeSchema, order: adminOrderSchema.optional() })
  .openapi("ReviewedNotice");
export type ReviewedNotice = z.infer<typeof reviewedNoticeSchema>;
