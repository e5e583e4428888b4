/** All orders: search, filters, kept searches, and what is done to many at once. */
import type { JSX } from "preact";
import { csvSeparator } from "../../app/format.ts";
import { useState } from "preact/hooks";
import { countText, text } from "../../app/texts.ts";
import { Checkbox } from "../../ui/controls.tsx";
import { type TableColumn, Table } from "../../ui/controls-table.tsx";
import { CursorList, useCursorPage } from "../../ui/console/cursor-page.tsx";
import { Ago, PageHead } from "../../ui/console/pieces.tsx";
import { useQuery } from "../../ui/console/query.ts";
import { Icon } from "../../ui/icons.tsx";
import { showMoney } from "../ui/money.ts";
import { ORDERS, type OrderView } from "../ui/orders/order-data.ts";
import { AttentionMarks, OrderLink, PaymentMark, StatusMark } from "../ui/orders/order-marks.tsx";
import { BulkBar } from "./bulk-bar.tsx";
import { OrderFilters, filterNames, toSearch } from "./order-filters.tsx";
import { SavedSearches } from "./saved-searches.tsx";

interface Choice {
  readonly chosen: ReadonlySet<string>;
  readonly choose: (id: string, isChosen: boolean) => void;
}

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

function toColumns({ chosen, choose }: Choice): readonly TableColumn<OrderView>[] {
  return [
    {
      key: "choose",
      label: text("admin.choose"),
      silent: true,
      cell: ({ id, number }) => (
        <Checkbox
          label={<span class="for-readers">{text("shop.orders.chooseOne", { number })}</span>}
          checked={chosen.has(id)}
          onChange={(isChosen) => choose(id, isChosen)}
        />
      ),
    },
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
  ];
}

/** The section. */
export function OrdersPage(): JSX.Element {
  const query = useQuery();
  const filters = toSearch(query);
  const page = useCursorPage<OrderView>(`${ORDERS}/search`, filters);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  function choose(id: string, isChosen: boolean): void {
    const next = new Set(chosen);
    if (isChosen) next.add(id);
    else next.delete(id);
    setChosen(next);
  }
  // What is not in sight is not done anything to.
  const orders = page.items.filter(({ id }) => chosen.has(id));
  const isNarrowed = filterNames.some((name) => query.get(name) !== "");
  const asked = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ""));
  asked.set("separator", csvSeparator());
  return (
    <>
      <PageHead title={text("shop.nav.orders")}>
        <a class="button" href={`${ORDERS}/search/export?${asked.toString()}`} download="orders.csv">
          <Icon name="download" />
          {text(isNarrowed ? "shop.orders.exportFound" : "admin.csv")}
        </a>
      </PageHead>
      <SavedSearches query={query} />
      <OrderFilters query={query} />
      {orders.length > 0 && (
        <BulkBar
          orders={orders}
          onDone={() => {
            setChosen(new Set());
            void page.refresh();
          }}
        />
      )}
      <CursorList page={page} empty={text(isNarrowed ? "shop.orders.noneFound" : "shop.orders.none")}>
        <Checkbox
          label={text("shop.orders.all")}
          checked={orders.length === page.items.length}
          onChange={(isChosen) => setChosen(new Set(isChosen ? page.items.map(({ id }) => id) : []))}
        />
        <div class="shop-table orders-table">
          <Table
            caption={text("shop.nav.orders")}
            columns={toColumns({ chosen, choose })}
            rows={page.items}
            keyOf={({ id }) => id}
          />
        </div>
      </CursorList>
    </>
  );
}
