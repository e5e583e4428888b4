/** What an edit of an order makes of its amounts. */
import type { JSX } from "preact";
import type { EditPreviewView } from "../../../../shop/order-edits/answer-schema.ts";
import { text } from "../../../app/texts.ts";
import { Facts } from "../../../ui/facts.tsx";
import { showMoney } from "../../ui/money.ts";
import type { OrderView } from "../../ui/orders/order-data.ts";

/** The amounts. */
export function EditAmounts({ order, shown }: { order: OrderView; shown: EditPreviewView }): JSX.Element {
  const money = (amount: number): string => showMoney(amount, shown.currency);
  const isPaid = order.status !== "pending_payment";
  return (
    <div role="status" class="stack-small">
      <Facts
        facts={[
          [text("shop.order.sum.subtotal"), money(shown.subtotal)],
          [text("shop.order.sum.discount"), shown.discount === 0 ? undefined : money(-shown.discount)],
          [text("shop.order.sum.shipping"), money(shown.shipping)],
          [text("shop.order.items.before"), money(order.total)],
          [text("shop.ui.total"), <strong key="total">{money(shown.total)}</strong>],
          [text("shop.order.sum.due"), shown.amountDue === 0 ? undefined : money(shown.amountDue)],
          [text("shop.order.items.overpaid"), shown.overpaid === 0 ? undefined : money(shown.overpaid)],
        ]}
      />
      {shown.isCouponLost && <p class="admin-note is-warn">{text("shop.order.items.couponLost")}</p>}
      {isPaid && shown.amountDue > 0 && <p class="field-hint">{text("shop.order.items.dueHint")}</p>}
      {isPaid && shown.overpaid > 0 && <p class="field-hint">{text("shop.order.items.overpaidHint")}</p>}
    </div>
  );
}
