/** A field for an amount, with its currency beside it. */
import type { JSX } from "preact";
import { type FieldProps, Field } from "../../ui/controls.tsx";

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
    <Field label={label} hint={hint} error={error}>
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
