/** A field for a number, with its unit beside it. */
import type { JSX } from "preact";
import { type FieldProps, Field } from "../controls.tsx";

/** The field; `unit` is as people write it, such as "%" or "EUR". */
export function UnitField(
  props: Omit<FieldProps, "children"> & {
    unit: string;
    value: string;
    placeholder?: string | undefined;
    onInput: (value: string) => void;
  },
): JSX.Element {
  const { label, hint, error, unit, value, placeholder, onInput } = props;
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
          <span class="unit-of">{unit}</span>
        </span>
      )}
    </Field>
  );
}
