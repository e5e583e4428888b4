/** A new token for an order whose old one may have been seen by others; only the buyer's mailbox gets it. */
import { AppError } from "../../kit/errors.ts";
import type { Tx } from "../../store/store.ts";
import { isQuiet, mailOrder } from "../mails/mails.ts";
import { withHistory, type MoveNote } from "./moves.ts";
import type { OrderRecord } from "./schema.ts";
import { toOrderToken } from "./token.ts";
import { orders } from "../records.ts";
import type { SettlementDeps } from "../payments/settlement.ts";

/** Replaces the token of an order and mails the new one. Throws `conflict` while nothing is mailed about the order. */
export async function renewToken(
  tx: Tx,
  deps: SettlementDeps,
  { order, note: { by, atMs, note } }: { readonly order: OrderRecord; readonly note: MoveNote },
): Promise<OrderRecord> {
  if (isQuiet(order)) throw new AppError("conflict", "Nothing is mailed about this order before it is paid");
  const entry = { at: atMs, by, event: "token_renewed", ...(note === undefined ? {} : { note }) };
  const tokenRenewals = (order.tokenRenewals ?? 0) + 1;
  const stored = await tx.put(orders, { ...withHistory(order, entry), tokenRenewals });
  const orderToken = toOrderToken(deps.box, stored);
  await mailOrder(tx, deps, { kind: "order_token", order: stored, orderToken });
  return stored;
}
