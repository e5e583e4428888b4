/** Countries, currencies and time zones to choose from, with their names in the reader's language. */
import { countryCodes } from "../../../shop/base/countries.ts";
import { currentLanguage } from "../../app/texts.ts";
import type { Choice } from "../../ui/controls.tsx";

/** Member states of the EU. */
export const euCountries: readonly string[] =
  "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" ");

/** The name of a country; its code where there is none. */
export function toCountryName(code: string): string {
  try {
    return new Intl.DisplayNames([currentLanguage()], { type: "region" }).of(code) ?? code;
  } catch {
    return code; // no code of a country
  }
}

function sortByLabel(choices: Choice<string>[]): readonly Choice<string>[] {
  const { compare } = new Intl.Collator(currentLanguage());
  return choices.sort((a, b) => compare(a.label, b.label));
}

/** All countries by name. */
export function listCountries(): readonly Choice<string>[] {
  return sortByLabel(countryCodes.map((value) => ({ value, label: toCountryName(value) })));
}

/** The same, and that none is named. */
export function listCountriesOrNone(): readonly Choice<string>[] {
  return [{ value: "", label: "–" }, ...listCountries()];
}

/** All currencies by code, with their names. */
export function listCurrencies(): readonly Choice<string>[] {
  const names = new Intl.DisplayNames([currentLanguage()], { type: "currency" });
  return Intl.supportedValuesOf("currency").map((value) => ({
    value,
    label: `${value} – ${names.of(value) ?? value}`,
  }));
}

/** All time zones of the browser; some leave UTC out. */
export function listTimeZones(): readonly Choice<string>[] {
  const zones = new Set(["UTC", ...Intl.supportedValuesOf("timeZone")]);
  return [...zones].map((value) => ({ value, label: value.replaceAll("_", " ") }));
}
