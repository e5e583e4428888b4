/**
 * How addresses are written and asked for, by country. The order of their parts is that of libaddressinput, the address
 * data of Google (CC BY 4.0).
 */
import type { Address } from "./postal-address.ts";

/** Rows of the place, as patterns: Z postal code, C city, S state. "<": they are above the street. */
const layouts: Readonly<Record<string, string>> = {
  C:
    "AG AO AW BF BI BJ BO BQ BW BZ CD CF CG CI CK CM CW DJ DM ER FJ GA GD GH GM GQ GY KM LC LY ML " +
    "MO MR MS MW NU PS QA RW SB SL SS ST SX SY TD TF TG TK TL TO TT UG VU WS YE ZW",
  "C|Z": "AF AI FK GB GG GI IM IO JE KE LK NA PN SD SH SZ TC VG ZA",
  "C Z": "BH BM BN BT GU IL JO KH LB LS MT MV NP NZ PR SA SG VC",
  "C S Z": "AS AU CA CC CX FM MH MP NF PW UM VI",
  "C|S": "AE JM NR PA SC SR TV",
  "C|S Z": "ID IE KY MN TH VN",
  "Z C|S": "AR CL CV MY UZ",
  "Z C S": "ES IT MZ PF UY",
  "Z|C": "AL EC MU OM",
  "C, S Z": "BB SO US",
  "C|S|Z": "EG RU UA",
  "C Z|S": "IN NG PE",
  "C, S": "BS KN",
  "<Z|S C": "CN TW",
  "C, S|Z": "HN IQ",
  "<Z|S|C": "KP KZ",
  "C, Z": "LV MM",
  "Z|C|S": "AM",
  "C - Z": "BD",
  "C-S|Z": "BR",
  "<S|Z C": "BY",
  "C, S, Z": "CO",
  "S, C|Z": "CR",
  "C S|Z": "CU",
  "<S|C": "HK",
  "<C|Z": "HU",
  "<S|C|Z": "IR",
  "<〒Z|S C": "JP",
  "S|C": "KI",
  "<S C|Z": "KR",
  "Z C, S": "MX",
  "Z|C, S": "NI",
  "C Z S": "PG",
  "C|Z S": "PH",
  "C-Z": "PK",
  "Z-C|S": "SV",
  "Z C/S": "TR",
  "C Z, S": "VE",
};

const USUAL = "Z C";
const byCountry = new Map(
  Object.entries(layouts).flatMap(([pattern, codes]) =>
    codes.split(" ").map((code) => [code, pattern] as const),
  ),
);

type Part = "postalCode" | "city" | "region";
const parts: Readonly<Record<string, Part>> = { Z: "postalCode", C: "city", S: "region" };

function toPattern(country: string): string {
  return byCountry.get(country) ?? USUAL;
}

/** What a form asks for, in its order. */
export interface AddressForm {
  readonly parts: readonly Part[];
  /** Whether the place comes before the street, the largest part first. */
  readonly isPlaceFirst: boolean;
}

/** The parts of a country's addresses; of all, without a country. */
export function findAddressForm(country: string): AddressForm {
  if (country === "") return { parts: ["postalCode", "city", "region"], isPlaceFirst: false };
  const pattern = toPattern(country);
  const found = Array.from(pattern, (letter) => parts[letter]).filter((part) => part !== undefined);
  return { parts: found, isPlaceFirst: pattern.startsWith("<") };
}

/** Words of a part where the country has its own; keys of texts. */
const partNames: Readonly<Record<string, string>> = {
  "postalCode.zip": "US PR GU AS VI MP FM MH PW UM",
  "postalCode.eircode": "IE",
  "postalCode.pin": "IN",
  "city.suburb": "AU",
  "city.district": "HK",
  "region.state": "US AU BR IN MX MY NG VE AS FM MH MP PW UM VI",
  "region.province":
    "CA CN IT ES AR CL CO CR CU EG KR NL PH TR TH VN ID UY PA PE PG MZ IR IQ KP HN NI SV UZ AM BY KZ MN SO SR",
  "region.prefecture": "JP",
  "region.county": "IE TW",
  "region.emirate": "AE",
  "region.area": "HK",
};
const nameByCountry = new Map(
  Object.entries(partNames).flatMap(([name, codes]) =>
    codes.split(" ").map((code) => [`${name.slice(0, name.indexOf("."))} ${code}`, name] as const),
  ),
);

/** The name of a part in a country, such as "region.state"; the part itself where it has no own name. */
export function namePart(part: Part, country: string): string {
  return nameByCountry.get(`${part} ${country}`) ?? part;
}

type Written = Pick<Address, "name" | "line1" | "city" | "country"> &
  Partial<Pick<Address, "company" | "line2" | "postalCode" | "region">>;

/** A row with its values; punctuation is between two of them, or before the first. */
function fillRow(row: string, values: Readonly<Record<Part, string>>): string {
  let filled = "";
  let between = "";
  for (const letter of row) {
    const part = parts[letter];
    if (part === undefined) {
      between += letter;
      continue;
    }
    const value = values[part];
    if (value !== "") filled += (filled === "" ? between.trim() : between) + value;
    between = "";
  }
  return filled;
}

/** Whether an address is written in another script: then the order of its country counts, not that of Latin letters. */
function isInOwnScript({ line1, city, region = "" }: Written): boolean {
  return /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u.test(line1 + city + region);
}

/** The rows of an address as its country writes them, without the country. */
export function toAddressRows(address: Written): string[] {
  const { name, company = "", line1, line2 = "", country } = address;
  const values = {
    postalCode: (address.postalCode ?? "").trim(),
    city: address.city.trim(),
    region: (address.region ?? "").trim(),
  };
  const pattern = toPattern(country);
  const isFirst = pattern.startsWith("<") && isInOwnScript(address);
  const plain = pattern.startsWith("<") && !isFirst ? "C|S|Z" : pattern.replace("<", "");
  // What the country's pattern lacks and somebody entered is written, too.
  const coded = plain.includes("Z") ? plain : plain.replace("C", "C Z");
  const whole = coded.includes("S") ? coded : `${coded}|S`;
  const place = whole.split("|").map((row) => fillRow(row, values));
  const street = [line1, line2];
  const rows = isFirst ? [...place, ...street, company, name] : [name, company, ...street, ...place];
  return rows.filter((row) => row !== "");
}
