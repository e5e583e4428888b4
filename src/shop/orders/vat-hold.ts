/** Orders that nothing is delivered of before their VAT ID was checked, and what follows the check. */
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { Tx } from "../../store/store.ts";
import { readSite } from "../site/settings.ts";
import type { VatCheck } from "../tax/schema.ts";
import { handOverAutomatic } from "./delivery.ts";
import {
  type MoveNote,
  type Moved,
  deliverOrder,
  isHeld,
  withAttention,
  withHistory,
  withoutAttention,
} from "./order.ts";
import type { OrderRecord } from "./schema.ts";

/** Delivers what needs no person, once an order is no longer held. */
export async function releaseHeld(
  tx: Tx,
  box: SecretBox,
  order: OrderRecord,
  { check, ...by }: MoveNote & { readonly check: Omit<VatCheck, "isHeld"> },
): Promise<Moved> {
  if (!isHeld(order)) return { order, effects: [] };
  const freed = withoutAttention({ ...order, vatCheck: check }, "vat_id");
  if (freed.status !== "paid") return { order: freed, effects: [] };
  const goods = await handOverAutomatic(tx, box, freed, by.atMs);
  if (goods.lines.every(({ deliveredAt }) => deliveredAt === undefined)) {
    const waiting = goods.isComplete ? freed : withAttention(freed, "stock_shortfall");
    return { order: waiting, effects: [{ kind: "mail_new_order" }] };
  }
  const { autoCompleteDays } = await readSite(tx);
  const { order: next, effects } = deliverOrder(freed, { ...goods, ...by, autoCompleteDays });
  if (next.status === "delivered") return { order: next, effects };
  return {
    order: goods.isComplete ? next : withAttention(next, "stock_shortfall"),
    effects: [...effects, { kind: "mail", mail: "order_paid" }, { kind: "mail_new_order" }],
  };
}

/** VIES does not have the VAT ID of a held order: a person decides. */
export function noteInvalid(order: OrderRecord, atMs: number): Moved {
  const vatId = order.vatId ?? "";
  const noted = withHistory(order, { at: atMs, by: "system", event: "vat_id_invalid", note: vatId });
  return {
    order: { ...noted, vatCheck: { state: "invalid", at: atMs, isHeld: true } },
    effects: [
      {
        kind: "mail_admin",
        subject: `the VAT ID of order ${order.number} is not registered`,
        lines: [
          `VIES does not have the VAT ID ${vatId}, and order ${order.number} was paid without VAT.`,
          "Refund the order, or change it so that the buyer pays the VAT.",
        ],
      },
    ],
  };
}
