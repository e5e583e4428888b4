/** Responses about refunds, bulk changes, and an order's timeline. */
import { z } from "@hono/zod-openapi";
import { pageSchema } from "../../kit/http/paging.ts";
import { viewOf } from "../../kit/http/view.ts";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";
import { orderChangeSchema, orderStatusSchema } from "../orders/schema.ts";
import { refundRecordSchema } from "../payments/schema.ts";
import { timelineKinds } from "./timeline.ts";

export const refundView = viewOf(
  refundRecordSchema,
  ["id", "provider", "amount", "currency", "reason", "status", "reference", "said"],
  ["createdAt", "updatedAt"],
);
export const refundListSchema = z
  .object({ items: z.array(z.object(refundView.shape)) })
  .openapi("RefundList");
export type RefundList = z.infer<typeof refundListSchema>;

const bulkResultSchema = z
  .object({
    id: z.string(),
    result: z.enum(["done", "refused"]),
    status: orderStatusSchema.optional(),
    code: z.string().optional().describe("The error code that the same move of this order alone would get"),
    detail: z.string().optional(),
  })
  .openapi("BulkResult");
export const bulkResultsSchema = z.object({ items: z.array(bulkResultSchema) }).openapi("BulkResults");
export type BulkResults = z.infer<typeof bulkResultsSchema>;

const timelineItemSchema = z
  .object({
    at: isoTimeSchema,
    kind: z.enum(timelineKinds),
    what: z
      .string()
      .describe("Event of the history, type of a payment notification or webhook event, or kind of an email"),
    state: z.string().optional(),
    by: z.string().optional().describe("Actor, source or recipient"),
    note: z.string().optional(),
    who: z.string().optional().describe("Name of the administrator who edited the order"),
    changes: z.array(orderChangeSchema).optional().describe("Changed fields of an edit"),
    amount: z.int().optional(),
    currency: z.string().optional(),
    id: z.string().optional().describe("ID of the payment notification, email or delivery"),
  })
  .openapi("TimelineItem");
export const timelineSchema = pageSchema(timelineItemSchema).openapi("OrderTimeline");
export type OrderTimeline = z.infer<typeof timelineSchema>;

export const orderLinkSchema = z.object({ url: z.string() }).openapi("OrderLink");
export type OrderLink = z.infer<typeof orderLinkSchema>;
