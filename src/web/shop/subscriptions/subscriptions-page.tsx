/** Subscriptions: licenses that renew. */
import type { JSX } from "preact";
import type { SubscriptionView } from "../../../shop/renewals/answer-schema.ts";
import { text } from "../../app/texts.ts";
import { Moment } from "../../ui/console/pieces.tsx";
import type { Listing } from "../../ui/resource/resource.ts";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { SubscriptionPage } from "./subscription-page.tsx";
import { SUBSCRIPTIONS, SubscriptionMark, nameProduct, sayPrice } from "./subscription-data.tsx";

const subscriptions: Listing<SubscriptionView> = {
  api: SUBSCRIPTIONS,
  navigation: "shop.subscriptions.all",
  texts: "shop.subscriptions",
  write: "orders:write",
  idOf: ({ id }) => id,
  nameOf: ({ number }) => number,
  table: {
    class: "shop-table",
    filters: [
      {
        name: "state",
        label: "shop.ui.state",
        values: ["active", "past_due", "canceled", "ended"],
        words: "shop.subscriptions.state",
        any: "shop.ui.anyState",
      },
    ],
    columns: () => [
      {
        key: "number",
        label: text("shop.subscriptions.number"),
        cell: ({ id, number, email = "" }) => (
          <>
            <a href={`/admin/licenses/${id}`}>{number}</a>
            <span class="field-hint break">{email}</span>
          </>
        ),
      },
      { key: "state", label: text("shop.ui.state"), cell: (view) => <SubscriptionMark state={view.state} /> },
      { key: "product", label: text("shop.subscriptions.product"), cell: nameProduct },
      { key: "price", label: text("shop.subscriptions.price"), cell: sayPrice },
      {
        key: "renews",
        label: text("shop.subscriptions.renewsAt"),
        cell: ({ renewsAt }) => (renewsAt === undefined ? "–" : <Moment at={renewsAt} />),
      },
    ],
  },
};

/** The section. */
export function SubscriptionsPage({ id }: { id: string }): JSX.Element {
  return id === "subscriptions" ? <ResourceList of={subscriptions} /> : <SubscriptionPage id={id} key={id} />;
}
