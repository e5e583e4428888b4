/** What the shop has acknowledged, as its clients remember it. */

export interface Sale {
  readonly key: string;
  readonly email: string;
  readonly couponCode: string | undefined;
  /** How the order was acknowledged; absent while no answer came. */
  order?: SaleOrder;
  /** A cancellation that was acknowledged. */
  isCanceled?: boolean;
  /** A refund that was acknowledged, by its reference. */
  refund?: { readonly reference: string; readonly amount: number };
}

export interface SaleOrder {
  readonly id: string;
  readonly number: string;
  readonly total: number;
  readonly accessToken: string | undefined;
}

/** Money that a buyer sent, and what the shop answered to its notification. */
export interface Payment {
  readonly reference: string;
  readonly orderId: string;
  readonly amount: number;
  result?: string;
}

/** Changes of units by staff. */
export interface Restock {
  readonly productId: string;
  readonly units: number;
  /** Undefined: there was no answer. */
  isDone?: boolean;
}

export class History {
  readonly sales: Sale[] = [];
  readonly payments: Payment[] = [];
  readonly restocks: Restock[] = [];
  /** Units of each product at the beginning. */
  readonly units = new Map<string, number>();
  /** Operations that were acknowledged with 2xx. */
  acknowledged = 0;
}
