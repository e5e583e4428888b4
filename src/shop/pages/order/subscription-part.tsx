/** @jsxImportSource hono/jsx */
/** Subscriptions on the page of their order: when they renew, for how much, and how to end that. */
import { Form } from "../../../html/form.tsx";
import { nameLine } from "../../orders/delivery.ts";
import type { ShownSubscription } from "../../renewals/subscriptions.ts";
import type { Visit } from "../visit.tsx";

export const toSubscriptionPath = (number: string, id: string): string =>
  `/orders/${number}/subscriptions/${id}`;

interface SubscriptionProps {
  readonly visit: Visit;
  /** Of the order whose page it is. */
  readonly number: string;
  readonly found: ShownSubscription;
}

/** "2 × Photo Desk" */
export const nameSubscription = ({ subscription, quantity }: ShownSubscription): string =>
  (quantity === 1 ? "" : `${quantity} × `) + nameLine(subscription);

function toStateWords(
  { subscription, price, quantity }: ShownSubscription,
  { t, time, money }: Visit,
): string[] {
  const { state, paidUntil, endedAt, graceUntil, way, currency, nextPrice, terms } = subscription;
  switch (state) {
    case "canceled":
      return [t("subscription.canceled", { time: time(paidUntil) })];
    case "ended":
      return [t("subscription.ended", { time: time(endedAt ?? paidUntil) })];
    case "past_due":
      return [t("subscription.pastDue", { time: time(paidUntil), until: time(graceUntil ?? paidUntil) })];
    case "active": {
      const later = nextPrice !== undefined && nextPrice.price !== terms.price ? nextPrice : undefined;
      return [
        t("subscription.active", { time: time(paidUntil), price: money(price * quantity, currency) }),
        t(way === "automatic" ? "subscription.automatic" : "subscription.invoice"),
        ...(later === undefined || later.price === price
          ? []
          : [
              t("subscription.newPrice", {
                time: time(later.from),
                price: money(later.price * quantity, currency),
              }),
            ]),
      ];
    }
  }
}

/** One subscription. Its end takes two clicks: this one, and the one that confirms it. */
export function SubscriptionPart({ visit, number, found }: SubscriptionProps) {
  const { t, formToken } = visit;
  const { subscription, renewals } = found;
  const { id, state, open, remote } = subscription;
  const path = toSubscriptionPath(number, id);
  const renewal = renewals.find((one) => one.number === open);
  const isLive = state === "active" || state === "past_due";
  return (
    <section class="card stack" id={id}>
      <div class="stack is-tight">
        <h2>{t("subscription.title", { number: subscription.number })}</h2>
        <p class="muted">{nameSubscription(found)}</p>
        <p class={state === "past_due" ? "note" : undefined}>{toStateWords(found, visit).join(" ")}</p>
      </div>
      <div class="row no-print">
        {renewal === undefined || renewal.orderNumber === number || !isLive ? (
          <></>
        ) : (
          <Form action={`${path}/renewal`} token={formToken}>
            <button class={state === "past_due" ? "button primary" : "button"} type="submit">
              {t("subscription.payOpen", { number: renewal.orderNumber })}
            </button>
          </Form>
        )}
        {isLive && remote?.state["customer"] !== undefined && subscription.way === "automatic" ? (
          <Form action={`${path}/card`} token={formToken}>
            <button class="button" type="submit">
              {t("subscription.card")}
            </button>
          </Form>
        ) : (
          <></>
        )}
        {isLive ? (
          <a class="button" href={path}>
            {t("subscription.cancel")}
          </a>
        ) : (
          <></>
        )}
        {state === "canceled" ? (
          <Form action={`${path}/resume`} token={formToken}>
            <button class="button" type="submit">
              {t("subscription.resume")}
            </button>
          </Form>
        ) : (
          <></>
        )}
      </div>
    </section>
  );
}
