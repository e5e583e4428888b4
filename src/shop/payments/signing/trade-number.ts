/** The order's name at a payment provider: its ID with the attempt, as short as the strictest one requires. */

const ORDER_PREFIX = "ord_";
const TRADE_NUMBER = /^([0-9a-z]{26})_\d{1,5}$/u;

/** 01jd5v6m0c8f3k2n7q4x9y1z5a_1: at most 32 letters, digits and "_" (WeChat Pay takes no more, Alipay no others). */
export function toTradeNumber({ orderId, attempt }: { orderId: string; attempt: number }): string {
  const bare = orderId.startsWith(ORDER_PREFIX) ? orderId.slice(ORDER_PREFIX.length) : orderId;
  return `${bare}_${attempt}`;
}

/** The id of the order that a trade number names; anything else stays as it is, for people to look at. */
export function toOrderId(tradeNumber: string): string {
  const id = TRADE_NUMBER.exec(tradeNumber)?.[1];
  return id === undefined ? tradeNumber : `${ORDER_PREFIX}${id}`;
}

/** The trade number of a payment: the one that was kept with it, or else that of the attempt. */
export function findTradeNumber(payment: {
  readonly orderId: string;
  readonly attempt: number;
  readonly state: Readonly<Record<string, string>>;
}): string {
  return payment.state["tradeNumber"] ?? toTradeNumber(payment);
}
