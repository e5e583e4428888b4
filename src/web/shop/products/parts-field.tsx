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

/** A product or one of its variants. */
interface Known {
  readonly name: string;
  readonly isArchived: boolean;
}

/** Products and their variants, by "product variant". */
function useKnown(ids: readonly string[]): ReadonlyMap<string, Known> {
  const [known, setKnown] = useState<ReadonlyMap<string, Known>>(new Map());
  const wanted = [...new Set(ids)].toSorted().join(",");
  useEffect(() => {
    if (wanted === "") return;
    const query = new URLSearchParams({ limit: "100", ids: wanted });
    adminRequest<ProductPage>(`/api/admin/products?${query.toString()}`).then(
      ({ items }) =>
        setKnown(
          new Map(
            items.flatMap(({ id, title, status, variants }) => {
              const isArchived = status === "archived";
              const named = [{ variant: "", name: title }].concat(
                variants.map((one) => ({ variant: one.id, name: nameLine({ title, options: one.options }) })),
              );
              return named.map(({ variant, name }) => [`${id} ${variant}`, { name, isArchived }] as const);
            }),
          ),
        ),
      () => undefined,
    );
  }, [wanted]);
  return known;
}

/** The field. */
export function PartsField(shown: Shown<ProductContext>): JSX.Element {
  const { hint, error, errorAt, value, onChange, context } = shown;
  const rows = (isTypedList(value) ? value : []).filter(isTypedGroup);
  const known = useKnown(rows.map((row) => memberText(row, "productId")));
  return (
    <div class="stack-small">
      {hint !== undefined && <span class="field-hint">{hint}</span>}
      {error !== undefined && <p class="field-error">{error}</p>}
      <ul class="plain-list stack-small">
        {rows.map((row, at) => {
          const productId = memberText(row, "productId");
          const { name = productId, isArchived = false } =
            known.get(`${productId} ${memberText(row, "variantId")}`) ?? {};
          const archived = isArchived ? text("shop.products.part.archived", { name }) : undefined;
          return (
            <li class="add-line" key={at}>
              <TextField
                label={text("shop.products.part.quantity", { name })}
                error={errorAt(`/${at}/quantity`) ?? errorAt(`/${at}/productId`) ?? archived}
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
