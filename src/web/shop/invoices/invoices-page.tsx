/** Invoices and credit notes: found by number, order or buyer, month by month, and exported for bookkeeping. */
import type { JSX } from "preact";
import { toDay } from "../../app/format.ts";
import { text } from "../../app/texts.ts";
import { Segments } from "../../ui/controls.tsx";
import { type TableColumn, Table } from "../../ui/controls-table.tsx";
import { CursorList, useCursorPage } from "../../ui/console/cursor-page.tsx";
import { PageHead } from "../../ui/console/pieces.tsx";
import { type Query, useQuery } from "../../ui/console/query.ts";
import { Icon } from "../../ui/icons.tsx";
import { SearchField } from "../../ui/filters/search-field.tsx";
import { ClearFilters, FilterField, toMoments } from "../ui/filter-bar.tsx";
import { INVOICES, type InvoiceView } from "../ui/orders/invoice-data.ts";
import { showMoney } from "../ui/money.ts";
import { InvoiceNeeds } from "../ui/orders/invoice-needs.tsx";
import { OrderLink } from "../ui/orders/order-marks.tsx";
import { PrintLinks } from "../ui/print-links.tsx";
import { monthOf, toMonths } from "./months.ts";

type Kind = "all" | "invoice" | "credit_note";

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
      cell: ({ id, number }) => <PrintLinks path={`${INVOICES}/${id}`} name={number} />,
    },
  ];
}

/** What the list is asked with: one of a search and a kind, within days. */
function toFilters(query: Query): Record<string, string> {
  const q = query.get("q");
  return { q, kind: q === "" ? query.get("kind") : "", ...toMoments(query.get("from"), query.get("to")) };
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

/** The section. */
export function InvoicesPage(): JSX.Element {
  const query = useQuery();
  const filters = toFilters(query);
  const page = useCursorPage<InvoiceView>(INVOICES, filters);
  const asked = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ""));
  const kind = query.get("kind");
  const isNarrowed = asked.size > 0;
  return (
    <>
      <PageHead title={text("shop.nav.invoices")} hint={text("shop.invoices.hint")}>
        <a class="button" href={`${INVOICES}/export?${asked.toString()}`} download="invoices.csv">
          <Icon name="download" />
          {text("admin.csv")}
        </a>
      </PageHead>
      <InvoiceNeeds />
      <div class="admin-filters">
        <SearchField query={query} label={text("shop.invoices.search")} />
        <Segments<Kind>
          label={text("admin.column.kind")}
          value={kind === "invoice" || kind === "credit_note" ? kind : "all"}
          choices={(["all", "invoice", "credit_note"] as const).map((value) => ({
            value,
            label: text(`shop.invoices.kinds.${value}`),
          }))}
          onChange={(value) => query.set({ kind: value === "all" ? "" : value, q: "", cursor: "" })}
        />
        <ClearFilters query={query} names={["q", "kind", "from", "to"]} />
      </div>
      <div class="filter-fields">
        <Months query={query} />
        <FilterField query={query} name="from" type="date" label={text("shop.orders.filter.from")} />
        <FilterField query={query} name="to" type="date" label={text("shop.orders.filter.to")} />
      </div>
      <CursorList page={page} empty={text(isNarrowed ? "shop.invoices.noneFound" : "shop.invoices.none")}>
        <div class="shop-table invoices-table">
          <Table
            caption={text("shop.nav.invoices")}
            columns={toColumns()}
            rows={page.items}
            keyOf={({ id }) => id}
          />
        </div>
      </CursorList>
    </>
  );
}
