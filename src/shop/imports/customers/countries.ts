/** Countries as customers write them: "DE", "Germany", "Deutschland", "Allemagne". */
import { countryCodes } from "../../base/countries.ts";
import { languages } from "../../../kit/text/languages.ts";

const NAME_LANGUAGES = new Set([
  ...languages,
  "de",
  "fr",
  "es",
  "it",
  "nl",
  "pt",
  "pl",
  "zh",
  "ja",
  "el",
  "ar",
]);

/** Names that are none of CLDR's. */
const others: Readonly<Record<string, string>> = {
  usa: "US",
  "u s a": "US",
  "united states of america": "US",
  uk: "GB",
  "great britain": "GB",
  england: "GB",
  scotland: "GB",
  wales: "GB",
  "northern ireland": "GB",
  holland: "NL",
  "the netherlands": "NL",
  "czech republic": "CZ",
  turkey: "TR",
  "south korea": "KR",
  korea: "KR",
  russia: "RU",
  vietnam: "VN",
  中国: "CN",
  brd: "DE",
};

function toKey(name: string): string {
  return name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

let known: ReadonlyMap<string, string> | undefined;

function readNames(): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const language of NAME_LANGUAGES) {
    const inLanguage = new Intl.DisplayNames(language, { type: "region" });
    for (const code of countryCodes) names.set(toKey(inLanguage.of(code) ?? code), code);
  }
  for (const [name, code] of Object.entries(others)) names.set(toKey(name), code);
  for (const code of countryCodes) names.set(code.toLowerCase(), code);
  return names;
}

/** The code of a country (ISO 3166-1 alpha-2); undefined for an unknown one. */
export function readCountry(cell: string): string | undefined {
  return (known ??= readNames()).get(toKey(cell));
}
