/** Products that are chosen one by one: a search, and what was chosen in its order. */
import type { JSX } from "preact";
import type { ProductPage } from "../../../shop/products/answer-schema.ts";
import { useEffect, useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Button, TextField } from "../../ui/controls.tsx";
import { moveItem } from "../../ui/forms/moves.ts";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { useFound } from "../../ui/console/found.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { OrderButtons } from "../../ui/forms/order-buttons.tsx";

const PRODUCTS = "/api/admin/products";
/** Ids of one request. */
const AT_ONCE = 100;

/** The part of a product that the picker needs. */
type NamedProduct = Pick<ProductPage["items"][number], "id" | "title" | "sku">;

/** Titles by id, of the products that are asked for and of those that were found. */
function useTitles(
  ids: readonly string[],
): readonly [ReadonlyMap<string, string>, (found: readonly NamedProduct[]) => void] {
  const [titles, setTitles] = useState<ReadonlyMap<string, string>>(new Map());
  const learn = (found: readonly NamedProduct[]): void =>
    setTitles(
      (before) => new Map([...before, ...found.map(({ id, title }): [string, string] => [id, title])]),
    );
  const unknown = ids.filter((id) => !titles.has(id)).slice(0, AT_ONCE);
  useEffect(() => {
    if (unknown.length === 0) return;
    const asked = new URLSearchParams({ limit: String(AT_ONCE), ids: unknown.join(",") });
    adminRequest<ProductPage>(`${PRODUCTS}?${asked.toString()}`).then(
      ({ items }) => {
        const found = new Set(items.map(({ id }) => id));
        // Those that are gone keep their ids for a name, and are not asked for again.
        const gone = unknown.filter((id) => !found.has(id)).map((id) => ({ id, title: id, sku: "" }));
        learn([...items, ...gone]);
      },
      () => undefined,
    );
  }, [unknown.join(",")]);
  return [titles, learn];
}

function Found(props: {
  typed: string;
  chosen: readonly string[];
  onAdd: (product: NamedProduct) => void;
}): JSX.Element | null {
  const { typed, chosen, onAdd } = props;
  const { items, message } = useFound<NamedProduct>(PRODUCTS, { typed, limit: 8 });
  if (message !== undefined) return <ErrorNote message={message} />;
  if (items === undefined) return null;
  const left = items.filter(({ id }) => !chosen.includes(id));
  return (
    <div role="status">
      {left.length === 0 && <p class="field-hint">{text("shop.ui.products.none")}</p>}
      <ul class="plain-list picker-found">
        {left.map((product) => (
          <li key={product.id}>
            <Button icon="plus" onClick={() => onAdd(product)}>
              {product.title}
              {product.sku !== "" && <span class="field-hint">{product.sku}</span>}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The choice. */
export function ProductPicker(props: {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  ids: readonly string[];
  /** A product that must not be chosen. */
  except?: string | undefined;
  max: number;
  onChange: (ids: readonly string[]) => void;
}): JSX.Element {
  const { label, hint, error, ids, except, max, onChange } = props;
  const [typed, setTyped] = useState("");
  const [titles, learn] = useTitles(ids);
  const chosen = except === undefined ? ids : [...ids, except];
  return (
    <div class="stack-small">
      {ids.length > 0 && (
        <ol class="plain-list picked-list" aria-label={label}>
          {ids.map((id, at) => {
            const name = titles.get(id) ?? "…";
            return (
              <li key={id}>
                <span class="break">{name}</span>
                <OrderButtons
                  name={name}
                  at={at}
                  count={ids.length}
                  onMove={(to) => onChange(moveItem(ids, { from: at, to }))}
                  onRemove={() => onChange(ids.filter((other) => other !== id))}
                />
              </li>
            );
          })}
        </ol>
      )}
      {ids.length < max && (
        <TextField
          label={label}
          hint={hint}
          error={error}
          value={typed}
          autoComplete="off"
          placeholder={text("shop.ui.products.search")}
          onInput={setTyped}
        />
      )}
      {ids.length < max && (
        <Found
          typed={typed}
          chosen={chosen}
          onAdd={(product) => {
            learn([product]);
            onChange([...ids, product.id]);
          }}
        />
      )}
    </div>
  );
}
