/** A field for several countries, by their names. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { Button, Field } from "../../ui/controls.tsx";
import { Icon } from "../../ui/icons.tsx";
import { euCountries, listCountries, toCountryName } from "./choices.ts";

/** The field: those that are chosen, a list to choose from, and a button for all of the EU. */
export function CountriesField(props: {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  value: readonly string[];
  onChange: (value: readonly string[]) => void;
}): JSX.Element {
  const { label, hint, error, value, onChange } = props;
  const add = (codes: readonly string[]): void => onChange([...new Set([...value, ...codes])]);
  return (
    <div class="stack-small">
      <Field label={label} hint={hint} error={error}>
        {(links) => (
          <div class="words" aria-invalid={links["aria-invalid"]}>
            {value.map((code) => (
              <button
                type="button"
                class="word"
                key={code}
                aria-label={text("admin.words.remove", { word: toCountryName(code) })}
                onClick={() => onChange(value.filter((one) => one !== code))}
              >
                {toCountryName(code)}
                <Icon name="close" />
              </button>
            ))}
            <span class="select">
              <select
                {...links}
                value=""
                onChange={(event) => {
                  const code = event.currentTarget.value;
                  const list = event.currentTarget;
                  if (code !== "") add([code]);
                  list.value = "";
                }}
              >
                <option value="">{text("shop.ui.countries.add")}</option>
                {listCountries()
                  .filter((choice) => !value.includes(choice.value))
                  .map((choice) => (
                    <option value={choice.value} key={choice.value}>
                      {choice.label}
                    </option>
                  ))}
              </select>
              <Icon name="down" />
            </span>
          </div>
        )}
      </Field>
      <div class="button-row">
        <Button
          small
          disabled={euCountries.every((code) => value.includes(code))}
          onClick={() => add(euCountries)}
        >
          {text("shop.ui.countries.eu")}
        </Button>
        <Button small disabled={value.length === 0} onClick={() => onChange([])}>
          {text("shop.ui.countries.none")}
        </Button>
      </div>
    </div>
  );
}
