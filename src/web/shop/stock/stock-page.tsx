/** What is left of everything that is sold, the fewest first, and quick corrections with their reason. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { toNumber } from "../../app/format.ts";
import { text } from "../../app/texts.ts";
import { Button, Segments } from "../../ui/controls.tsx";
import { type TableColumn, Table } from "../../ui/controls-table.tsx";
import { CursorList, useCursorPage } from "../../ui/console/cursor-page.tsx";
import { Badge, PageHead } from "../../ui/console/pieces.tsx";
import { useQuery } from "../../ui/console/query.ts";
import { Empty } from "../../ui/empty.tsx";
import { SearchField } from "../../ui/filters/search-field.tsx";
import { AdjustDialog } from "./adjust-dialog.tsx";
import { HistoryDialog } from "./history-dialog.tsx";
import { type StockRow, nameRow } from "./stock-data.ts";

interface Deeds {
  readonly onAdjust: (row: StockRow) => void;
  readonly onHistory: (row: StockRow) => void;
}

function Left({ row }: { row: StockRow }): JSX.Element {
  const { available, isLow } = row;
  if (available === undefined) return <span>{text("shop.ui.noLimit")}</span>;
  if (available === 0) return <Badge kind="bad">{text("shop.stock.none")}</Badge>;
  const units = toNumber(available);
  return isLow ? <Badge kind="warn">{text("shop.stock.low", { units })}</Badge> : <span>{units}</span>;
}

function toColumns({ onAdjust, onHistory }: Deeds): readonly TableColumn<StockRow>[] {
  return [
    {
      key: "what",
      label: text("shop.products.field.title"),
      cell: (row) => (
        <>
          <a class="row-name" href={`/admin/products/${row.productId}`}>
            {row.title}
          </a>
          <br />
          <span class="field-hint">
            {[...Object.values(row.options), row.sku].filter(Boolean).join(" · ")}
          </span>
        </>
      ),
    },
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
          {row.deliveryType === "auto_secret" ? (
            <a class="button small" href={`/admin/products/${row.productId}`}>
              {text("shop.stock.keys")}
            </a>
          ) : row.available === undefined ? null : (
            <Button small onClick={() => onAdjust(row)}>
              {text("shop.stock.adjust")}
              <span class="for-readers"> {nameRow(row)}</span>
            </Button>
          )}
          <Button small kind="quiet" onClick={() => onHistory(row)}>
            {text("shop.ui.history")}
            <span class="for-readers"> {nameRow(row)}</span>
          </Button>
        </span>
      ),
    },
  ];
}

/** The section. */
export function StockPage(): JSX.Element {
  const query = useQuery();
  const low = query.get("low");
  const productId = query.get("product");
  const page = useCursorPage<StockRow>("/api/admin/stock", { low, productId, q: query.get("q") });
  const [open, setOpen] = useState<{ what: "adjust" | "history"; row: StockRow } | undefined>();
  const isNarrowed = low !== "" || productId !== "" || query.get("q") !== "";
  const clear = (): void => query.set({ low: "", product: "", q: "", cursor: "" });
  return (
    <>
      <PageHead title={text("shop.nav.stock")} hint={text("shop.stock.hint")} />
      <div class="admin-filters">
        <SearchField query={query} label={text("shop.stock.search")} />
        <Segments<string>
          label={text("admin.show")}
          value={low}
          choices={[
            { value: "", label: text("shop.stock.all") },
            { value: "true", label: text("shop.stock.onlyLow") },
          ]}
          onChange={(value) => query.set({ low: value, cursor: "" })}
        />
        {productId !== "" && (
          <Button kind="quiet" onClick={() => query.set({ product: "", cursor: "" })}>
            {text("shop.stock.allProducts")}
          </Button>
        )}
      </div>
      <CursorList
        page={page}
        empty={
          isNarrowed ? (
            <Empty icon="check" title={text(low === "" ? "shop.products.notFound" : "shop.stock.noneLow")}>
              <Button onClick={clear}>{text("shop.ui.filter.clear")}</Button>
            </Empty>
          ) : (
            <Empty icon="grid" title={text("shop.products.none")} hint={text("shop.products.none.hint")}>
              <a class="button primary" href="/admin/products/new">
                {text("shop.products.add")}
              </a>
            </Empty>
          )
        }
      >
        <div class="goods-table is-stock">
          <Table
            caption={text("shop.nav.stock")}
            columns={toColumns({
              onAdjust: (row) => setOpen({ what: "adjust", row }),
              onHistory: (row) => setOpen({ what: "history", row }),
            })}
            rows={page.items}
            keyOf={({ productId: id, variantId }) => variantId ?? id}
          />
        </div>
      </CursorList>
      {open?.what === "adjust" && (
        <AdjustDialog
          row={open.row}
          onClose={() => setOpen(undefined)}
          onDone={() => {
            setOpen(undefined);
            void page.refresh();
          }}
        />
      )}
      {open?.what === "history" && <HistoryDialog row={open.row} onClose={() => setOpen(undefined)} />}
    </>
  );
}
