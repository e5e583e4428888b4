/** Identifies a mailbox, however its address is written. */
import type { IndexRange } from "../../store/store.ts";

/** "Ann+1@Example.org" is the mailbox of "ann@example.org". */
export function toMailbox(email: string): string {
  const lower = email.toLowerCase();
  const at = lower.lastIndexOf("@");
  const plus = lower.indexOf("+");
  return plus < 0 || plus > at ? lower : lower.slice(0, plus) + lower.slice(at);
}

/** Where an index that begins with the address has a mailbox: its own address, and all that may be "ann+…@…". */
export function toMailboxRanges(email: string): [own: IndexRange, withPlus: IndexRange] {
  const mailbox = toMailbox(email);
  const name = mailbox.slice(0, mailbox.lastIndexOf("@"));
  // "," is the character after "+".
  return [{ prefix: [mailbox] }, { from: [`${name}+`], to: [`${name},`] }];
}
