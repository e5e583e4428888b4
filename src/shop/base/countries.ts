/** Countries (ISO 3166-1) that have addresses, and what these need. Browsers take this file too. */

/** Alpha-2 codes: all that people live in, with Kosovo's as postal services and CLDR use it. */
export const countryCodes: readonly string[] = (
  "AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA CC CD CF " +
  "CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF " +
  "GG GH GI GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP " +
  "KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA " +
  "NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH " +
  "SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE " +
  "VG VI VN VU WF WS XK YE YT ZA ZM ZW"
).split(" ");

/** Those whose addresses have no postal code, or whose people hardly use it (UPU, postal addressing systems). */
const withoutPostalCode = new Set(
  (
    "AE AG AO AW BF BI BJ BO BQ BS BW BZ CD CF CG CI CK CM CW DJ DM ER FJ GA GD GH GM GQ GY HK IE JM KI KM KN KP LC LY ML MO " +
    "MR MW NR NU PA QA RW SB SC SL SO SR SS ST SX SY TD TG TK TL TO TT TV UG VC VU YE ZW"
  ).split(" "),
);

/** Whether mail to a country needs a postal code. */
export function needsPostalCode(country: string): boolean {
  return !withoutPostalCode.has(country);
}

/** The names of countries in a language, by code; what is empty or no country is left out. */
export function nameCountries(
  codes: readonly (string | undefined)[],
  language: string,
): Record<string, string> {
  const names = new Intl.DisplayNames(language, { type: "region", fallback: "none" });
  const named = [...new Set(codes)].flatMap((code): [string, string][] => {
    const name = code === undefined || code === "" ? undefined : names.of(code);
    return code === undefined || name === undefined ? [] : [[code, name]];
  });
  return Object.fromEntries(named);
}
