/** What services name by words of their own, in the reader's. */
import { findText } from "../../../app/texts.ts";

/** A kind of mail, such as "order_paid". */
export function toMailName(kind: string): string {
  return findText(`shop.order.mail.${kind}`) ?? kind;
}

/** What happened to an order, such as "pay"; `kind` is the list that it is from. */
export function toEventName(kind: string, what: string): string {
  return findText(`shop.order.event.${kind}.${what}`) ?? what;
}

/** Who did something: "buyer", "admin", "system", or "provider <word>". */
export function toActorName(by: string): string {
  return findText(`shop.order.by.${by}`) ?? by.replace(/^provider /u, "");
}
