/** The parts of a bundle in the form of a product. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ProductPage } from "../../../shop/products/answer-schema.ts";
import { text } from "../../app/texts.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { Button, TextField } from "../../ui/controls.tsx";
import { type Shown, isTypedGroup, isTypedList, memberText } from "../../ui/resource/kind.ts";
import { AddProduct } from "../ui/orders/add-product.tsx";
import { nameLine } from "../ui/orders/line-name.ts";
import type { ProductContext } from "./product-context.ts";

/** Names of products and their variants, by "product variant". */
function useNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const wanted = [...new Set(ids)].toSorted().join(",");
  useEffect(() => {
    if (wanted === "") return;
    const query = new URLSearchParams({ limit: "100", ids: wanted });
    adminRequest<ProductPage>(`/api/admin/products?${query.toString()}`).then(
      ({ items }) =>
        setNames(
          new Map(
            items.flatMap(({ id, title, variants }) => [
              [`${id} `, title] as const,
              ...variants.map(
                ({ id: variant, options }) => [`${id} ${variant}`, nameLine({ title, options })] as const,
              ),
            ]),
          ),
        ),
      () => undefined,
    );
  }, [wanted]);
  return names;
}

/** The field. */
export function PartsField(shown: Shown<ProductContext>): JSX.Element {
  const { hint, error, errorAt, value, onChange, context } = shown;
  const rows = (isTypedList(value) ? value : []).filter(isTypedGroup);
  const names = useNames(rows.map((row) => memberText(row, "productId")));
  return (
    <div class="stack-small">
      {hint !== undefined && <span class="field-hint">{hint}</span>}
      {error !== undefined && <p class="field-error">{error}</p>}
      <ul class="plain-list stack-small">
        {rows.map((row, at) => {
          const productId = memberText(row, "productId");
          const name = names.get(`${productId} ${memberText(row, "variantId")}`) ?? productId;
          return (
            <li class="add-line" key={at}>
              <TextField
                label={text("shop.products.part.quantity", { name })}
                error={errorAt(`/${at}/quantity`) ?? errorAt(`/${at}/productId`)}
                inputMode="numeric"
                value={memberText(row, "quantity")}
                onInput={(quantity) => onChange(rows.with(at, { ...row, quantity }))}
              />
              <Button icon="trash" onClick={() => onChange(rows.toSpliced(at, 1))}>
                {text("shop.order.items.remove", { name })}
              </Button>
            </li>
          );
        })}
      </ul>
      <AddProduct
        currency={context.currency}
        onAdd={({ productId, variantId = "" }) =>
          onChange([...rows, { productId, variantId, quantity: "1" }])
        }
      />
    </div>
  );
}
