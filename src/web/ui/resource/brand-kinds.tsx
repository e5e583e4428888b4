/** Kinds of fields for how a site looks: its logo, and its accent in each theme. */
import { accentThemes } from "../../../kit/brand/accent.ts";
import { AccentFields } from "../forms/accent-fields.tsx";
import { LogoField } from "../forms/logo-field.tsx";
import { type Kind, memberText, toText } from "./kind.ts";
import { sayPlain } from "./kinds.tsx";

function toErrors(at: string, words: string | undefined): [string, string][] {
  return words === undefined ? [] : [[at, words]];
}

/** A picture that is part of the settings, as a data address. */
export function logoKind<C>(): Kind<C> {
  return {
    blank: "",
    toTyped: (value) => (typeof value === "string" ? value : ""),
    read: (typed) => ({ value: toText(typed) }),
    Field: ({ value, error, onChange }) => (
      <LogoField
        form={{ logo: toText(value) }}
        errors={new Map(toErrors("/logo", error))}
        onChange={({ logo }) => onChange(logo ?? "")}
      />
    ),
    say: sayPlain,
  };
}

/** A colour for each theme. */
export function accentKind<C>(): Kind<C> {
  const blank = { light: "", dark: "" };
  return {
    blank,
    toTyped: (value) => ({
      ...blank,
      ...(typeof value === "object" && value !== null ? value : {}),
    }),
    read: (typed) => ({
      value: { light: memberText(typed, "light").trim(), dark: memberText(typed, "dark").trim() },
    }),
    Field: ({ value, errorAt, onChange }) => (
      <AccentFields
        form={{ accent: { light: memberText(value, "light"), dark: memberText(value, "dark") } }}
        errors={new Map(accentThemes.flatMap((theme) => toErrors(`/accent/${theme}`, errorAt(`/${theme}`))))}
        onChange={({ accent }) => onChange({ ...blank, ...accent })}
      />
    ),
    say: sayPlain,
  };
}
