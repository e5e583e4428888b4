/** Withdrawals in answers. */
import { z } from "@hono/zod-openapi";
import { isoTimeSchema, toIsoTime } from "../../kit/text/iso-time.ts";
import { type WithdrawalView, recordView } from "./answer-schema.ts";
import type { WithdrawalDetails } from "./withdrawals-admin.ts";

/** The acknowledgment of a withdrawal. */
export const receiptSchema = z
  .object({
    id: z.string(),
    receivedAt: isoTimeSchema,
    email: z.string().openapi({ description: "Email address for the acknowledgment" }),
  })
  .openapi("WithdrawalReceipt");

export function toWithdrawalView(
  { record: stored, order, suggestedRefund }: WithdrawalDetails,
  nowMs: number,
): WithdrawalView {
  const isOpen = stored.waiting === "yes";
  return {
    ...recordView.show(stored),
    refundBy: toIsoTime(stored.refundBy - 1),
    isOverdue: isOpen && nowMs >= stored.refundBy,
    currency: order?.currency,
    suggestedRefund,
    refundPath: order === undefined ? undefined : `/api/admin/orders/${order.id}/refund`,
    history: stored.history.map((entry) => ({ ...entry, at: toIsoTime(entry.at) })),
  };
}
