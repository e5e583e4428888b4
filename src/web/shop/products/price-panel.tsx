/** Past prices of a product, and what buyers see next to a reduction (Article 6a of Directive 98/6/EC). */
import type { JSX } from "preact";
import type { PriceHistory } from "../../../shop/products/answer-schema.ts";
import { text } from "../../app/texts.ts";
import { Table } from "../../ui/controls-table.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { Moment } from "../../ui/console/pieces.tsx";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { showMoney } from "../ui/money.ts";
import { Panel } from "../../ui/panel.tsx";
import { type ProductView, nameVariant, toProductPath } from "./product-data.ts";

/** Points that are shown. */
const MOST = 30;

type PriceRow = PriceHistory["items"][number];

function nameRow(product: ProductView, { variantId }: PriceRow): string {
  const variant = product.variants.find(({ id }) => id === variantId);
  return variant === undefined ? product.title : nameVariant(variant);
}

/** Lowest price of the last 30 days; shown once if it is the same for all rows. */
function Lowest({ product, rows }: { product: ProductView; rows: readonly PriceRow[] }): JSX.Element {
  const notes = new Map<string, string[]>();
  for (const row of rows) {
    if (row.lowestPrice30Days === undefined) continue;
    const price = showMoney(row.lowestPrice30Days, row.currency);
    notes.set(price, [...(notes.get(price) ?? []), nameRow(product, row)]);
  }
  return (
    <>
      {[...notes].map(([price, names]) => (
        <p class="admin-note" key={price}>
          <span>
            {names.length === rows.length
              ? text("shop.products.prices.lowest.all", { price })
              : text("shop.products.prices.lowest", { name: names.join("; "), price })}
          </span>
        </p>
      ))}
    </>
  );
}

/** The panel. */
export function PricePanel({ product }: { product: ProductView }): JSX.Element {
  const { data, error, refresh } = usePolled<PriceHistory>(`${toProductPath(product.id)}/prices`, 0);
  const rows = data?.items ?? [];
  const points = rows
    .flatMap((row) => row.points.map((point) => ({ ...point, row, name: nameRow(product, row) })))
    .toSorted((a, b) => (a.at < b.at ? 1 : -1))
    .slice(0, MOST);
  return (
    <Panel title={text("shop.products.prices")} hint={text("shop.products.prices.hint")}>
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      <Lowest product={product} rows={rows} />
      {points.length > 0 && (
        <details class="fold">
          <summary>{text("shop.products.prices.history")}</summary>
          <Table
            caption={text("shop.products.prices.history")}
            rows={points}
            keyOf={({ at, name }) => `${at} ${name}`}
            columns={[
              { key: "at", label: text("shop.products.prices.from"), cell: ({ at }) => <Moment at={at} /> },
              { key: "name", label: text("shop.products.prices.what"), cell: ({ name }) => name },
              {
                key: "price",
                label: text("shop.products.field.price"),
                number: true,
                cell: ({ price, row }) =>
                  price === undefined ? text("shop.products.prices.off") : showMoney(price, row.currency),
              },
              {
                key: "before",
                label: text("shop.products.field.compareAtPrice"),
                number: true,
                cell: ({ compareAtPrice, row }) =>
                  compareAtPrice === undefined ? "" : showMoney(compareAtPrice, row.currency),
              },
            ]}
          />
        </details>
      )}
    </Panel>
  );
}
