/** A field for an amount, with its currency beside it. */
import type { JSX } from "preact";
import { exponentOf } from "../../../shop/base/money.ts";
import { text } from "../../app/texts.ts";
import { type FieldProps, Field } from "../../ui/controls.tsx";
import { readMoney } from "./money.ts";

/** Amounts of three decimals that services such as Stripe cannot charge. */
function isUnusual(typed: string, currency: string): boolean {
  return exponentOf(currency) === 3 && (readMoney(typed, currency) ?? 0) % 10 !== 0;
}

/** The field; what is typed becomes minor units by `readMoney`. */
export function MoneyField(
  props: Omit<FieldProps, "children"> & {
    value: string;
    currency: string;
    placeholder?: string | undefined;
    onInput: (value: string) => void;
  },
): JSX.Element {
  const { label, hint, error, value, currency, placeholder, onInput } = props;
  return (
    <Field
      label={label}
      hint={isUnusual(value, currency) ? text("shop.ui.threeDecimals", { currency }) : hint}
      error={error}
    >
      {(links) => (
        <span class="unit-field">
          <input
            {...links}
            type="text"
            inputMode="decimal"
            autoComplete="off"
            placeholder={placeholder}
            value={value}
            onInput={(event) => onInput(event.currentTarget.value)}
          />
          <span class="unit-of">{currency}</span>
        </span>
      )}
    </Field>
  );
}
