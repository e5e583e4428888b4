/** All orders: search, filters, kept searches, and what is done to many at once. */
import type { JSX } from "preact";
import { searchQuerySchema } from "../../../shop/order-search/schema.ts";
import { countText, text } from "../../app/texts.ts";
import { Ago } from "../../ui/console/pieces.tsx";
import { mayUse } from "../../ui/console/session.ts";
import { toDayEnd, toDayStart } from "../../ui/forms/local-time.ts";
import { MoreFilters } from "../../ui/resource/more-filters.tsx";
import type { Listing } from "../../ui/resource/resource.ts";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { showMoney } from "../ui/money.ts";
import { ORDERS, type OrderView } from "../ui/orders/order-data.ts";
import { AttentionMarks, OrderLink, PaymentMark, StatusMark } from "../ui/orders/order-marks.tsx";
import { useProviders } from "../ui/providers.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { SavedSearches } from "./saved-searches.tsx";

function Buyer({ order }: { order: OrderView }): JSX.Element {
  const { billingAddress, shippingAddress, contact } = order;
  const name = shippingAddress?.name ?? billingAddress?.name;
  return (
    <>
      <span class="break">{name ?? contact.email}</span>
      {name !== undefined && <span class="field-hint break">{contact.email}</span>}
    </>
  );
}

/** The first line, and how many more there are. */
function Lines({ order: { lines } }: { order: OrderView }): JSX.Element {
  const [first] = lines;
  if (first === undefined) return <>–</>;
  const chosen = Object.values(first.options).join(", ");
  return (
    <>
      <span class="break">
        {first.quantity > 1 && `${first.quantity} × `}
        {first.title}
        {chosen !== "" && ` (${chosen})`}
      </span>
      {lines.length > 1 && (
        <span class="field-hint">{countText("shop.orders.moreLines", lines.length - 1)}</span>
      )}
    </>
  );
}

function toCountryCode(typed: string): string {
  const code = typed.toUpperCase();
  return /^[A-Z]{2}$/u.test(code) ? code : "";
}

export const orders: Listing<OrderView> = {
  api: ORDERS,
  navigation: "shop.nav.orders",
  texts: "shop.orders",
  write: "orders:write",
  idOf: ({ id }) => id,
  nameOf: ({ number }) => number,
  ListActions: () =>
    mayUse("orders:write") && (
      <a class="button" href="/admin/drafts/new">
        {text("shop.orders.create")}
      </a>
    ),
  Above: () => <SavedSearches table={orders.table} />,
  table: {
    class: "shop-table orders-table",
    search: "shop.orders.search",
    query: searchQuerySchema,
    Filters: MoreFilters,
    filters: [
      { name: "status", label: "shop.ui.state", words: "shop.order.status", any: "shop.ui.anyState" },
      {
        name: "paymentStatus",
        label: "shop.ui.payment",
        words: "shop.order.payment",
        any: "shop.orders.filter.payment.any",
      },
      {
        name: "attention",
        label: "shop.orders.filter.attention",
        words: "shop.order.attention",
        any: "shop.orders.filter.attention.any",
      },
      { name: "from", label: "shop.orders.filter.from", as: "day", toAsked: toDayStart, seldom: true },
      { name: "to", label: "shop.orders.filter.to", as: "day", toAsked: toDayEnd, seldom: true },
      {
        name: "paymentMethod",
        label: "shop.ui.provider",
        any: "shop.orders.filter.provider.any",
        useChoices: () => useProviders().map(({ word, title }) => ({ value: word, label: title })),
        seldom: true,
      },
      {
        name: "country",
        label: "shop.orders.filter.country",
        as: "text",
        toAsked: toCountryCode,
        seldom: true,
      },
      { name: "coupon", label: "shop.orders.filter.coupon", as: "text", seldom: true },
      { name: "email", as: "link" },
      { name: "userId", as: "link" },
      { name: "productId", as: "link" },
    ],
    exports: [
      {
        label: "admin.csv",
        found: "shop.orders.exportFound",
        path: `${ORDERS}/search/export`,
        file: "orders.csv",
      },
    ],
    Bulk: BulkBar,
    tickName: ({ number }) => text("shop.orders.chooseOne", { number }),
    tickAll: "shop.orders.all",
    columns: () => [
      {
        key: "number",
        label: text("shop.ui.order"),
        cell: ({ id, number }) => <OrderLink id={id} number={number} />,
      },
      { key: "buyer", label: text("shop.ui.buyer"), cell: (order) => <Buyer order={order} /> },
      { key: "lines", label: text("admin.column.what"), cell: (order) => <Lines order={order} /> },
      {
        key: "state",
        label: text("shop.ui.state"),
        cell: ({ status, attention }) => (
          <span class="marks">
            <StatusMark status={status} />
            <AttentionMarks attention={attention} />
          </span>
        ),
      },
      {
        key: "payment",
        label: text("shop.ui.payment"),
        cell: ({ paymentStatus }) => <PaymentMark status={paymentStatus} />,
      },
      {
        key: "total",
        label: text("shop.ui.total"),
        number: true,
        cell: ({ total, currency }) => showMoney(total, currency),
      },
      { key: "age", label: text("admin.column.when"), cell: ({ createdAt }) => <Ago at={createdAt} /> },
    ],
  },
};

/** The section. */
export function OrdersPage(): JSX.Element {
  return <ResourceList of={orders} path={`${ORDERS}/search`} />;
}
