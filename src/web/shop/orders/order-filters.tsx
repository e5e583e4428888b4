/** What the list of orders is narrowed to. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import type { Query } from "../../ui/console/query.ts";
import { attentions, orderStatuses, paymentStatuses } from "../ui/orders/order-data.ts";
import { SearchField } from "../../ui/filters/search-field.tsx";
import { ClearFilters, FilterField, FilterSelect, toMoments } from "../ui/filter-bar.tsx";
import { useProviders } from "../ui/providers.ts";

/** Names in the address; most are those of the search. */
export const filterNames = [
  ...(["q", "status", "paymentStatus", "attention", "paymentMethod", "country", "coupon"] as const),
  ...(["email", "userId", "productId", "from", "to"] as const),
] as const;

/** What the search is asked with. */
export function toSearch(query: Query): Record<string, string> {
  const { from, to } = toMoments(query.get("from"), query.get("to"));
  const country = query.get("country").toUpperCase();
  const asked = Object.fromEntries(filterNames.map((name) => [name, query.get(name)]));
  return { ...asked, from, to, country: /^[A-Z]{2}$/u.test(country) ? country : "" };
}

/** Whether what is seldom asked is in the address. */
function hasSeldom(query: Query): boolean {
  return ["paymentMethod", "country", "coupon", "from", "to"].some((name) => query.get(name) !== "");
}

function SeldomFilters({ query }: { query: Query }): JSX.Element {
  const providers = useProviders();
  return (
    <details class="fold" open={hasSeldom(query)}>
      <summary>{text("shop.orders.filter.more")}</summary>
      <div class="filter-fields">
        <FilterField query={query} name="from" type="date" label={text("shop.orders.filter.from")} />
        <FilterField query={query} name="to" type="date" label={text("shop.orders.filter.to")} />
        <div class="field">
          <span class="field-label" aria-hidden="true">
            {text("shop.ui.provider")}
          </span>
          <FilterSelect
            query={query}
            name="paymentMethod"
            label={text("shop.ui.provider")}
            any={text("shop.orders.filter.provider.any")}
            choices={providers.map(({ word, title }) => ({ value: word, label: title }))}
          />
        </div>
        <FilterField query={query} name="country" label={text("shop.orders.filter.country")} maxLength={2} />
        <FilterField query={query} name="coupon" label={text("shop.orders.filter.coupon")} maxLength={60} />
      </div>
    </details>
  );
}

/** All of them. */
export function OrderFilters({ query }: { query: Query }): JSX.Element {
  return (
    <div class="stack-small">
      <div class="admin-filters is-many">
        <SearchField query={query} label={text("shop.orders.search")} />
        <FilterSelect
          query={query}
          name="status"
          label={text("shop.ui.state")}
          any={text("shop.ui.anyState")}
          choices={[
            { value: "to_deliver", label: text("shop.orders.filter.toDeliver") },
            ...orderStatuses.map((value) => ({ value, label: text(`shop.order.status.${value}`) })),
          ]}
        />
        <FilterSelect
          query={query}
          name="paymentStatus"
          label={text("shop.ui.payment")}
          any={text("shop.orders.filter.payment.any")}
          choices={paymentStatuses.map((value) => ({ value, label: text(`shop.order.payment.${value}`) }))}
        />
        <FilterSelect
          query={query}
          name="attention"
          label={text("shop.orders.filter.attention")}
          any={text("shop.orders.filter.attention.any")}
          choices={[
            { value: "any", label: text("shop.orders.filter.attention.all") },
            ...attentions.map((value) => ({ value, label: text(`shop.order.attention.${value}`) })),
          ]}
        />
        <ClearFilters query={query} names={filterNames} />
      </div>
      <SeldomFilters query={query} />
    </div>
  );
}
