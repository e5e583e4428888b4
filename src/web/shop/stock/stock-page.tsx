/** Stock of all products, lowest first, with quick adjustments and their reason. */
import type { JSX } from "preact";
import { type StockRowView, stockQuerySchema } from "../../../shop/stock/answer-schema.ts";
import { toNumber } from "../../app/format.ts";
import { text } from "../../app/texts.ts";
import { lazy } from "../../pages/lazy.tsx";
import { Button } from "../../ui/controls.tsx";
import type { TableColumn } from "../../ui/controls-table.tsx";
import { Badge } from "../../ui/console/pieces.tsx";
import { Empty } from "../../ui/empty.tsx";
import type { Listing, ListTools } from "../../ui/resource/resource.ts";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { nameRow } from "./stock-row.ts";

const AdjustDialog = lazy(async () => (await import("./adjust-dialog.tsx")).AdjustDialog, null);
const HistoryDialog = lazy(async () => (await import("./history-dialog.tsx")).HistoryDialog, null);

function Left({ row }: { row: StockRowView }): JSX.Element {
  const { available, isLow } = row;
  if (available === undefined) return <span>{text("shop.ui.noLimit")}</span>;
  if (available === 0) return <Badge kind="bad">{text("shop.stock.soldOut")}</Badge>;
  const units = toNumber(available);
  return isLow ? <Badge kind="warn">{text("shop.stock.left", { units })}</Badge> : <span>{units}</span>;
}

function Name({ row }: { row: StockRowView }): JSX.Element {
  return (
    <>
      <a class="row-name" href={`/admin/products/${row.productId}`}>
        {row.title}
      </a>
      <br />
      <span class="field-hint">{[...Object.values(row.options), row.sku].filter(Boolean).join(" · ")}</span>
    </>
  );
}

/** Units of keys change with the keys; what is unlimited has none to change. */
function Adjust({ row, tools }: { row: StockRowView; tools: ListTools<StockRowView> }): JSX.Element | null {
  if (row.deliveryType === "auto_secret")
    return (
      <a class="button small" href={`/admin/products/${row.productId}`}>
        {text("shop.stock.keys")}
        <span class="for-readers"> {nameRow(row)}</span>
      </a>
    );
  if (row.available === undefined || !tools.mayWrite) return null;
  return (
    <Button small onClick={() => tools.open(row, "adjust")}>
      {text("shop.stock.adjust")}
      <span class="for-readers"> {nameRow(row)}</span>
    </Button>
  );
}

function toColumns(tools: ListTools<StockRowView>): readonly TableColumn<StockRowView>[] {
  return [
    { key: "what", label: text("shop.products.field.title"), cell: (row) => <Name row={row} /> },
    { key: "left", label: text("shop.stock.available"), number: true, cell: (row) => <Left row={row} /> },
    {
      key: "onHand",
      label: text("shop.stock.onHand"),
      number: true,
      cell: ({ onHand, available }) => (available === undefined ? "" : toNumber(onHand)),
    },
    {
      key: "reserved",
      label: text("shop.stock.reserved"),
      number: true,
      cell: ({ reserved }) => toNumber(reserved),
    },
    { key: "sold", label: text("shop.products.sold"), number: true, cell: ({ sold }) => toNumber(sold) },
    {
      key: "deeds",
      label: text("admin.column.deeds"),
      silent: true,
      cell: (row) => (
        <span class="button-row">
          <Adjust row={row} tools={tools} />
          <Button small kind="quiet" onClick={() => tools.open(row, "history")}>
            {text("shop.ui.history")}
            <span class="for-readers"> {nameRow(row)}</span>
          </Button>
        </span>
      ),
    },
  ];
}

export const stock: Listing<StockRowView> = {
  api: "/api/admin/stock",
  navigation: "shop.nav.stock",
  texts: "shop.stock",
  write: "products:write",
  idOf: ({ productId, variantId }) => variantId ?? productId,
  nameOf: nameRow,
  Item: ({ view, what, tools, onClose }) =>
    what === "history" ? (
      <HistoryDialog row={view} onClose={onClose} />
    ) : (
      <AdjustDialog row={view} onDone={tools.refresh} onClose={onClose} />
    ),
  table: {
    class: "goods-table is-stock",
    search: "shop.stock.search",
    query: stockQuerySchema,
    filters: [
      { name: "low", label: "admin.show", as: "segments", values: ["true"], words: "shop.stock.low" },
      { name: "productId", as: "link" },
    ],
    columns: toColumns,
    Nothing: ({ tools }) => (
      <Empty icon="grid" title={text("shop.stock.none")} hint={text("shop.stock.none.hint")}>
        {tools.mayWrite && (
          <a class="button primary" href="/admin/products/new">
            {text("shop.products.add")}
          </a>
        )}
      </Empty>
    ),
  },
};

/** The section. */
export function StockPage(): JSX.Element {
  return <ResourceList of={stock} />;
}
