/** The arithmetic of tax, in whole minor units: what is rounded is rounded once, half up, and sums are sums of what was rounded. */
import { allocate } from "../base/money.ts";
import type { SaleTax } from "./rates.ts";
import type { OrderTax, TaxRow } from "./schema.ts";

const WHOLE = 10_000n;

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

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

/** The tax of an order with that of each line. */
export interface TaxSums extends OrderTax {
  readonly lines: readonly number[];
}

/** What is taxed alike: its lines by index, and its share of the shipping. */
interface Group {
  readonly sale: SaleTax;
  readonly indexes: number[];
  readonly totals: number[];
  shipping: number;
}

function groupBySale(lines: readonly TaxedLine[], shares: readonly number[]): Group[] {
  const groups = new Map<string, Group>();
  lines.forEach(({ sale, total }, index) => {
    const key = `${sale.kind} ${sale.country} ${sale.rate}`;
    const group = groups.get(key) ?? { sale, indexes: [], totals: [], shipping: 0 };
    group.indexes.push(index);
    group.totals.push(total);
    group.shipping += shares[index] ?? 0;
    groups.set(key, group);
  });
  return [...groups.values()];
}

/** The tax of a group's lines, and then that of its shipping. */
function toGroupTaxes(
  { sale: { rate }, totals, shipping }: Group,
  { pricesIncludeTax, rounding }: Rounding,
): number[] {
  const toTax = pricesIncludeTax ? taxIn : taxOn;
  const amounts = [...totals, shipping];
  if (rounding === "line") return amounts.map((amount) => toTax(amount, rate));
  return allocate(toTax(sumOf(amounts), rate), amounts);
}

/** How amounts become tax. */
interface Rounding {
  readonly pricesIncludeTax: boolean;
  /**
   * "line": each line and the shipping of each rate by itself; "document": the sum of each rate once (EN 16931,
   * BR-CO-17), and the lines share it in proportion.
   */
  readonly rounding: "line" | "document";
}

/**
 * The tax of lines and of the shares of shipping that belong to them; the rows of the summary add up to all that is
 * paid.
 */
export function sumTax(
  lines: readonly TaxedLine[],
  { shares, ...rounding }: Rounding & { readonly shares: readonly number[] },
): TaxSums {
  const lineTaxes = lines.map(() => 0);
  let shipping = 0;
  const rates = groupBySale(lines, shares).map((group): TaxRow => {
    const { kind, country, rate } = group.sale;
    const taxes = toGroupTaxes(group, rounding);
    group.indexes.forEach((index, place) => {
      lineTaxes[index] = taxes[place] ?? 0;
    });
    shipping += taxes.at(-1) ?? 0;
    const amount = sumOf(group.totals) + group.shipping;
    const tax = sumOf(taxes);
    const net = rounding.pricesIncludeTax ? amount - tax : amount;
    return { kind, country, rate, net, tax, gross: net + tax };
  });
  // The highest rate first.
  rates.sort((a, b) => b.rate - a.rate || (`${a.kind}${a.country}` < `${b.kind}${b.country}` ? -1 : 1));
  return { lines: lineTaxes, amount: sumOf(lineTaxes) + shipping, shipping, rates };
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
