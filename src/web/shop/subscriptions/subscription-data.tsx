/** Subscriptions as the console shows them. */
import type { JSX } from "preact";
import type { SubscriptionView } from "../../../shop/renewals/answer-schema.ts";
import { text } from "../../app/texts.ts";
import { Badge, type BadgeKind } from "../../ui/console/pieces.tsx";
import { showMoney } from "../ui/money.ts";

export const SUBSCRIPTIONS = "/api/admin/subscriptions";

const badges: Record<SubscriptionView["state"], BadgeKind> = {
  active: "good",
  past_due: "warn",
  canceled: "idle",
  ended: "bad",
};

export function SubscriptionMark({ state }: Pick<SubscriptionView, "state">): JSX.Element {
  return <Badge kind={badges[state]}>{text(`shop.subscriptions.state.${state}`)}</Badge>;
}

/** "€29.00 every year", for all licenses */
export function sayPrice({ price, quantity, currency, every, count }: SubscriptionView): string {
  return text("shop.subscriptions.every", { price: showMoney(price * quantity, currency), every, count });
}

export function nameProduct({ title, options, quantity }: SubscriptionView): string {
  const chosen = Object.values(options).join(", ");
  const name = chosen === "" ? title : `${title} (${chosen})`;
  return quantity === 1 ? name : `${quantity} × ${name}`;
}
