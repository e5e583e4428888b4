/** What a person should look at, raised and settled without moving the order. */
import { type MoveNote, type Moved, withAttention, withHistory, withoutAttention } from "./order.ts";
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
