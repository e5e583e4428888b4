/** One accent color: picked, and shown as each theme will have it. */
import type { JSX } from "preact";
import { COLOR_LENGTH, accentThemes, toReadable } from "../../../kit/brand/accent.ts";
import { text } from "../../app/texts.ts";
import { Field } from "../../ui/controls.tsx";
import { type Kind, type Shown, toText } from "../../ui/resource/kind.ts";
import { sayPlain } from "../../ui/resource/kinds.tsx";

const OWN = "#0d6b5c";
const COLOR = /^#[\da-f]{6}$/iu;

/** What each theme makes of the color; said where it had to be changed to be readable. */
function Shades({ color }: { color: string }): JSX.Element {
  const shades = accentThemes.map((theme) => ({ theme, shade: toReadable(color, theme) }));
  const changed = shades.filter(({ shade }) => shade !== color.toLowerCase());
  return (
    <div role="status">
      {changed.map(({ theme, shade }) => (
        <p class="field-hint color-shade" key={theme}>
          <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
            <circle cx="10" cy="10" r="10" fill={shade} />
          </svg>
          {text(`shop.look.corrected.${theme}`, { color: shade })}
        </p>
      ))}
    </div>
  );
}

function ColorField<C>({ label, hint, error, value, onChange }: Shown<C>): JSX.Element {
  const color = toText(value).trim();
  return (
    <>
      <Field label={label} hint={hint} error={error}>
        {(links) => (
          <span class="colour-field">
            <input
              type="color"
              aria-label={text("admin.accent.pick", { field: label })}
              value={COLOR.test(color) ? color.toLowerCase() : OWN}
              onInput={(event) => onChange(event.currentTarget.value)}
            />
            <input
              {...links}
              type="text"
              maxLength={COLOR_LENGTH}
              placeholder={OWN}
              spellcheck={false}
              value={color}
              onInput={(event) => onChange(event.currentTarget.value)}
            />
          </span>
        )}
      </Field>
      {COLOR.test(color) && <Shades color={color} />}
    </>
  );
}

export function colorKind<C>(): Kind<C> {
  return {
    blank: "",
    toTyped: (value) => (typeof value === "string" ? value : ""),
    read: (typed) => {
      const value = toText(typed).trim();
      return value === "" || COLOR.test(value) ? { value } : { fault: "admin.fault.colour" };
    },
    Field: ColorField,
    say: sayPlain,
  };
}
