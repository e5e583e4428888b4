/** What the list of products is narrowed to, and its order; the address keeps both. */
import type { JSX } from "preact";
import { type TextName, text } from "../../app/texts.ts";
import { Button, Select } from "../../ui/controls.tsx";
import { SearchField } from "../../ui/filters/search-field.tsx";
import type { Query } from "../../ui/console/query.ts";
import type { PlacedCategory } from "../ui/category-list.ts";
import { PRODUCTS, deliveryTypes, sorts, statuses } from "./product-data.ts";

/** Stands for products that are in no category. */
const NO_CATEGORY = "-";
const names = ["q", "status", "categoryId", "deliveryType", "stock", "sort"] as const;

/** The address of the list that the query asks for. */
export function toListPath(query: Query): string {
  const asked = new URLSearchParams({ limit: "50" });
  for (const name of names) if (query.get(name) !== "") asked.set(name, query.get(name));
  return `${PRODUCTS}?${asked.toString()}`;
}

/** Whether the query leaves something out. */
export function isNarrowed(query: Query): boolean {
  return names.some((name) => name !== "sort" && query.get(name) !== "");
}

function FilterSelect(props: {
  query: Query;
  name: (typeof names)[number];
  label: TextName;
  choices: readonly (readonly [value: string, label: string])[];
}): JSX.Element {
  const { query, name, label, choices } = props;
  return (
    <Select<string>
      label={text(label)}
      value={query.get(name)}
      choices={choices.map(([value, words]) => ({ value, label: words }))}
      onChange={(value) => query.set({ [name]: value })}
    />
  );
}

/** All of them in a row. */
export function ProductFilters(props: { query: Query; categories: readonly PlacedCategory[] }): JSX.Element {
  const { query, categories } = props;
  const all = { query };
  return (
    <div class="admin-filters is-many">
      <SearchField query={query} label={text("shop.products.search")} />
      <FilterSelect
        {...all}
        name="status"
        label="shop.products.field.status"
        choices={[
          ["", text("shop.products.filter.status")],
          ...statuses.map((status): [string, string] => [status, text(`shop.products.status.${status}`)]),
        ]}
      />
      <FilterSelect
        {...all}
        name="categoryId"
        label="shop.products.field.categoryId"
        choices={[
          ["", text("shop.products.filter.category")],
          [NO_CATEGORY, text("shop.products.filter.noCategory")],
          ...categories.map(({ category, path }): [string, string] => [category.id, path]),
        ]}
      />
      <FilterSelect
        {...all}
        name="deliveryType"
        label="shop.products.field.deliveryType"
        choices={[
          ["", text("shop.products.filter.delivery")],
          ...deliveryTypes.map((type): [string, string] => [type, text(`shop.products.delivery.${type}`)]),
        ]}
      />
      <FilterSelect
        {...all}
        name="stock"
        label="shop.nav.stock"
        choices={[
          ["", text("shop.products.filter.stock")],
          ["low", text("shop.stock.low.true")],
          ["out", text("shop.products.filter.stock.out")],
        ]}
      />
      <FilterSelect
        {...all}
        name="sort"
        label="shop.products.sort"
        choices={sorts.map((sort) => [sort === "newest" ? "" : sort, text(`shop.products.sort.${sort}`)])}
      />
      {isNarrowed(query) && (
        <Button kind="quiet" onClick={() => query.set(Object.fromEntries(names.map((name) => [name, ""])))}>
          {text("shop.ui.filter.clear")}
        </Button>
      )}
    </div>
  );
}
