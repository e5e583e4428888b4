/**
 * A second calculator of orders with VAT, written apart from the shop's: exact fractions in place of integers that are
 * rounded on the way, and nothing imported from src. Amounts are minor units.
 */

/** A fraction of big integers; `down` is positive. */
interface Fraction {
  readonly up: bigint;
  readonly down: bigint;
}

const of = (up: number | bigint, down: number | bigint = 1n): Fraction => ({
  up: BigInt(up),
  down: BigInt(down),
});
const times = (a: Fraction, b: Fraction): Fraction => ({ up: a.up * b.up, down: a.down * b.down });

/** Half up, for what is not negative. */
function toWhole({ up, down }: Fraction): number {
  const doubled = 2n * up + down;
  return Number((doubled - (doubled % (2n * down))) / (2n * down));
}

/** Whole parts of a sum in proportion; who lost most by cutting gets one more, the first of equals before the others. */
function share(sum: number, weights: readonly number[]): number[] {
  const all = weights.reduce((a, b) => a + b, 0);
  if (all === 0) return weights.map(() => 0);
  const exact = weights.map((weight) => of(BigInt(sum) * BigInt(weight), all));
  const parts = exact.map(({ up, down }) => Number(up / down));
  const lost = exact.map(({ up, down }) => Number(up % down));
  const order = weights
    .map((_weight, index) => index)
    .sort((a, b) => (lost[b] ?? 0) - (lost[a] ?? 0) || a - b);
  const missing = sum - parts.reduce((a, b) => a + b, 0);
  for (const index of order.slice(0, missing)) parts[index] = (parts[index] ?? 0) + 1;
  return parts;
}

export interface WorkedLine {
  readonly price: number;
  readonly quantity: number;
  /** Percent, such as 5.5. */
  readonly rate: number;
}

export interface WorkedCase {
  readonly lines: readonly WorkedLine[];
  /** Prices include the tax. */
  readonly included: boolean;
  readonly rounding: "line" | "document";
  /** Percent, 0 for none. */
  readonly discount: number;
  /** An amount that is deducted after the percentage. */
  readonly amountOff?: number;
  readonly shipping: number;
}

/** The price of a quantity by a list of prices and the quantities that they begin at. */
export function priceOf(
  steps: readonly (readonly [from: number, price: number])[],
  quantity: number,
): number {
  let best = -1;
  let price = 0;
  for (const [from, each] of steps) if (from <= quantity && from > best) [best, price] = [from, each];
  return price;
}

/** Bundles at a price, as lines of their parts: each unit of a part has the whole cents of its part's share. */
export function unbundle(price: number, count: number, parts: readonly WorkedLine[]): WorkedLine[] {
  const shares = share(
    price,
    parts.map((part) => part.price * part.quantity),
  );
  const lines: WorkedLine[] = [];
  parts.forEach(({ quantity, rate }, index) => {
    const units = Array.from({ length: quantity }, (_unit, at) => {
      const own = shares[index] ?? 0;
      return Math.floor(own / quantity) + (at < own % quantity ? 1 : 0);
    });
    for (const each of new Set(units))
      lines.push({ price: each, rate, quantity: count * units.filter((unit) => unit === each).length });
  });
  return lines;
}

export interface WorkedRow {
  readonly net: number;
  readonly tax: number;
  readonly gross: number;
}

export interface Worked {
  readonly total: number;
  /** By percent. */
  readonly rows: ReadonlyMap<number, WorkedRow>;
  /** What each line costs with its tax. */
  readonly gross: readonly number[];
}

/** The tax in an amount or on top of it, exactly. */
function taxOf(amount: number, percent: number, included: boolean): Fraction {
  const points = Math.round(percent * 100);
  return times(of(amount), included ? of(points, 10_000 + points) : of(points, 10_000));
}

/** Works a case out. */
export function work({ lines, included, rounding, discount, amountOff = 0, shipping }: WorkedCase): Worked {
  const before = lines.map(({ price, quantity }) => price * quantity);
  const sum = before.reduce((a, b) => a + b, 0);
  const off = share(toWhole(times(of(sum), of(Math.round(discount * 100), 10_000))), before);
  const left = before.map((amount, index) => amount - (off[index] ?? 0));
  const all = left.reduce((a, b) => a + b, 0);
  const more = share(Math.min(amountOff, all), left);
  const after = left.map((amount, index) => amount - (more[index] ?? 0));
  const carried = share(shipping, after);
  const rows = new Map<number, WorkedRow>();
  const gross = lines.map(() => 0);
  for (const rate of new Set(lines.map((line) => line.rate))) {
    const own = lines.flatMap((line, index) => (line.rate === rate ? [index] : []));
    const goods = own.map((index) => after[index] ?? 0);
    const parcel = own.reduce((all, index) => all + (carried[index] ?? 0), 0);
    const amount = goods.reduce((a, b) => a + b, 0) + parcel;
    const apart = [...goods, parcel].map((each) => toWhole(taxOf(each, rate, included)));
    const taxes =
      rounding === "line" ? apart : share(toWhole(taxOf(amount, rate, included)), [...goods, parcel]);
    const tax = taxes.reduce((a, b) => a + b, 0);
    rows.set(rate, { tax, gross: included ? amount : amount + tax, net: included ? amount - tax : amount });
    own.forEach((index, place) => {
      gross[index] = (goods[place] ?? 0) + (included ? 0 : (taxes[place] ?? 0));
    });
  }
  return { total: [...rows.values()].reduce((all, row) => all + row.gross, 0), rows, gross };
}
