/** The arithmetic of tax, in whole minor units: each amount is rounded once, half up, and sums are sums of what was rounded. */
import { allocate } from "../base/money.ts";
import type { SaleTax } from "./rates.ts";
import type { OrderTax, TaxRow } from "./schema.ts";

const WHOLE = 10_000n;

/** a × b ÷ c, half up. */
function divide(product: bigint, by: bigint): number {
  return Number((product * 2n + by) / (by * 2n));
}

/** The tax that is in an amount: 1190 at 1900 basis points → 190. */
export function taxIn(gross: number, rate: number): number {
  return divide(BigInt(gross) * BigInt(rate), WHOLE + BigInt(rate));
}

/** The tax that comes on top of an amount: 1000 at 1900 basis points → 190. */
export function taxOn(net: number, rate: number): number {
  return divide(BigInt(net) * BigInt(rate), WHOLE);
}

/** A price with the seller's own tax taken out of it, where that is not due. */
export function toUntaxed(price: number, { kind, homeRate }: SaleTax): number {
  return kind === "taxed" || kind === "exempt" ? price : price - taxIn(price, homeRate);
}

export interface TaxedLine {
  /** After discounts. */
  readonly total: number;
  readonly isSent: boolean;
  readonly sale: SaleTax;
}

/** Shares of the shipping by line: it is taxed as the goods that are sent, in proportion to what they cost. */
export function shareShipping(shipping: number, lines: readonly Omit<TaxedLine, "sale">[]): number[] {
  const weights = lines.map(({ isSent, total }) => (isSent ? total : 0));
  const isFree = weights.every((weight) => weight === 0);
  // Goods that cost nothing share alike.
  return allocate(shipping, isFree ? lines.map(({ isSent }) => Number(isSent)) : weights);
}

class Rows {
  readonly #rows = new Map<string, TaxRow>();

  add({ kind, country, rate }: SaleTax, { net, tax }: { net: number; tax: number }): void {
    const key = `${kind} ${country} ${rate}`;
    const row = this.#rows.get(key) ?? { kind, country, rate, net: 0, tax: 0, gross: 0 };
    this.#rows.set(key, { ...row, net: row.net + net, tax: row.tax + tax, gross: row.gross + net + tax });
  }

  /** The highest rate first. */
  list(): TaxRow[] {
    return [...this.#rows.values()].sort(
      (a, b) => b.rate - a.rate || (`${a.kind}${a.country}` < `${b.kind}${b.country}` ? -1 : 1),
    );
  }
}

/** The tax of an order with that of each line. */
export interface TaxSums extends OrderTax {
  readonly lines: readonly number[];
}

/**
 * The tax of lines and of the shares of shipping that belong to them. Each line is rounded by itself, and so is the
 * shipping of each rate; the rows of the summary add up to all that is paid.
 */
export function sumTax(
  lines: readonly TaxedLine[],
  { shares, pricesIncludeTax }: { readonly shares: readonly number[]; readonly pricesIncludeTax: boolean },
): TaxSums {
  const rows = new Rows();
  const split = (amount: number, rate: number): { net: number; tax: number } => {
    const tax = pricesIncludeTax ? taxIn(amount, rate) : taxOn(amount, rate);
    return { net: pricesIncludeTax ? amount - tax : amount, tax };
  };
  const lineTaxes = lines.map(({ total, sale }) => {
    const parts = split(total, sale.rate);
    rows.add(sale, parts);
    return parts.tax;
  });
  const bySale = new Map<string, { sale: SaleTax; amount: number }>();
  lines.forEach(({ sale }, index) => {
    const share = shares[index] ?? 0;
    if (share === 0) return;
    const key = `${sale.kind} ${sale.country} ${sale.rate}`;
    bySale.set(key, { sale, amount: (bySale.get(key)?.amount ?? 0) + share });
  });
  let shipping = 0;
  for (const { sale, amount } of bySale.values()) {
    const parts = split(amount, sale.rate);
    rows.add(sale, parts);
    shipping += parts.tax;
  }
  const amount = lineTaxes.reduce((sum, tax) => sum + tax, shipping);
  return { lines: lineTaxes, amount, shipping, rates: rows.list() };
}

/**
 * Splits a part that is given back over the rows of a summary, in proportion to what is left of each: whole and partial
 * returns add up to the rows exactly, their tax included. `given` is what earlier returns took of each row.
 * @throws RangeError when more is given back than is left
 */
export function splitReturn(
  amount: number,
  rows: readonly TaxRow[],
  given: readonly { readonly gross: number; readonly tax: number }[],
): TaxRow[] {
  const left = rows.map(({ gross, tax }, index) => ({
    gross: gross - (given[index]?.gross ?? 0),
    tax: tax - (given[index]?.tax ?? 0),
  }));
  if (amount > left.reduce((sum, { gross }) => sum + gross, 0))
    throw new RangeError("More is given back than is left");
  const parts = allocate(
    amount,
    left.map(({ gross }) => gross),
  );
  return rows.map((row, index) => {
    const gross = parts[index] ?? 0;
    const rest = left[index] ?? { gross: 0, tax: 0 };
    // Neither the remaining net nor the remaining tax must become negative.
    const least = Math.max(0, rest.tax - (rest.gross - gross));
    const tax = Math.min(rest.tax, gross, Math.max(least, taxIn(gross, row.rate)));
    return { ...row, net: gross - tax, tax, gross };
  });
}
