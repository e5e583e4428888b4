/** What the model of the shop keeps: orders, stock and notices, with no more than the rules need. */
export interface ModelLine {
  readonly stockId: string;
  quantity: number;
  unitPrice: number;
  delivered: boolean;
}

export interface ModelStock {
  readonly isTracked: boolean;
  /** Handed over without a person. */
  readonly isAutomatic: boolean;
  onHand: number;
  reserved: number;
  sold: number;
  freeKeys: number;
}

export interface ModelOrder {
  readonly id: string;
  readonly number: string;
  total: number;
  /** The provider that it is to be paid with. */
  method: string;
  expiresAt: number;
  /** It is paid later, by its invoice. */
  readonly isInvoiced: boolean;
  lines: ModelLine[];
  /** What an edit made it more expensive by after it was paid. */
  balance: number;
  status: string;
  received: number;
  refunded: number;
  attention: Set<string>;
  completesAt: number;
}

export interface Facts {
  readonly provider: string;
  readonly ref: string;
  readonly type: string;
  readonly claimed: string;
  readonly amount: number;
  readonly currency: string;
}

export interface ModelNotice extends Facts {
  state: string;
  orderId: string | undefined;
  repeats: number;
  /** Its provider did not confirm it. */
  isUnconfirmed: boolean;
  /** It came from a query, of an order that the shop named. */
  isAsked: boolean;
}

/** Two notices with the same key say the same. */
export function keyOf({ provider, ref, type, claimed, amount, currency }: Facts): string {
  return [provider, ref, type, claimed, amount, currency].join(" ");
}

/** Whether a person has to decide about a notice. */
export function isOpen({ state }: ModelNotice): boolean {
  return state === "needs_review" || state === "unmatched";
}

/** What an order's books say, in a word. */
export function paymentStatusOf({ total, received, refunded }: ModelOrder): string {
  if (refunded > 0) return refunded === received ? "refunded" : "partially_refunded";
  if (received > total) return "overpaid";
  if (received === total) return "paid";
  return received > 0 ? "partial" : "unpaid";
}

/** How a notice came. */
export interface HowReceived {
  /** An administrator decided. */
  readonly isForced?: boolean;
  /** Its provider does not confirm it. */
  readonly isUnconfirmed?: boolean;
  /** It came from a query. */
  readonly isAsked?: boolean;
}

/**
 * The same payment under another name of the order, which a person has assigned it to: a query of an order is about
 * that order.
 */
export function findGiven(
  notices: Iterable<ModelNotice>,
  { provider, ref, type, claimed, amount, currency }: Facts,
  { isAsked = false }: HowReceived,
): ModelNotice | undefined {
  const first = [...notices].find((one) => one.provider === provider && one.ref === ref && one.type === type);
  const isSame = first?.amount === amount && first.currency === currency;
  return isSame && (isAsked || first.isAsked) && first.orderId === claimed ? first : undefined;
}

/** Whether money comes back that an applied refund or dispute of the same reference had taken. */
export function hasLeft(
  notices: Iterable<ModelNotice>,
  orderId: string,
  { provider, ref, amount }: Facts,
): boolean {
  return [...notices].some(
    (one) =>
      one.orderId === orderId &&
      one.state === "applied" &&
      (one.type === "refund" || one.type === "chargeback") &&
      one.provider === provider &&
      one.ref === ref &&
      one.amount === amount,
  );
}
