/** Everybody who ordered, by account or as a guest. */
import type { JSX } from "preact";
import type { CustomerView } from "../../../shop/customers/view-schema.ts";
import { toNumber } from "../../app/format.ts";
import { countText, text } from "../../app/texts.ts";
import { Ago } from "../../ui/console/pieces.tsx";
import { mayUse } from "../../ui/console/session.ts";
import type { Listing } from "../../ui/resource/resource.ts";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { showMoney } from "../ui/money.ts";
import { CustomerMarks } from "./customer-marks.tsx";

function ImportLink(): JSX.Element | null {
  if (!mayUse("customers:write") || !mayUse("products:write")) return null;
  return (
    <a class="button" href="/admin/products/import?from=shop&kind=customers">
      {text("shop.customers.import")}
    </a>
  );
}

export const customers: Listing<CustomerView> = {
  api: "/api/admin/customers",
  navigation: "shop.nav.customers",
  texts: "shop.customers",
  write: "customers:write",
  idOf: ({ id }) => id,
  nameOf: ({ email }) => email,
  ListActions: ImportLink,
  table: {
    class: "shop-table customers-table",
    search: "shop.customers.search",
    filters: [
      {
        name: "blocked",
        label: "shop.customers.filter",
        values: ["true", "false"],
        words: "shop.customers.filter",
      },
    ],
    exports: [
      {
        label: "admin.csv",
        found: "shop.customers.exportFound",
        path: "/api/admin/customers/export",
        file: "customers.csv",
      },
    ],
    columns: () => [
      {
        key: "who",
        label: text("shop.ui.customer"),
        cell: ({ id, email, name }) => (
          <>
            <a class="break" href={`/admin/customers/${encodeURIComponent(id)}`}>
              {email}
            </a>
            {name !== undefined && (
              <>
                <br />
                <span class="field-hint break">{name}</span>
              </>
            )}
          </>
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
      {
        key: "last",
        label: text("shop.customers.last"),
        cell: ({ lastOrderAt }) => (lastOrderAt === undefined ? "–" : <Ago at={lastOrderAt} />),
      },
    ],
  },
};

/** The section. */
export function CustomersPage(): JSX.Element {
  return <ResourceList of={customers} />;
}
