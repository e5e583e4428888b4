/**
 * Formats of postal codes by country: an unusual code causes a warning, never an error, because countries change their
 * formats.
 */

/** The format of a code without spaces and hyphens, and an example as people write it. */
interface PostalForm {
  readonly form: RegExp;
  readonly example: string;
}

/** Examples of codes with a fixed number of digits, with separators where people write them. */
const digits = {
  AF: "1001",
  AL: "1001",
  AT: "1010",
  AU: "2000",
  AX: "22150",
  BA: "71000",
  BD: "1340",
  BE: "1000",
  BG: "1000",
  BR: "01310-100",
  BY: "223016",
  CH: "8001",
  CL: "8340457",
  CN: "100006",
  CO: "111221",
  CY: "1010",
  CZ: "110 00",
  DE: "10115",
  DK: "1050",
  DO: "11903",
  DZ: "40304",
  EC: "090105",
  EE: "10111",
  EG: "12411",
  ES: "28001",
  FI: "00100",
  FO: "100",
  FR: "75001",
  GE: "0101",
  GF: "97300",
  GP: "97100",
  GR: "104 31",
  GT: "09001",
  HR: "10000",
  HU: "1051",
  ID: "10110",
  IN: "110001",
  IS: "320",
  IT: "00118",
  JO: "11937",
  JP: "100-0001",
  KE: "20100",
  KR: "04524",
  KW: "54541",
  KZ: "040900",
  LI: "9490",
  LK: "20000",
  LT: "01100",
  LU: "1111",
  LV: "1010",
  MA: "53000",
  MC: "98000",
  ME: "81257",
  MK: "1314",
  MM: "11181",
  MN: "65030",
  MQ: "97220",
  MX: "06000",
  MY: "50000",
  NC: "98814",
  NG: "930283",
  NO: "0150",
  NP: "44601",
  NZ: "6011",
  PE: "15001",
  PF: "98709",
  PH: "1008",
  PK: "44000",
  PL: "00-001",
  PT: "1000-001",
  PY: "1536",
  RE: "97400",
  RO: "010011",
  RU: "101000",
  SA: "11564",
  SE: "111 20",
  SG: "018956",
  SI: "1000",
  SK: "811 01",
  SM: "47890",
  TH: "10200",
  TN: "1002",
  TR: "34110",
  UA: "01001",
  UY: "11600",
  UZ: "702100",
  VA: "00120",
  VE: "1010",
  XK: "10000",
  YT: "97600",
  ZA: "8001",
};

/** By how many digits there are. */
const digitForms: Readonly<Record<number, RegExp>> = {
  3: /^\d{3}$/u,
  4: /^\d{4}$/u,
  5: /^\d{5}$/u,
  6: /^\d{6}$/u,
  7: /^\d{7}$/u,
};

const forms: ReadonlyMap<string, PostalForm> = new Map([
  ...Object.entries(digits).map(([country, example]): [string, PostalForm] => [
    country,
    { form: digitForms[example.replaceAll(/\D/gu, "").length] ?? /^\d+$/u, example },
  ]),
  ["CA", { form: /^[ABCEGHJ-NPRSTVXY]\d[A-Z]\d[A-Z]\d$/u, example: "K1A 0B1" }],
  ["GB", { form: /^(?:[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}|GIR0AA|BFPO\d{1,4})$/u, example: "SW1A 1AA" }],
  ["AD", { form: /^(?:AD)?[1-7]0\d$/u, example: "AD100" }],
  ["AR", { form: /^(?:[A-HJ-NP-Z]?\d{4})(?:[A-Z]{3})?$/u, example: "C1070AAM" }],
  ["GG", { form: /^GY\d[\dA-Z]?\d[A-Z]{2}$/u, example: "GY1 1AA" }],
  ["GI", { form: /^GX111AA$/u, example: "GX11 1AA" }],
  ["IL", { form: /^\d{5}(?:\d{2})?$/u, example: "9614303" }],
  ["IM", { form: /^IM\d[\dA-Z]?\d[A-Z]{2}$/u, example: "IM2 1AA" }],
  ["JE", { form: /^JE\d[\dA-Z]?\d[A-Z]{2}$/u, example: "JE1 1AA" }],
  ["PR", { form: /^\d{5}(?:\d{4})?$/u, example: "00930" }],
  ["RS", { form: /^\d{5,6}$/u, example: "11000" }],
  ["TW", { form: /^\d{3}(?:\d{2,3})?$/u, example: "104" }],
  ["VN", { form: /^\d{5,6}$/u, example: "70010" }],
  ["IE", { form: /^[A-Z]\d[\dW][A-Z\d]{4}$/u, example: "D02 AF30" }],
  ["MT", { form: /^[A-Z]{3}\d{4}$/u, example: "VLT 1117" }],
  ["NL", { form: /^\d{4}[A-Z]{2}$/u, example: "1012 AB" }],
  ["US", { form: /^\d{5}(?:\d{4})?$/u, example: "10001" }],
]);

/** Letters of the country before the digits, such as "D-10115", and what separates the parts are as good as none. */
function toCompact(code: string): string {
  return code
    .normalize("NFKC")
    .toUpperCase()
    .replaceAll(/[\s.〒\p{Pd}]/gu, "")
    .replace(/^[A-Z]{1,2}(?=\d{3,}$)/u, "");
}

/** An example of the country's codes when this one has another form; undefined for countries that are not in the table. */
export function findPostalExample(country: string, code: string): string | undefined {
  const known = forms.get(country);
  return known === undefined || known.form.test(toCompact(code)) ? undefined : known.example;
}
