/** Withdrawals as the administration's routes give them. */

export type WithdrawalState = "received" | "accepted" | "returned" | "closed" | "declined";
export const withdrawalStates: readonly WithdrawalState[] = [
  ...(["received", "accepted", "returned", "closed", "declined"] as const),
];

export interface WithdrawalView {
  readonly id: string;
  readonly version: number;
  readonly orderNumber: string;
  /** Absent for a statement that fits no order. */
  readonly orderId?: string;
  readonly name: string;
  readonly email: string;
  readonly what: string;
  readonly lines: readonly { readonly lineId: string; readonly quantity: number }[];
  readonly state: WithdrawalState;
  readonly marks: readonly (
    | ("unknown_order" | "unknown_lines" | "late" | "waived" | "excluded")
    | "no_right"
  )[];
  readonly receivedAt: string;
  readonly refundBy: string;
  readonly isOverdue: boolean;
  readonly currency?: string;
  readonly suggestedRefund?: number;
  readonly history: readonly {
    readonly at: string;
    readonly by: string;
    readonly event: string;
    readonly note?: string;
  }[];
}

export const WITHDRAWALS = "/api/admin/withdrawals";
