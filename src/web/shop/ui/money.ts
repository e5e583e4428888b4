/** Amounts of the shop, which are whole minor units, as they are read and typed. */
import { MAX_AMOUNT, exponentOf, formatAmount, toDecimal } from "../../../shop/base/money.ts";
import { currentLanguage } from "../../app/texts.ts";
import { parseAmount } from "../../ui/forms/money.ts";

/** An amount in the reader's language: 1999 EUR is "€19.99", "19,99 €", … */
export function showMoney(minor: number, currency: string): string {
  return formatAmount(minor, currency, currentLanguage());
}

/** An amount as typed into a field: 1999 EUR is "19.99"; "" without one. */
export function typeMoney(minor: number | undefined, currency: string): string {
  return minor === undefined ? "" : toDecimal(minor, currency);
}

/** "12.5", "12,50" or "1,234.50" as minor units; undefined when it is no amount of that currency. */
export function readMoney(typed: string, currency: string): number | undefined {
  const minor = parseAmount(typed.trim(), exponentOf(currency));
  return minor === undefined || minor > MAX_AMOUNT ? undefined : minor;
}
