/** Invoices and credit notes: found by number, order or buyer, month by month, and exported for bookkeeping. */
import type { JSX } from "preact";
import { type InvoiceView, invoiceQuerySchema } from "../../../shop/invoices/answer-schema.ts";
import { toDay } from "../../app/format.ts";
import { findText, text } from "../../app/texts.ts";
import { type Query, useQuery } from "../../ui/console/query.ts";
import { Segments } from "../../ui/controls.tsx";
import type { TableColumn } from "../../ui/controls-table.tsx";
import { SearchField } from "../../ui/filters/search-field.tsx";
import { toDayEnd, toDayStart } from "../../ui/forms/local-time.ts";
import { toFields } from "../../ui/resource/field-source.ts";
import { ClearFilters, findMax } from "../../ui/resource/list-parts.tsx";
import { FilterText } from "../../ui/resource/more-filters.tsx";
import type { Listing, TableQuery } from "../../ui/resource/resource.ts";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { showMoney } from "../ui/money.ts";
import { INVOICES } from "../ui/orders/invoice-data.ts";
import { InvoiceNeeds } from "../ui/orders/invoice-needs.tsx";
import { OrderLink } from "../ui/orders/order-marks.tsx";
import { PrintLinks } from "../ui/print-links.tsx";
import { monthOf, toMonths } from "./months.ts";

function toColumns(): readonly TableColumn<InvoiceView>[] {
  return [
    {
      key: "number",
      label: text("shop.invoices.number"),
      cell: ({ kind, number, corrects }) => (
        <>
          <strong class="order-number">{number}</strong>
          <span class="field-hint">
            {corrects === undefined
              ? text(`shop.invoices.kind.${kind}`)
              : text("shop.invoices.corrects", { number: corrects.number })}
          </span>
        </>
      ),
    },
    {
      key: "buyer",
      label: text("shop.ui.buyer"),
      cell: ({ billingAddress, email }) => (
        <>
          <span class="break">{billingAddress?.company || billingAddress?.name || email}</span>
          {billingAddress !== undefined && <span class="field-hint break">{email}</span>}
        </>
      ),
    },
    {
      key: "order",
      label: text("shop.ui.order"),
      cell: ({ orderId, orderNumber }) => <OrderLink id={orderId} number={orderNumber} />,
    },
    {
      key: "issued",
      label: text("shop.invoices.issued"),
      cell: ({ issuedOn }) => toDay(Date.parse(`${issuedOn}T00:00:00Z`), "UTC"),
    },
    {
      key: "total",
      label: text("shop.ui.total"),
      number: true,
      cell: ({ kind, total, currency }) => showMoney(kind === "credit_note" ? -total : total, currency),
    },
    {
      key: "print",
      label: text("shop.invoices.print"),
      silent: true,
      cell: ({ id, number, eInvoice }) => (
        <PrintLinks path={`${INVOICES}/${id}`} name={number} isEInvoice={eInvoice} />
      ),
    },
  ];
}

/** The last months, each with one press. */
function Months({ query }: { query: Query }): JSX.Element {
  const present = monthOf(query.get("from"), query.get("to"));
  return (
    <Segments<string>
      label={text("shop.invoices.month")}
      value={present ?? ""}
      choices={[
        { value: "", label: text("shop.invoices.month.any") },
        ...toMonths(Date.now(), 3).map(({ from, label }) => ({ value: from, label })),
      ]}
      onChange={(month) => {
        const found = toMonths(Date.now(), 3).find(({ from }) => from === month);
        query.set({ from: found?.from ?? "", to: found?.to ?? "", cursor: "" });
      }}
    />
  );
}

const days = [
  { name: "from", label: "shop.orders.filter.from", as: "day", toAsked: toDayStart },
  { name: "to", label: "shop.orders.filter.to", as: "day", toAsked: toDayEnd },
] as const;

function Filters({ table }: { table: TableQuery }): JSX.Element {
  const query = useQuery();
  const kind = query.get("kind");
  const { choices = [] } = toFields(invoiceQuerySchema)["kind"] ?? {};
  return (
    <>
      <div class="admin-filters">
        {table.search && <SearchField query={query} label={text(table.search)} max={findMax(table, "q")} />}
        <Segments<string>
          label={text("admin.column.kind")}
          value={kind === "" ? "all" : kind}
          choices={["all", ...choices.map(String)].map((value) => ({
            value,
            label: findText(`shop.invoices.kinds.${value}`) ?? value,
          }))}
          onChange={(value) => query.set({ kind: value === "all" ? "" : value, q: "", cursor: "" })}
        />
        <ClearFilters table={table} />
      </div>
      <div class="filter-fields">
        <Months query={query} />
        {days.map((filter) => (
          <FilterText filter={filter} table={table} key={filter.name} />
        ))}
      </div>
    </>
  );
}

export const invoices: Listing<InvoiceView> = {
  api: INVOICES,
  navigation: "shop.nav.invoices",
  texts: "shop.invoices",
  write: "orders:write",
  idOf: ({ id }) => id,
  nameOf: ({ number }) => number,
  Above: () => <InvoiceNeeds />,
  table: {
    class: "shop-table invoices-table",
    search: "shop.invoices.search",
    query: invoiceQuerySchema,
    Filters,
    filters: [
      {
        name: "kind",
        label: "admin.column.kind",
        words: "shop.invoices.kinds",
        any: "shop.invoices.kinds.all",
        // The service takes a search or a kind.
        toAsked: (kind, get) => (get("q") === "" ? kind : ""),
      },
      ...days,
    ],
    exports: [
      { label: "admin.csv", path: `${INVOICES}/export`, file: "invoices.csv" },
      {
        label: "shop.invoices.datev",
        path: `${INVOICES}/export`,
        file: "datev.csv",
        also: { layout: "datev" },
      },
      { label: "shop.invoices.oss", path: `${INVOICES}/export`, file: "oss.csv", also: { layout: "oss" } },
    ],
    columns: toColumns,
  },
};

/** The section. */
export function InvoicesPage(): JSX.Element {
  return <ResourceList of={invoices} />;
}
