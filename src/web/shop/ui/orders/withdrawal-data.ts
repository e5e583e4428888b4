/** Withdrawals as the administration's routes give them. */
import type { WithdrawalRecord, WithdrawalState } from "../../../../shop/withdrawals/schema.ts";
import type { WithTimes } from "../../../ui/forms/with-times.ts";

export const withdrawalStates: readonly WithdrawalState[] = [
  ...(["received", "accepted", "returned", "closed", "declined"] as const),
];

type Shown =
  | "id"
  | "version"
  | "orderNumber"
  | "orderId"
  | "name"
  | "email"
  | "what"
  | "lines"
  | "state"
  | "marks";

export interface WithdrawalView extends WithTimes<
  Pick<WithdrawalRecord, Shown | "receivedAt" | "refundBy">,
  "receivedAt" | "refundBy"
> {
  readonly isOverdue: boolean;
  readonly currency?: string;
  readonly suggestedRefund?: number;
  readonly history: readonly WithTimes<WithdrawalRecord["history"][number], "at">[];
}

export const WITHDRAWALS = "/api/admin/withdrawals";
