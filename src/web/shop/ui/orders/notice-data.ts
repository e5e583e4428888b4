/** Payment notices as the administration's routes give them. */
import type { NoticeRecord, NoticeState } from "../../../../shop/payments/schema.ts";
import type { WithTimes } from "../../../ui/forms/with-times.ts";
import type { OrderView } from "./order-data.ts";

export const noticeStates: readonly NoticeState[] = [
  ...(["needs_review", "unmatched", "applied", "noted", "duplicate", "rejected", "dismissed"] as const),
];

type Said =
  | "provider"
  | "eventId"
  | "providerRef"
  | "claimedOrderId"
  | "type"
  | "amount"
  | "currency"
  | "raw";
type Known = "id" | "orderId" | "verified" | "state" | "reason" | "repeats";

export type NoticeView = WithTimes<
  Pick<NoticeRecord, Said | Known | "paidAt" | "receivedAt">,
  "paidAt" | "receivedAt"
>;

/** What looking again at a notice did, or would do. */
export interface ReviewedNotice {
  readonly notice: NoticeView;
  readonly order?: OrderView;
}

export const PAYMENTS = "/api/admin/orders/payments";

/** Whether a person has to decide about it. */
export function isOpen({ state }: NoticeView): boolean {
  return state === "needs_review" || state === "unmatched";
}
