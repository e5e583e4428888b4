/** Countries of the world (ISO 3166-1), named in a language. */
import type { Language } from "../../../kit/text/languages.ts";
import { listEnabled } from "../../shipping/quotes.ts";
import type { SiteSettings } from "../../site/schema.ts";

const codes = (
  "AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA CC CD CF " +
  "CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF " +
  "GG GH GI GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP " +
  "KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA " +
  "NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH " +
  "SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE " +
  "VG VI VN VU WF WS XK YE YT ZA ZM ZW"
).split(" ");

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
  const all = codes
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .sort((a, b) => compare(a.label, b.label));
  named.set(language, all);
  return all;
}

/** The name of a country in a language; its code when nobody knows it. */
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
  return all.filter(({ value }) =>
    methods.some(
      ({ countries, excludedCountries }) =>
        (countries.length === 0 || countries.includes(value)) && !excludedCountries.includes(value),
    ),
  );
}
