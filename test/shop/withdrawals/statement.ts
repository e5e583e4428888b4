/** What tests of withdrawals state, and what they read. */

/** The buyer of {@link statement}. */
export const EMAIL = "ann@example.org";

export interface Placed {
  id: string;
  number: string;
  lines: readonly { id: string }[];
}

export interface Receipt {
  id: string;
  receivedAt: string;
  email: string;
}

export interface View {
  id: string;
  state: string;
  marks: string[];
  orderId?: string;
  suggestedRefund?: number;
  refundBy: string;
  refundPath?: string;
  isOverdue: boolean;
  version: number;
}

export const statement = (number: string, more: object = {}): object => ({
  name: "Ann Smith",
  orderNumber: number,
  email: EMAIL,
  ...more,
});
