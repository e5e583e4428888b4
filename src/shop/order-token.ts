/**
 * Tokens of one order, which need no sign-in: that of the buyer, and a lesser one for payment services, which
 * shows the state of the payment and nothing else. Keyed hashes of the order's id, so that none is stored.
 */
import type { SecretBox } from "../kit/secret-box.ts";
import { isSameText } from "../kit/same-text.ts";

const PREFIX = "ot_";
/** What tokens of earlier versions begin with: order ids do, too. */
const OLD_PREFIX = "ord_";
const PURPOSE = "order-token";
const PAY_PREFIX = "pt_";
const PAY_PURPOSE = "pay-token";

/** The token of an order; always the same. */
export function toOrderToken(box: SecretBox, orderId: string): string {
  return `${PREFIX}${box.mac(orderId, PURPOSE)}`;
}

/** Whether this is the order's token, told in constant time. */
export function isOrderToken(box: SecretBox, orderId: string, token: string): boolean {
  const mac = box.mac(orderId, PURPOSE);
  return isSameText(token, token.startsWith(OLD_PREFIX) ? `${OLD_PREFIX}${mac}` : `${PREFIX}${mac}`);
}

/** What stands in addresses that payment services see: their logs must not open the order. */
export function toPayToken(box: SecretBox, orderId: string): string {
  return `${PAY_PREFIX}${box.mac(orderId, PAY_PURPOSE)}`;
}

/** Whether a token shows the state of the order's payment: that for payments, or the order's own. */
export function mayShowPayment(box: SecretBox, orderId: string, token: string): boolean {
  return token.startsWith(PAY_PREFIX)
    ? isSameText(token, toPayToken(box, orderId))
    : isOrderToken(box, orderId, token);
}
