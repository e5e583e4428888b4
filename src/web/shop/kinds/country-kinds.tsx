/** The kind of field for several countries. */
import { lazy } from "../../pages/lazy.tsx";
import { type Kind, toTexts } from "../../ui/resource/kind.ts";
import { sayPlain } from "../../ui/resource/kinds.tsx";

const CountriesField = lazy(async () => (await import("../ui/countries-field.tsx")).CountriesField, null);

/** Country codes. */
export function countriesKind<C>(): Kind<C> {
  return {
    blank: [],
    toTyped: (value) => (Array.isArray(value) ? value.map(String) : []),
    read: (typed) => ({ value: toTexts(typed) }),
    Field: ({ label, hint, error, value, onChange }) => (
      <CountriesField label={label} hint={hint} error={error} value={toTexts(value)} onChange={onChange} />
    ),
    say: sayPlain,
  };
}
