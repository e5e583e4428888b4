/** Countries, currencies and time zones to choose from, with their names in the reader's language. */
import { currentLanguage } from "../../app/texts.ts";
import type { LabelledValue } from "../../ui/settings/setting-specs.ts";

/** ISO 3166-1 alpha-2, as officially assigned. */
const COUNTRIES =
  "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW";

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

function sortByLabel(choices: LabelledValue[]): readonly LabelledValue[] {
  const { compare } = new Intl.Collator(currentLanguage());
  return choices.sort((a, b) => compare(a.label, b.label));
}

/** All countries by name. */
export function listCountries(): readonly LabelledValue[] {
  return sortByLabel(COUNTRIES.split(" ").map((value) => ({ value, label: toCountryName(value) })));
}

/** The same, and that none is named. */
export function listCountriesOrNone(): readonly LabelledValue[] {
  return [{ value: "", label: "–" }, ...listCountries()];
}

/** All currencies by code, with their names. */
export function listCurrencies(): readonly LabelledValue[] {
  const names = new Intl.DisplayNames([currentLanguage()], { type: "currency" });
  return Intl.supportedValuesOf("currency").map((value) => ({
    value,
    label: `${value} – ${names.of(value) ?? value}`,
  }));
}

/** All time zones of the browser; some leave UTC out. */
export function listTimeZones(): readonly LabelledValue[] {
  const zones = new Set(["UTC", ...Intl.supportedValuesOf("timeZone")]);
  return [...zones].map((value) => ({ value, label: value.replaceAll("_", " ") }));
}
