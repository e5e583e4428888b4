/** Withdrawals in responses, and the query of their list. */
import { z } from "@hono/zod-openapi";
import { pageQuerySchema, pageSchema } from "../../kit/http/paging.ts";
import { viewOf } from "../../kit/http/view.ts";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";
import { withdrawalRecordSchema, withdrawalStateSchema } from "./schema.ts";

export const recordView = viewOf(
  withdrawalRecordSchema,
  [
    ...(["id", "orderNumber", "orderId", "name", "email", "what", "lines", "language"] as const),
    ...(["state", "marks", "version"] as const),
  ],
  ["receivedAt"],
);

export const withdrawalSchema = z
  .object({
    ...recordView.shape,
    refundBy: isoTimeSchema.describe("Refund deadline"),
    isOverdue: z.boolean(),
    currency: z.string().optional(),
    suggestedRefund: z.int().optional().openapi({
      description: "Refund amount in minor units; includes shipping if the whole order is withdrawn",
    }),
    refundPath: z.string().optional().openapi({ description: "Refund URL: POST with this amount" }),
    history: z.array(
      z.object({ at: isoTimeSchema, by: z.string(), event: z.string(), note: z.string().optional() }),
    ),
  })
  .openapi("Withdrawal");
export type WithdrawalView = z.infer<typeof withdrawalSchema>;

export const withdrawalListSchema = pageSchema(withdrawalSchema).openapi("WithdrawalList");
export type WithdrawalList = z.infer<typeof withdrawalListSchema>;

export const withdrawalQuerySchema = pageQuerySchema.extend({
  waiting: z.enum(["true"]).optional(),
  state: withdrawalStateSchema.optional(),
  orderId: z.string().max(100).optional(),
});
