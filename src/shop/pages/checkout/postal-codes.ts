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
  AT: "1010",
  AU: "2000",
  BE: "1000",
  BG: "1000",
  BR: "01310-100",
  CH: "8001",
  CN: "100006",
  CY: "1010",
  CZ: "110 00",
  DE: "10115",
  DK: "1050",
  EE: "10111",
  ES: "28001",
  FI: "00100",
  FR: "75001",
  GR: "104 31",
  HR: "10000",
  HU: "1051",
  ID: "10110",
  IN: "110001",
  IT: "00118",
  JP: "100-0001",
  KR: "04524",
  LI: "9490",
  LT: "01100",
  LU: "1111",
  LV: "1010",
  MX: "06000",
  MY: "50000",
  NO: "0150",
  NZ: "6011",
  PL: "00-001",
  PT: "1000-001",
  RO: "010011",
  RU: "101000",
  SE: "111 20",
  SG: "018956",
  SI: "1000",
  SK: "811 01",
  TH: "10200",
  TR: "34110",
  UA: "01001",
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
