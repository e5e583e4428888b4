/** Countries of the world (ISO 3166-1), named in a language. */
import type { Language } from "../../../kit/text/languages.ts";
import { countryCodes } from "../../base/countries.ts";
import { listEnabled, sendsTo } from "../../shipping/quotes.ts";
import type { SiteSettings } from "../../site/schema.ts";

export interface Country {
  readonly value: string;
  readonly label: string;
}

const named = new Map<Language, readonly Country[]>();

/** All countries by their names in a language. */
export function listCountries(language: Language): readonly Country[] {
  const before = named.get(language);
  if (before !== undefined) return before;
  const names = new Intl.DisplayNames(language, { type: "region" });
  const compare = new Intl.Collator(language).compare;
  const all = countryCodes
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .sort((a, b) => compare(a.label, b.label));
  named.set(language, all);
  return all;
}

/** The name of a country in a language; its code if it has none. */
export function nameCountry(code: string, language: Language): string {
  return listCountries(language).find(({ value }) => value === code)?.label ?? code;
}

/** Those that a shop sends to; all of them while no method says which. */
export function listSentTo(
  { shipping }: Pick<SiteSettings, "shipping">,
  language: Language,
): readonly Country[] {
  const methods = listEnabled(shipping.methods);
  const all = listCountries(language);
  if (methods.length === 0) return all;
  return all.filter(({ value }) => methods.some((method) => sendsTo(method, value)));
}
