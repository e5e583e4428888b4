/** Amounts as people and spreadsheets write them: "12,50", "1.234,50", "1'234.50", "12.50 €". */
import { languages } from "../../kit/text/languages.ts";
import { MAX_AMOUNT, exponentOf } from "./money.ts";

/** Symbols for a currency in addition to its code and those of {@link symbolsOf}. */
const moreSymbols: Readonly<Record<string, readonly string[]>> = {
  CNY: ["元", "¥", "￥", "RMB"],
  JPY: ["円", "¥", "￥", "元"],
  CHF: ["Fr.", "SFr.", "Fr"],
  EUR: ["Euro"],
};

function symbolsOf(currency: string): string[] {
  const shown = (currencyDisplay: "symbol" | "narrowSymbol"): string[] =>
    languages.flatMap((language) =>
      new Intl.NumberFormat(language, { style: "currency", currency, currencyDisplay })
        .formatToParts(0)
        .filter(({ type }) => type === "currency")
        .map(({ value }) => value),
    );
  const all = [currency, ...shown("symbol"), ...shown("narrowSymbol"), ...(moreSymbols[currency] ?? [])];
  return all.toSorted((a, b) => b.length - a.length);
}

const known = new Map<string, readonly string[]>();

/** The text without the currency at one of its ends, and without blanks. */
function withoutCurrency(text: string, currency: string): string {
  const symbols = known.get(currency) ?? symbolsOf(currency);
  known.set(currency, symbols);
  const low = text.toLowerCase();
  for (const symbol of symbols.map((each) => each.toLowerCase())) {
    if (low.startsWith(symbol)) return text.slice(symbol.length).trim();
    if (low.endsWith(symbol)) return text.slice(0, -symbol.length).trim();
  }
  return text;
}

/** Arabic-Indic and Persian digits and marks, which no normalization turns into others. */
export function toWesternDigits(text: string): string {
  return text
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/gu, (digit) => String(digit.charCodeAt(0) & 0x0f))
    .replaceAll("\u066b", ".")
    .replaceAll("\u066c", ",")
    .replaceAll(/[\u200e\u200f\u061c]/gu, "");
}

/** Marks of other currencies than the expected one at an end of a text. */
const FOREIGN = /^(?:\p{Sc}|[A-Z]{1,3}\p{Sc}|[A-Z]{3}\b)|(?:\p{Sc}|[A-Z]{3})$/u;

/** Digits in groups of three, or of two before the last three as in India, under one mark. */
const GROUPED = /^[1-9]\d{0,2}(?:[.,'’\s]\d{2,3})*[.,'’\s]\d{3}$/u;

/** The digits of a whole number, with or without groups; undefined if marks are mixed or misplaced. */
function readWhole(text: string): string | undefined {
  if (/^\d+$/u.test(text)) return text;
  const marks = new Set(text.replaceAll(/\d/gu, ""));
  return GROUPED.test(text) && marks.size === 1 ? text.replaceAll(/\D/gu, "") : undefined;
}

/** An amount in minor units, or what is wrong with the text. */
export type ReadAmount =
  | { readonly amount: number }
  | {
      /** For the API. */
      readonly problem: string;
      readonly why: "foreign" | "none" | "ambiguous" | "form" | "decimals" | "large";
      /** For a text in another language. */
      readonly values: Readonly<Record<string, string>>;
    };
type Why = Extract<ReadAmount, { problem: string }>["why"];

/**
 * Reads an amount of a currency. A mark with as many digits behind it as the currency has decimals is the decimal
 * mark; one with three digits behind it could be either and is not guessed.
 */
export function readAmount(
  text: string,
  currency: string,
  { decimalMark }: { readonly decimalMark?: "." | "," | undefined } = {},
): ReadAmount {
  const digits = exponentOf(currency);
  const western = toWesternDigits(text.normalize("NFKC").trim());
  const plain = withoutCurrency(western, currency).replace(/[.,][-–—]+$/u, "");
  const value = text.trim().slice(0, 40);
  const problem = (why: Why, words: string, more: Record<string, string> = {}): ReadAmount => ({
    problem: `"${value}" ${words}`,
    why,
    values: { value, currency, ...more },
  });
  if (FOREIGN.test(plain))
    return problem(
      "foreign",
      `is in another currency than the shop's, ${currency}. Convert the prices, or set the currency of the shop before the first sale`,
    );
  if (!/^\d[\d.,'’\s]*$/u.test(plain)) return problem("none", `is not an amount in ${currency}`);
  const [, before = "", mark = "", fraction = ""] = /^(.*)([.,])(\d*)$/su.exec(plain) ?? [];
  const isGroup =
    fraction.length === 3 &&
    /^[1-9]\d{0,2}$/u.test(before) &&
    (decimalMark === undefined || mark !== decimalMark);
  if (isGroup && decimalMark === undefined && digits !== 0 && digits !== 3) {
    const whole = `${before}${fraction}`;
    const exact = `${whole}.${"0".repeat(digits)}`;
    return problem(
      "ambiguous",
      `is ambiguous (${whole} or ${before}.${fraction}): write ${whole} or ${exact}`,
      { whole, small: `${before}.${fraction}`, exact },
    );
  }
  // One mark groups digits when it is there several times: "1.234.567".
  const isWhole =
    mark === "" || before.includes(mark) || (isGroup && (digits === 0 || decimalMark !== undefined));
  const whole = readWhole(isWhole ? plain : before);
  const decimals = isWhole ? "" : fraction;
  if (whole === undefined || (!isWhole && fraction === ""))
    return problem("form", "is not an amount. Write 1234.50 or 1234,50");
  if (/[1-9]/u.test(decimals.slice(digits)))
    return problem("decimals", `has more decimals than ${currency} supports`);
  const amount = BigInt(whole + decimals.slice(0, digits).padEnd(digits, "0"));
  return amount > BigInt(MAX_AMOUNT) ? problem("large", "is too large") : { amount: Number(amount) };
}
