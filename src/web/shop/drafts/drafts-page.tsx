/** Draft orders: what staff prepare for a buyer. */
import type { JSX } from "preact";
import type { DraftView } from "../../../shop/draft-orders/answer-schema.ts";
import { draftStates } from "../../../shop/draft-orders/schema.ts";
import { text } from "../../app/texts.ts";
import { Ago } from "../../ui/console/pieces.tsx";
import { mayUse } from "../../ui/console/session.ts";
import type { Listing } from "../../ui/resource/resource.ts";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { showMoney } from "../ui/money.ts";
import { DraftMark } from "./draft-mark.tsx";

export const draftList: Listing<DraftView> = {
  api: "/api/admin/draft-orders",
  navigation: "shop.nav.drafts",
  texts: "shop.drafts",
  write: "orders:write",
  idOf: ({ id }) => id,
  nameOf: ({ number }) => number,
  ListActions: () =>
    mayUse("orders:write") && (
      <a class="button primary" href="/admin/drafts/new">
        {text("shop.orders.create")}
      </a>
    ),
  table: {
    class: "shop-table",
    search: "shop.drafts.search",
    filters: [
      {
        name: "state",
        label: "shop.ui.state",
        values: [...draftStates],
        words: "shop.drafts.state",
        any: "shop.ui.anyState",
      },
    ],
    columns: () => [
      {
        key: "number",
        label: text("shop.drafts.one"),
        cell: ({ id, number }) => (
          <a class="row-name" href={`/admin/drafts/${id}`}>
            {number}
          </a>
        ),
      },
      {
        key: "buyer",
        label: text("shop.ui.buyer"),
        cell: ({ email, shippingAddress, billingAddress }) => (
          <span class="break">{shippingAddress?.name ?? billingAddress?.name ?? email ?? "–"}</span>
        ),
      },
      {
        key: "state",
        label: text("shop.ui.state"),
        cell: (view) => (
          <span class="marks">
            <DraftMark view={view} />
            {view.orderId !== undefined && <a href={`/admin/orders/${view.orderId}`}>{view.orderNumber}</a>}
          </span>
        ),
      },
      {
        key: "total",
        label: text("shop.ui.total"),
        number: true,
        cell: ({ quoted }) => (quoted === undefined ? "–" : showMoney(quoted.total, quoted.currency)),
      },
      { key: "age", label: text("admin.column.when"), cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
    ],
  },
};

/** The section. */
export function DraftsPage(): JSX.Element {
  return <ResourceList of={draftList} />;
}
