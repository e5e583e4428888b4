/** @jsxImportSource hono/jsx */
/** One of several, each with what it means and what it costs. */
import type { FormState } from "../../../html/faults.ts";

export interface Option {
  readonly value: string;
  readonly title: string;
  readonly hint?: string | undefined;
  readonly price?: string | undefined;
}

interface OptionsProps {
  readonly name: string;
  readonly label: string;
  readonly state: FormState;
  readonly options: readonly Option[];
  readonly value: string | undefined;
  /** Whether prices depend on it. */
  readonly isPriced?: boolean;
}

/** Radio buttons. The first one has the field's id, so that a fault leads there. */
export function Options({ name, label, state, options, value, isPriced = false }: OptionsProps) {
  const fault = state.faults.find(({ field }) => field === name);
  const faultId = `field-${name}-fault`;
  return (
    <fieldset class="options" aria-describedby={fault === undefined ? undefined : faultId}>
      <legend>{label}</legend>
      {options.map((option, index) => (
        <label class="option">
          <input
            type="radio"
            id={index === 0 ? `field-${name}` : undefined}
            name={name}
            value={option.value}
            checked={option.value === value}
            data-update={isPriced ? "" : undefined}
          />
          <span class="option-words">
            <span class="option-title">{option.title}</span>
            {option.hint === undefined || option.hint === "" ? (
              <></>
            ) : (
              <span class="small muted">{option.hint}</span>
            )}
          </span>
          {option.price === undefined ? <></> : <span class="num push">{option.price}</span>}
        </label>
      ))}
      {fault === undefined ? (
        <></>
      ) : (
        <p class="field-error" id={faultId}>
          {fault.text}
        </p>
      )}
    </fieldset>
  );
}
