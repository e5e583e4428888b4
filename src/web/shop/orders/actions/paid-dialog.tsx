/** A payment that came in another way is written down. */
import type { JSX } from "preact";
import { markPaidSchema } from "../../../../shop/fulfilment/schema.ts";
import { text } from "../../../app/texts.ts";
import { makeForm } from "../../../ui/resource/form.ts";
import { moneyKind } from "../../kinds/goods-kinds.tsx";
import { showMoney, typeMoney } from "../../ui/money.ts";
import { MoveFields } from "../../ui/move-fields.tsx";
import { type OrderPart, type OrderView, sendMove } from "../../ui/orders/order-data.ts";

const form = makeForm<typeof markPaidSchema, Pick<OrderView, "currency">>({
  schema: markPaidSchema,
  words: "shop.order",
  kinds: { money: moneyKind },
  fields: {
    amount: {
      label: "shop.order.paid.amount",
      json: { required: true },
      fault: "shop.ui.amountFault",
      missing: "shop.ui.amountFault",
    },
    note: { label: "shop.order.noteForUs" },
    version: false,
  },
  panels: [{ fields: ["amount", "reference", "note"] }],
});

/** The dialog. */
export function PaidDialog({ order, onChange, onClose }: OrderPart & { onClose: () => void }): JSX.Element {
  const { currency, amountDue } = order;
  return (
    <MoveFields
      title={text("shop.order.paid.title", { number: order.number })}
      action={text("shop.order.paid")}
      form={form}
      context={order}
      initial={{ amount: typeMoney(amountDue, currency) }}
      done={text("shop.order.paid.done")}
      send={(fields) => sendMove(order, "mark-paid", fields)}
      onChange={onChange}
      onClose={onClose}
    >
      <p>{text("shop.order.paid.text", { due: showMoney(amountDue, currency) })}</p>
    </MoveFields>
  );
}
