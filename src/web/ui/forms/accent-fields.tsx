/** The accent colour of the site, one for each theme: what is good on white cannot be read on black. */
import type { JSX } from "preact";
import { type Accent, COLOR_LENGTH, accentThemes } from "../../../kit/brand/accent.ts";
import { text } from "../../app/texts.ts";
import { Field } from "../controls.tsx";
import type { FormPart } from "./bind.ts";
import { findError } from "./field-errors.ts";

/** Form values of these fields. */
export interface AccentForm {
  readonly accent: Accent;
}

/** The product's own, which the picker shows while none is set. */
const own = { light: "#0d6b5c", dark: "#45c0a8" } as const;

/** Both colours, to be typed or picked. */
export function AccentFields({ form, errors, onChange }: FormPart<AccentForm>): JSX.Element {
  const { accent } = form;
  return (
    <div class="field-row">
      {accentThemes.map((theme) => {
        const change = (colour: string): void => onChange({ accent: { ...accent, [theme]: colour } });
        const label = text(`admin.accent.${theme}`);
        return (
          <Field
            key={theme}
            label={label}
            hint={text("admin.accent.hint")}
            error={findError(errors, `/accent/${theme}`)}
          >
            {(links) => (
              <span class="colour-field">
                <input
                  type="color"
                  aria-label={text("admin.accent.pick", { field: label })}
                  value={/^#[\da-f]{6}$/iu.test(accent[theme]) ? accent[theme].toLowerCase() : own[theme]}
                  onInput={(event) => change(event.currentTarget.value)}
                />
                <input
                  {...links}
                  type="text"
                  maxLength={COLOR_LENGTH}
                  placeholder={own[theme]}
                  spellcheck={false}
                  value={accent[theme]}
                  onInput={(event) => change(event.currentTarget.value)}
                />
              </span>
            )}
          </Field>
        );
      })}
    </div>
  );
}
