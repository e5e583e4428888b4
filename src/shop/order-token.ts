/** The token that opens one order without a sign-in. Hidden here: that it is a keyed hash of the order's id, so that none is stored. */
import type { SecretBox } from "../kit/secret-box.ts";
import { isSameText } from "../kit/same-text.ts";

const PREFIX = "ord_";
const PURPOSE = "order-token";

/** The token of an order; always the same. */
export function toOrderToken(box: SecretBox, orderId: string): string {
  return `${PREFIX}${box.mac(orderId, PURPOSE)}`;
}

/** Whether this is the order's token, told in constant time. */
export function isOrderToken(box: SecretBox, orderId: string, token: string): boolean {
  return isSameText(token, toOrderToken(box, orderId));
}
