/** Names of mails, events and actors in the reader's language. */
import { findText } from "../../../app/texts.ts";

/** A kind of mail, such as "order_paid". */
export function toMailName(kind: string): string {
  return findText(`shop.order.mail.${kind}`) ?? kind;
}

/** An event of an order, such as "pay"; `kind` is the list it comes from. */
export function toEventName(kind: string, what: string): string {
  return findText(`shop.order.event.${kind}.${what}`) ?? what;
}

/** `by` is "buyer", "admin", "system" or "provider <word>". */
export function toActorName(by: string): string {
  return findText(`shop.order.by.${by}`) ?? by.replace(/^provider /u, "");
}
