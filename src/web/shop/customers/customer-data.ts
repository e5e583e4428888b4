/** Customers as the administration's routes give them. */

export interface CustomerView {
  readonly id: string;
  /** 0 while there is neither a note nor a block. */
  readonly version: number;
  /** Absent for guests. */
  readonly userId?: string;
  readonly email: string;
  readonly orders: number;
  readonly openOrders: number;
  readonly paid: readonly { readonly currency: string; readonly amount: number }[];
  readonly firstOrderAt: string;
  readonly lastOrderAt: string;
  readonly note: string;
  readonly blocked: boolean;
  readonly erasing: boolean;
}

const CUSTOMERS = "/api/admin/customers";

/** The routes of customers, or of one. */
export function customerPath(id = "", action = ""): string {
  return id === "" ? CUSTOMERS : `${CUSTOMERS}/${encodeURIComponent(id)}${action}`;
}
