/** What a person should look at, raised and settled without moving the order. */
import { type MoveNote, type Moved, withAttention, withHistory, withoutAttention } from "./order.ts";
import type { Attention, OrderRecord } from "./schema.ts";

/** The buyer withdraws from the order, or from a part of it; a person decides about it. */
export function noteWithdrawal(order: OrderRecord, { by, atMs, note }: MoveNote): Moved {
  const noted = withHistory(order, { at: atMs, by, event: "withdrawal", note });
  return { order: withAttention(noted, "withdrawal"), effects: [] };
}

/** A person has looked at flags of the order. */
export function resolveFlags(
  order: OrderRecord,
  { flags, by, atMs, note = "" }: MoveNote & { readonly flags: readonly Attention[] },
): Moved {
  const entry = { at: atMs, by, event: "attention_resolved", note: [...flags, note].join(" ") };
  return { order: withHistory(withoutAttention(order, ...flags), entry), effects: [] };
}
