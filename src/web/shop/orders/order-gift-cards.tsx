/** Gift cards that pay for an order, and the way to those that it sold. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { Panel } from "../../ui/panel.tsx";
import type { OrderView } from "../ui/orders/order-data.ts";
import { showMoney } from "../ui/money.ts";

/** The panel. */
export function OrderGiftCards({ order }: { order: OrderView }): JSX.Element {
  const { giftCards = [], currency, lines, id } = order;
  const hasSold = lines.some(({ deliveryType }) => deliveryType === "gift_card");
  return (
    <Panel title={text("shop.nav.giftCards")}>
      {giftCards.map(({ cardId, lastFour, amount, returned }) => (
        <p key={cardId}>
          <a href={`/admin/gift-cards/${cardId ?? ""}`}>••••{lastFour}</a>{" "}
          {text("shop.giftCards.paid", { amount: showMoney(amount, currency) })}
          {returned > 0 && ` ${text("shop.giftCards.returned", { amount: showMoney(returned, currency) })}`}
        </p>
      ))}
      {hasSold && (
        <div class="button-row">
          <a class="button" href={`/admin/gift-cards?orderId=${encodeURIComponent(id)}`}>
            {text("shop.giftCards.sold")}
          </a>
        </div>
      )}
    </Panel>
  );
}
