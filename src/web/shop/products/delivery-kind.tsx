/** The kind of field for how a product reaches its buyers: each way with what it means. */
import type { JSX } from "preact";
import { useId } from "preact/hooks";
import type { FieldJson } from "../../../kit/fields/field-json.ts";
import { findText, text } from "../../app/texts.ts";
import type { Form, Kind, Shown, Typed } from "../../ui/resource/kind.ts";
import { choiceKind } from "../../ui/resource/kinds.tsx";
import type { ProductContext } from "./product-context.ts";

function Ways({ ways, ...props }: Shown<ProductContext> & { ways: readonly string[] }): JSX.Element {
  const { label, error, value, context, onChange } = props;
  const name = useId();
  const { product } = context;
  return (
    <>
      <div class="radio-tiles" role="radiogroup" aria-label={label}>
        {ways.map((way) => (
          <label class="radio-tile" key={way}>
            <input type="radio" name={name} checked={way === value} onChange={() => onChange(way)} />
            <span>
              <strong>{findText(`shop.products.delivery.${way}`) ?? way}</strong>
              <span class="field-hint">{findText(`shop.products.delivery.${way}.hint`)}</span>
            </span>
          </label>
        ))}
      </div>
      {error !== undefined && <span class="field-error">{error}</span>}
      {product !== undefined && product.deliveryType !== value && (
        <p class="admin-note">{text("shop.products.delivery.saveFirst")}</p>
      )}
    </>
  );
}

export function deliveryKind(json: FieldJson): Kind<ProductContext> {
  const ways = (json.choices ?? []).map(String);
  return {
    ...choiceKind<ProductContext>({ words: "shop.products.delivery" })(json),
    Field: (props) => <Ways {...props} ways={ways} />,
  };
}

/** Stock that goes with it: a copy of a file or text costs nothing, and each key is given once. */
export function toStock(deliveryType: Typed): Form {
  const isCopied = deliveryType === "files" || deliveryType === "gift_card";
  if (isCopied || deliveryType === "shared_secret") return { stockMode: true };
  return deliveryType === "auto_secret" ? { stockMode: false } : {};
}
