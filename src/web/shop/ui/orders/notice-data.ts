/** The administration's routes of payment notices, and which of them need a decision. */
import type { NoticeView } from "../../../../shop/payments/answer-schema.ts";

export const PAYMENTS = "/api/admin/orders/payments";

/** Whether a person has to decide about it. */
export function isOpen({ state }: NoticeView): boolean {
  return state === "needs_review" || state === "unmatched";
}
