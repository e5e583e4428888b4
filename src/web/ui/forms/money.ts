/** Amounts of money as people type them, and as the monitor keeps them: whole minor units. */

/** Digits after the point of a currency, as Intl knows them: 2 for EUR, 0 for JPY, 3 for KWD. */
export function toCurrencyDigits(currency: string): number {
  try {
    const options = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions();
    return options.maximumFractionDigits ?? 2;
  } catch {
    return 2; // no currency code yet
  }
}

/** Minor units as plain text: 1250 EUR is "12.50". */
export function toMoneyText(minor: number, currency: string): string {
  const digits = toCurrencyDigits(currency);
  const text = String(minor).padStart(digits + 1, "0");
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** Splits at the decimal separator; a separator that comes before three digits and another one groups. */
function splitDecimal(text: string): [whole: string, fraction: string] | undefined {
  const parts = /^(\d[\d.,]*?)(?:[.,](\d*))?$/u.exec(text);
  if (parts === null) return undefined;
  const [, whole = "", fraction = ""] = parts;
  if (/^\d+$/u.test(whole)) return [whole, fraction];
  const mark = text.at(whole.length);
  const groups = mark === "," ? /^\d{1,3}(?:\.\d{3})+$/u : /^\d{1,3}(?:,\d{3})+$/u;
  return groups.test(whole) ? [whole.replaceAll(/[.,]/gu, ""), fraction] : undefined;
}

/** "12.5", "12,50" or "1,234.50" as minor units of a currency; undefined when it is no amount of that currency. */
export function parseMoney(text: string, currency: string): number | undefined {
  return parseAmount(text, toCurrencyDigits(currency));
}

/** The same for a currency whose minor unit has so many digits. */
export function parseAmount(text: string, digits: number): number | undefined {
  const parts = splitDecimal(text.replaceAll(/[\s'’_]/gu, ""));
  if (parts === undefined) return undefined;
  const [whole, fraction] = parts;
  if (fraction.length > digits) return undefined;
  const minor = Number(whole + fraction.padEnd(digits, "0"));
  return Number.isSafeInteger(minor) ? minor : undefined;
}
