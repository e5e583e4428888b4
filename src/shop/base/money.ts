/** Amounts: whole minor units of a currency. Browsers take this file too. */
import { keepFormats } from "./formats.ts";

/** The largest single price or amount, in minor units; sums of a whole order stay below 2^53. */
export const MAX_AMOUNT = 999_999_999_999;

/** ISO 4217:2015, list one: minor units other than 2. (CLDR, which Intl follows, differs for some of them.) */
const digitsOf: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(" ").map((code) => [code, 0]),
  ),
  ...Object.fromEntries("BHD IQD JOD KWD LYD OMR TND".split(" ").map((code) => [code, 3])),
  ...Object.fromEntries("CLF UYW".split(" ").map((code) => [code, 4])),
};

/** Decimal digits of a currency's minor unit: JPY 0, EUR 2, KWD 3. */
export function exponentOf(currency: string): number {
  return digitsOf[currency] ?? 2;
}

/** An amount as a plain decimal number: 1999 EUR → "19.99", 500 JPY → "500". */
export function toDecimal(amount: number, currency: string): string {
  const digits = exponentOf(currency);
  const text = String(Math.abs(amount)).padStart(digits + 1, "0");
  const whole = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  return amount < 0 ? `-${whole}` : whole;
}

/**
 * The amount of a plain decimal number, exactly: "19.99", "19.990" and "20" EUR → 1999, 1999, 2000. Undefined for
 * whatever is not one: a sign, an exponent, more digits than the currency has, or more than {@link MAX_AMOUNT}.
 */
export function parseDecimal(text: string, currency: string): number | undefined {
  const [, whole, fraction = ""] = /^(\d{1,20})(?:\.(\d{1,20}))?$/u.exec(text) ?? [];
  const digits = exponentOf(currency);
  if (whole === undefined || /[1-9]/u.test(fraction.slice(digits))) return undefined;
  const amount = BigInt(whole + fraction.slice(0, digits).padEnd(digits, "0"));
  return amount > BigInt(MAX_AMOUNT) ? undefined : Number(amount);
}

const formats = keepFormats<Intl.NumberFormat>();
/** Texts of amounts: an order names its total several times, and a shop its prices on many pages. */
const texts = keepFormats<string>(10_000);

/** An amount for people, in a language: 1999 EUR → "€19.99", "19,99 €", … */
export function formatAmount(amount: number, currency: string, language: string): string {
  const digits = exponentOf(currency);
  const make = (): Intl.NumberFormat =>
    new Intl.NumberFormat(language, {
      style: "currency",
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  const kind = `${language} ${currency}`;
  return texts(`${amount} ${kind}`, () =>
    // A text keeps all digits of large amounts; the types know numbers only.
    formats(kind, make).format(toDecimal(amount, currency) as unknown as number),
  );
}

/** An amount as a plain number in a language, as forms of banks take it: 123456 EUR → "1234.56", "1234,56". */
export function formatNumber(amount: number, currency: string, language: string): string {
  const decimal = new Intl.NumberFormat(language).formatToParts(0.5).find(({ type }) => type === "decimal");
  return toDecimal(amount, currency).replace(".", decimal?.value ?? ".");
}

/**
 * Shares `total` out in proportion to `weights` so that the parts are whole and add up to `total` exactly:
 * the largest remainders get the units left over, earlier parts first among equals. No part exceeds its
 * weight when `total` does not exceed the sum of weights. Throws RangeError when all weights are 0 and
 * `total` is not.
 */
export function allocate(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + BigInt(weight), 0n);
  if (sum === 0n) {
    if (total !== 0) throw new RangeError("An amount cannot be distributed over a total of zero");
    return weights.map(() => 0);
  }
  const shares = weights.map((weight, index) => {
    const product = BigInt(total) * BigInt(weight);
    return { index, part: product / sum, rest: product % sum };
  });
  let left = BigInt(total) - shares.reduce((all, { part }) => all + part, 0n);
  const parts = shares.map(({ part }) => part);
  const byRest = shares.toSorted((a, b) =>
    a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1,
  );
  for (const { index } of byRest) {
    if (left === 0n) break;
    parts[index] = (parts[index] ?? 0n) + 1n;
    left -= 1n;
  }
  return parts.map(Number);
}
