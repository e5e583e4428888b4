/**
 * What a stand-in of a payment service can do. Each is written from the service's documentation, which its file cites;
 * none was tried against the real service.
 */

/** A payment as the stand-in keeps it. */
export interface GatewayPayment {
  /** The service's own name of it. */
  readonly reference: string;
  /** What the shop called it: an order's id or number, with the attempt where the kind adds one. */
  readonly orderId: string;
  readonly amount: number;
  readonly currency: string;
  isPaid: boolean;
  isCanceled: boolean;
  /** Given back so far, minor units. */
  refunded: number;
}

export interface GatewayRefund {
  readonly reference: string;
  readonly amount: number;
}

/** A notice as the service sends it to the shop. */
export interface GatewayNotice {
  readonly method: "GET" | "POST";
  /** What follows the path of the provider, such as "?pid=1&sign=…"; "" for none. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What may differ from the truth in a notice. */
export interface NoticeChange {
  readonly amount?: number;
  readonly currency?: string;
  readonly orderId?: string;
  /** The service's clock, epoch milliseconds. */
  readonly atMs?: number;
}

export interface Gateway {
  readonly kind: string;
  /** What an administrator types to use it; its addresses lead to `origin`. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly credentials: Readonly<Record<string, string>>;
  /** One that the service takes. */
  readonly currency: string;
  /** Payments that were begun, oldest first. */
  readonly payments: readonly GatewayPayment[];
  /** The service's HTTP side. */
  readonly answer: (request: Request) => Promise<Response>;
  /**
   * The buyer pays; resolves with the notification. A change leaves the provider itself as it was, unless the kind is
   * queried.
   */
  pay(payment: GatewayPayment, change?: NoticeChange): Promise<GatewayNotice>;
  /** A notice as it is sent when it was not heard, where its proof says when it was sent. */
  sendAgain?(notice: GatewayNotice): GatewayNotice;
  /** Money goes back at the service; undefined where it sends no such notice. */
  refund?(payment: GatewayPayment, amount: number): Promise<GatewayNotice>;
  /** The notice of the refund that was made last, there or by the shop; there is one. */
  tellRefund?(payment: GatewayPayment): GatewayNotice;
  /** That refund by the service's own name. */
  newestRefund?(payment: GatewayPayment): GatewayRefund | undefined;
  /** The same notice with a proof that is wrong. */
  forge(notice: GatewayNotice): GatewayNotice;
  /** What the service must hear, or it sends again: the whole body for those with a word of their own; undefined: any 2xx. */
  readonly expects?: string;
}

/** What each stand-in is made with. */
export interface GatewayOptions {
  /** Where it can be reached, without a slash at the end. */
  readonly origin: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
}
