/** Countries, currencies and time zones to choose from, with their names in the reader's language. */
import { toZoneName } from "../../../kit/text/zone-names.ts";
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

/** Currencies that people pay with (ISO 4217, 2026): browsers list those of former times, too. */
const currencies =
  "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY " +
  "COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS " +
  "INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP " +
  "MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR " +
  "SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV " +
  "WST XAF XCD XOF XPF YER ZAR ZMW";

/** All currencies by code, with their names. */
export function listCurrencies(): readonly Choice<string>[] {
  const names = new Intl.DisplayNames([currentLanguage()], { type: "currency" });
  return currencies.split(" ").map((value) => ({
    value,
    label: `${value} – ${names.of(value) ?? value}`,
  }));
}

/** All time zones of the browser, by their present names; some leave UTC out. */
export function listTimeZones(): readonly Choice<string>[] {
  // Under the browser's own names, so that a stored one is found again.
  const zones = new Set(["UTC", ...Intl.supportedValuesOf("timeZone")]);
  return sortByLabel([...zones].map((value) => ({ value, label: toZoneName(value).replaceAll("_", " ") })));
}
