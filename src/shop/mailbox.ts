/** What stands for a mailbox, however its address is written. */

/** "Ann+1@Example.org" is the mailbox of "ann@example.org". */
export function toMailbox(email: string): string {
  const lower = email.toLowerCase();
  const at = lower.lastIndexOf("@");
  const plus = lower.indexOf("+");
  return plus < 0 || plus > at ? lower : lower.slice(0, plus) + lower.slice(at);
}
