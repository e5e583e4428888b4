/**
 * Tokens of one order, which need no sign-in: that of the buyer, and a lesser one for payment services, which
 * shows the state of the payment and nothing else. Keyed hashes of the order's id (that of the buyer also of how
 * often it was replaced), so that none is stored.
 */
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import { isSameText } from "../../kit/secrets/same-text.ts";
import type { OrderRecord } from "./schema.ts";

const PREFIX = "ot_";
/** Prefix of tokens of earlier versions: order IDs have it, too. */
const OLD_PREFIX = "ord_";
const PURPOSE = "order-token";
const PAY_PREFIX = "pt_";
const PAY_PURPOSE = "pay-token";

type Opened = Pick<OrderRecord, "id" | "tokenRenewals">;

function toMac(box: SecretBox, { id, tokenRenewals = 0 }: Opened): string {
  return box.mac(tokenRenewals === 0 ? id : `${id} ${tokenRenewals}`, PURPOSE);
}

/** The token of an order; the same until it is replaced. */
export function toOrderToken(box: SecretBox, order: Opened): string {
  return `${PREFIX}${toMac(box, order)}`;
}

/** Whether this is the order's token, compared in constant time. */
export function isOrderToken(box: SecretBox, order: Opened, token: string): boolean {
  const mac = toMac(box, order);
  return isSameText(token, token.startsWith(OLD_PREFIX) ? `${OLD_PREFIX}${mac}` : `${PREFIX}${mac}`);
}

/** The token in URLs that payment providers see: their logs must not open the order. */
export function toPayToken(box: SecretBox, orderId: string): string {
  return `${PAY_PREFIX}${box.mac(orderId, PAY_PURPOSE)}`;
}

/** Whether a token shows the state of the order's payment: that for payments, or the order's own. */
export function mayShowPayment(box: SecretBox, order: Opened, token: string): boolean {
  return token.startsWith(PAY_PREFIX)
    ? isSameText(token, toPayToken(box, order.id))
    : isOrderToken(box, order, token);
}
