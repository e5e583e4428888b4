/** Everybody who ordered, by account or as a guest. */
import type { JSX } from "preact";
import { toNumber } from "../../app/format.ts";
import { countText, text } from "../../app/texts.ts";
import { type TableColumn, Table } from "../../ui/controls-table.tsx";
import { CursorList, useCursorPage } from "../../ui/console/cursor-page.tsx";
import { Ago, PageHead } from "../../ui/console/pieces.tsx";
import { useQuery } from "../../ui/console/query.ts";
import { SearchField } from "../../ui/filters/search-field.tsx";
import { ClearFilters, FilterSelect } from "../ui/filter-bar.tsx";
import { showMoney } from "../ui/money.ts";
import { type CustomerView, customerPath } from "./customer-data.ts";
import { CustomerMarks } from "./customer-marks.tsx";

function toColumns(): readonly TableColumn<CustomerView>[] {
  return [
    {
      key: "who",
      label: text("shop.ui.customer"),
      cell: ({ id, email }) => (
        <a class="break" href={`/admin/customers/${encodeURIComponent(id)}`}>
          {email}
        </a>
      ),
    },
    {
      key: "state",
      label: text("admin.column.kind"),
      cell: (customer) => <CustomerMarks customer={customer} />,
    },
    {
      key: "orders",
      label: text("shop.nav.orders"),
      cell: ({ orders, openOrders }) => (
        <>
          {countText("shop.customers.count", orders)}
          {openOrders > 0 && (
            <span class="field-hint"> {text("shop.customers.open", { count: toNumber(openOrders) })}</span>
          )}
        </>
      ),
    },
    {
      key: "paid",
      label: text("shop.customers.paid"),
      number: true,
      cell: ({ paid }) => paid.map(({ amount, currency }) => showMoney(amount, currency)).join(", ") || "–",
    },
    { key: "last", label: text("shop.customers.last"), cell: ({ lastOrderAt }) => <Ago at={lastOrderAt} /> },
  ];
}

/** The section. */
export function CustomersPage(): JSX.Element {
  const query = useQuery();
  const page = useCursorPage<CustomerView>(customerPath(), {
    q: query.get("q"),
    blocked: query.get("blocked"),
  });
  const isNarrowed = query.get("q") !== "" || query.get("blocked") !== "";
  return (
    <>
      <PageHead title={text("shop.nav.customers")} hint={text("shop.customers.hint")} />
      <div class="admin-filters is-many">
        <SearchField query={query} label={text("shop.customers.search")} />
        <FilterSelect
          query={query}
          name="blocked"
          label={text("shop.customers.filter")}
          any={text("shop.customers.filter.any")}
          choices={[
            { value: "true", label: text("shop.customers.filter.blocked") },
            { value: "false", label: text("shop.customers.filter.free") },
          ]}
        />
        <ClearFilters query={query} names={["q", "blocked"]} />
      </div>
      <CursorList page={page} empty={text(isNarrowed ? "shop.customers.noneFound" : "shop.customers.none")}>
        <div class="shop-table customers-table">
          <Table
            caption={text("shop.nav.customers")}
            columns={toColumns()}
            rows={page.items}
            keyOf={({ id }) => id}
          />
        </div>
      </CursorList>
    </>
  );
}
