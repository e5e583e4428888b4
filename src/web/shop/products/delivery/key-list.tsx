/** The keys of a product: masked, shown on request, and removable until delivered. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ProductKeyView } from "../../../../shop/licence-keys/answer-schema.ts";
import { text } from "../../../app/texts.ts";
import { Button, IconButton, Segments } from "../../../ui/controls.tsx";
import { ConfirmTask } from "../../../ui/console/confirm-task.tsx";
import { type TableColumn, Table } from "../../../ui/controls-table.tsx";
import { usePages } from "../../../ui/console/paged.ts";
import { Ago, Badge } from "../../../ui/console/pieces.tsx";
import { PagedRows } from "../../../ui/console/paged-rows.tsx";
import { adminRequest } from "../../../ui/console/session.ts";
import { type ProductView, nameVariant, toProductPath } from "../product-data.ts";

function toColumns(
  names: ReadonlyMap<string, string>,
  onRemove: (key: ProductKeyView) => void,
): readonly TableColumn<ProductKeyView>[] {
  return [
    {
      key: "value",
      label: text("shop.products.keys.key"),
      cell: ({ value, stockId }) => (
        <>
          <code class="break">{value}</code>
          {names.has(stockId) && <span class="field-hint"> {names.get(stockId)}</span>}
        </>
      ),
    },
    {
      key: "state",
      label: text("admin.column.state"),
      cell: (key) =>
        key.orderId === undefined ? (
          <Badge>{text(`shop.products.keys.state.${key.state}`)}</Badge>
        ) : (
          <a href={`/admin/orders/${key.orderId}`}>{text(`shop.products.keys.state.${key.state}`)}</a>
        ),
    },
    {
      key: "added",
      label: text("admin.column.added"),
      cell: ({ addedAt }) => <Ago at={addedAt} />,
    },
    {
      key: "remove",
      label: text("admin.column.deeds"),
      silent: true,
      cell: (key) =>
        key.state === "free" && (
          <IconButton
            icon="trash"
            label={text("admin.remove.named", { name: key.value })}
            onClick={() => onRemove(key)}
          />
        ),
    },
  ];
}

function Keys(props: {
  product: ProductView;
  state: string;
  reveal: boolean;
  onChanged: () => void;
}): JSX.Element {
  const { product, state, reveal, onChanged } = props;
  const asked = new URLSearchParams({ limit: "20", ...(state === "" ? {} : { state }) });
  if (reveal) asked.set("reveal", "true");
  const pages = usePages<ProductKeyView>(`${toProductPath(product.id)}/secrets?${asked.toString()}`);
  const [leaving, setLeaving] = useState<ProductKeyView | undefined>();
  const names = new Map(product.variants.map((variant) => [variant.id, nameVariant(variant)]));
  return (
    <>
      <PagedRows pages={pages} none="shop.products.keys.none" more="shop.ui.more">
        <Table
          caption={text("shop.products.keys")}
          rows={pages.items}
          keyOf={({ id }) => id}
          columns={toColumns(names, setLeaving)}
        />
      </PagedRows>
      {leaving && (
        <ConfirmTask
          title={text("shop.products.keys.remove")}
          danger
          send={async () => {
            await adminRequest(`${toProductPath(product.id)}/secrets/${leaving.id}`, { method: "DELETE" });
            setLeaving(undefined);
            pages.refresh();
            onChanged();
          }}
          onClose={() => setLeaving(undefined)}
        >
          {text("shop.products.keys.remove.text", { key: leaving.value })}
        </ConfirmTask>
      )}
    </>
  );
}

/** The list, folded until somebody wants it. */
export function KeyList({
  product,
  onChanged,
}: {
  product: ProductView;
  onChanged: () => void;
}): JSX.Element {
  const [isOpen, setIsOpen] = useState(false);
  const [state, setState] = useState<"" | "free" | "given">("");
  const [reveal, setReveal] = useState(false);
  return (
    <details class="fold" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{text("shop.products.keys.list")}</summary>
      {isOpen && (
        <div class="stack">
          <div class="button-row">
            <Segments
              label={text("admin.column.state")}
              value={state}
              choices={[
                { value: "", label: text("shop.products.keys.state.all") },
                { value: "free", label: text("shop.products.keys.state.free") },
                { value: "given", label: text("shop.products.keys.state.given") },
              ]}
              onChange={setState}
            />
            <Button onClick={() => setReveal(!reveal)}>
              {text(reveal ? "shop.products.keys.hide" : "shop.products.keys.show")}
            </Button>
          </div>
          {!reveal && <p class="field-hint">{text("shop.products.keys.show.hint")}</p>}
          <Keys product={product} state={state} reveal={reveal} onChanged={onChanged} />
        </div>
      )}
    </details>
  );
}
