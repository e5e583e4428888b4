/** Products to add to an order, found by a search; of a product with variants, each of them. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ProductPage } from "../../../../shop/products/answer-schema.ts";
import { text } from "../../../app/texts.ts";
import { useFound } from "../../../ui/console/found.ts";
import { ErrorNote } from "../../../ui/console/problem.tsx";
import { Button, TextField } from "../../../ui/controls.tsx";
import { showMoney, typeMoney } from "../money.ts";
import { nameLine } from "./line-name.ts";

type Product = ProductPage["items"][number];

/** A product to add, with the variant. */
export interface AddedItem {
  readonly key: string;
  readonly productId: string;
  readonly variantId: string | undefined;
  readonly title: string;
  /** Of today, minor units. */
  readonly listed: number;
  readonly quantity: string;
  readonly price: string;
}

function toItems(product: Product, currency: string): AddedItem[] {
  const { id: productId, title, price, variants } = product;
  const toItem = (variantId: string | undefined, name: string, listed: number): AddedItem => ({
    key: `${productId} ${variantId ?? ""} ${Date.now()}`,
    productId,
    variantId,
    title: name,
    listed,
    quantity: "1",
    price: typeMoney(listed, currency),
  });
  if (variants.length === 0) return [toItem(undefined, title, price)];
  return variants.map(({ id, options, price: own }) =>
    toItem(id, nameLine({ title, options }), own ?? price),
  );
}

/** The search. */
export function AddProduct({
  currency,
  onAdd,
}: {
  currency: string;
  onAdd: (item: AddedItem) => void;
}): JSX.Element {
  const [typed, setTyped] = useState("");
  const { items, message } = useFound<Product>("/api/admin/products", { typed, limit: 8 });
  const found = (items ?? []).filter(
    (product) => product.currency === currency && product.status === "published",
  );
  const add = (item: AddedItem): void => {
    setTyped("");
    onAdd(item);
  };
  return (
    <div class="stack-small">
      <TextField label={text("shop.order.items.add")} value={typed} onInput={setTyped} />
      {message !== undefined && <ErrorNote message={message} />}
      {typed.trim() !== "" && items !== undefined && (
        <div role="status">
          {found.length === 0 && <p class="field-hint">{text("shop.ui.products.none")}</p>}
          <ul class="plain-list picker-found">
            {found
              .flatMap((product) => toItems(product, currency))
              .map((item) => (
                <li key={item.key}>
                  <Button icon="plus" onClick={() => add(item)}>
                    {item.title}
                    <span class="field-hint">{showMoney(item.listed, currency)}</span>
                  </Button>
                </li>
              ))}
          </ul>
        </div>
      )}
    </div>
  );
}
