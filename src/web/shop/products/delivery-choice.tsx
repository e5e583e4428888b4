/** How what was bought reaches the buyer, each way with what it means. */
import type { JSX } from "preact";
import { useId } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { type DeliveryType, deliveryTypes } from "./product-data.ts";

/** The choice. */
export function DeliveryChoice(props: {
  value: DeliveryType;
  onChange: (value: DeliveryType) => void;
}): JSX.Element {
  const { value, onChange } = props;
  const name = useId();
  return (
    <div class="radio-tiles" role="radiogroup" aria-label={text("shop.products.field.deliveryType")}>
      {deliveryTypes.map((type) => (
        <label class="radio-tile" key={type}>
          <input type="radio" name={name} checked={type === value} onChange={() => onChange(type)} />
          <span>
            <strong>{text(`shop.products.delivery.${type}`)}</strong>
            <span class="field-hint">{text(`shop.products.delivery.${type}.hint`)}</span>
          </span>
        </label>
      ))}
    </div>
  );
}
