/** Changes of an order that keep its state: flags for a person, and another token. */
import { AppError } from "../../kit/errors.ts";
import {
  type MoveNote,
  type Moved,
  assertAwaitsPayment,
  isQuiet,
  withAttention,
  withHistory,
  withoutAttention,
} from "./order.ts";
import type { Attention, OrderRecord } from "./schema.ts";

/** The buyer withdraws from the order, or from a part of it; a person decides about it. */
export function noteWithdrawal(order: OrderRecord, { by, atMs, note }: MoveNote): Moved {
  const noted = withHistory(order, { at: atMs, by, event: "withdrawal", note });
  return { order: withAttention(noted, "withdrawal"), effects: [] };
}

/**
 * A person has looked at flags of the order. With `isCredited` the money that disputes took stays away, and the
 * invoice is corrected by it.
 */
export function resolveFlags(
  order: OrderRecord,
  {
    flags,
    isCredited = false,
    ...move
  }: MoveNote & { readonly flags: readonly Attention[]; readonly isCredited?: boolean },
): Moved {
  const { by, atMs, note = "" } = move;
  const entry = { at: atMs, by, event: "attention_resolved", note: [...flags, note].join(" ") };
  return {
    order: withHistory(withoutAttention(order, ...flags), entry),
    effects: isCredited ? [{ kind: "credit_note", amount: order.amountRefunded, reason: move.note }] : [],
  };
}

/** The buyer says that the payment was made; said again, nothing changes. Throws `illegal_transition`. */
export function claimPayment(order: OrderRecord, { by, atMs, note = "" }: MoveNote): Moved | undefined {
  assertAwaitsPayment(order, { allowed: [] });
  if (order.attention.includes("payment_claim")) return undefined;
  const entry = { at: atMs, by, event: "payment_claim", note: note === "" ? undefined : note };
  const subject = `the buyer of order ${order.number} reports a payment`;
  const lines = ["Check whether the payment has arrived, then mark the order as paid.", note];
  return {
    order: withAttention(withHistory(order, entry), "payment_claim"),
    effects: [{ kind: "mail_admin", subject, lines }],
  };
}

/** Another token opens the order. Throws `conflict` while nothing is mailed about it: only the buyer's mailbox gets the token. */
export function renewToken(order: OrderRecord, { by, atMs, note }: MoveNote): Moved {
  if (isQuiet(order)) throw new AppError("conflict", "No emails are sent for this order before it is paid");
  const noted = withHistory(order, { at: atMs, by, event: "token_renewed", note });
  return {
    order: { ...noted, tokenRenewals: (order.tokenRenewals ?? 0) + 1 },
    effects: [{ kind: "mail", mail: "order_token" }],
  };
}
