/** Payment notices as the administration's routes give them. */
import type { OrderView } from "./order-data.ts";

export type NoticeStateName =
  | ("applied" | "noted" | "duplicate" | "unmatched" | "rejected" | "needs_review")
  | "dismissed";
export const noticeStates: readonly NoticeStateName[] = [
  ...(["needs_review", "unmatched", "applied", "noted", "duplicate", "rejected", "dismissed"] as const),
];

export interface NoticeView {
  readonly id: string;
  readonly provider: string;
  readonly eventId: string;
  readonly providerRef: string;
  /** What the notice said; there may be no such order. */
  readonly claimedOrderId: string;
  readonly orderId?: string;
  readonly type: "payment" | "pending" | "failed" | "refund" | "chargeback";
  readonly amount: number;
  readonly currency: string;
  readonly verified: "secret" | "signature" | "none" | "admin" | "asked";
  readonly state: NoticeStateName;
  readonly reason: string;
  readonly repeats: number;
  readonly raw: string;
  readonly paidAt?: string;
  readonly receivedAt: string;
}

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
