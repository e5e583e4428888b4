/** Withdrawals in answers. */
import { z } from "@hono/zod-openapi";
import { isoTimeSchema, toIsoTime } from "../../kit/text/iso-time.ts";
import { viewOf } from "../../kit/http/view.ts";
import { withdrawalRecordSchema } from "./schema.ts";
import type { WithdrawalDetails } from "./withdrawals-admin.ts";

const record = viewOf(
  withdrawalRecordSchema,
  [
    ...(["id", "orderNumber", "orderId", "name", "email", "what", "lines", "language"] as const),
    ...(["state", "marks", "version"] as const),
  ],
  ["receivedAt"],
);

/** What a buyer's withdrawal was acknowledged with. */
export const receiptSchema = z
  .object({
    id: z.string(),
    receivedAt: isoTimeSchema,
    email: z.string().openapi({ description: "Where the acknowledgement goes" }),
  })
  .openapi("WithdrawalReceipt");

export const withdrawalSchema = z
  .object({
    ...record.shape,
    refundBy: isoTimeSchema.describe("The last moment to give the money back"),
    isOverdue: z.boolean(),
    currency: z.string().optional(),
    suggestedRefund: z
      .int()
      .optional()
      .openapi({ description: "Minor units; with delivery when the whole order is withdrawn from" }),
    refundPath: z
      .string()
      .optional()
      .openapi({ description: "Where the money is given back: POST with this amount" }),
    history: z.array(
      z.object({ at: isoTimeSchema, by: z.string(), event: z.string(), note: z.string().optional() }),
    ),
  })
  .openapi("Withdrawal");

export function toWithdrawalView(
  { record: stored, order, suggestedRefund }: WithdrawalDetails,
  nowMs: number,
): z.infer<typeof withdrawalSchema> {
  const isOpen = stored.waiting === "yes";
  return {
    ...record.show(stored),
    refundBy: toIsoTime(stored.refundBy - 1),
    isOverdue: isOpen && nowMs >= stored.refundBy,
    currency: order?.currency,
    suggestedRefund,
    refundPath: order === undefined ? undefined : `/api/admin/orders/${order.id}/refund`,
    history: stored.history.map((entry) => ({ ...entry, at: toIsoTime(entry.at) })),
  };
}
