/** Stock changes of a product from the audit log, newest first. */
import type { JSX } from "preact";
import type { AuditEntryView } from "../../../records/audit-view.ts";
import type { StockRowView } from "../../../shop/stock/answer-schema.ts";
import { text } from "../../app/texts.ts";
import { Table } from "../../ui/controls-table.tsx";
import { DoneDialog } from "../../ui/console/form-dialog.tsx";
import { usePages } from "../../ui/console/paged.ts";
import { Moment } from "../../ui/console/pieces.tsx";
import { nameRow } from "./stock-row.ts";
import { PagedRows } from "../../ui/console/paged-rows.tsx";

function findChange({ changes }: AuditEntryView, name: string): string {
  return changes.find((change) => change.startsWith(`${name}: `))?.slice(name.length + 2) ?? "";
}

function isOf({ variantId }: StockRowView, entry: AuditEntryView): boolean {
  const named = findChange(entry, "variant");
  return named === "" || variantId === undefined || named === variantId;
}

/** The dialog. */
export function HistoryDialog({ row, onClose }: { row: StockRowView; onClose: () => void }): JSX.Element {
  const asked = new URLSearchParams({ limit: "50", action: "product.stock", target: row.productId });
  const pages = usePages<AuditEntryView>(`/api/admin/audit?${asked.toString()}`);
  const entries = pages.items.filter((entry) => isOf(row, entry));
  return (
    <DoneDialog title={text("shop.stock.history.of", { name: nameRow(row) })} onClose={onClose}>
      <PagedRows pages={{ ...pages, items: entries }} none="shop.stock.history.none" more="shop.ui.more">
        <Table
          caption={text("shop.ui.history")}
          rows={entries}
          keyOf={({ id }) => id}
          columns={[
            { key: "at", label: text("admin.column.when"), cell: ({ at }) => <Moment at={at} /> },
            {
              key: "change",
              label: text("shop.stock.onHand"),
              cell: (entry) => <span class="no-break">{findChange(entry, "onHand")}</span>,
            },
            {
              key: "reason",
              label: text("shop.stock.reason"),
              cell: (entry) => <span class="break">{findChange(entry, "reason")}</span>,
            },
            {
              key: "actor",
              label: text("admin.audit.actor"),
              cell: ({ actor }) => <span class="break">{actor}</span>,
            },
          ]}
        />
      </PagedRows>
    </DoneDialog>
  );
}
