/** The part of an invoice that a credit note credits: its lines, and the tax of each rate. */
import type { OrderTax, TaxRow } from "../tax/schema.ts";
import { splitReturn, taxIn } from "../tax/tax.ts";
import { allocate } from "../base/money.ts";
import { type RefundPart, SHIPPING_PART } from "../base/refund-part.ts";
import type { CreditedOrder } from "./invoiced-order.ts";
import type { InvoiceLine, InvoiceRecord } from "./schema.ts";

interface Credit {
  readonly lines: InvoiceLine[];
  /** The named items have less left than is credited. */
  readonly isSpread?: true;
  readonly tax?: OrderTax | undefined;
}

/** A line, or the part of the shipping that has one rate; amounts with tax. */
interface Item {
  readonly lineId: string;
  /** Its row of the invoice's rates. */
  readonly row: number;
  readonly gross: number;
  readonly tax: number;
  readonly line: InvoiceLine;
}

type Sums = Pick<TaxRow, "gross" | "tax">;

function addUp(rows: readonly Sums[]): Sums {
  return rows.reduce<Sums>((sum, row) => ({ gross: sum.gross + row.gross, tax: sum.tax + row.tax }), {
    gross: 0,
    tax: 0,
  });
}

function isOfRow(line: InvoiceLine, row: TaxRow): boolean {
  return line.taxKind === row.kind && line.taxRate === row.rate && line.taxCountry === row.country;
}

function listItems(order: CreditedOrder, rates: readonly TaxRow[]): Item[] {
  const isOnTop = order.pricesIncludeTax === false;
  const lines = order.lines.map((line): Item => {
    const { id: lineId, total, tax = 0 } = line;
    const row = rates.findIndex((rate) => isOfRow(line, rate));
    return { lineId, row, gross: total + (isOnTop ? tax : 0), tax, line: { ...line, lineId } };
  });
  const names = { title: order.shippingTitle ?? "", sku: "", options: {}, lineId: SHIPPING_PART };
  const toShipping = (row: number, { gross, tax }: Sums, rate?: TaxRow): Item => {
    const sums = { quantity: 0, unitPrice: gross, discount: 0, total: gross, tax };
    const line = { ...names, ...sums, taxRate: rate?.rate, taxKind: rate?.kind, taxCountry: rate?.country };
    return { lineId: SHIPPING_PART, row, gross, tax, line };
  };
  if (rates.length === 0) return [...lines, toShipping(-1, { gross: order.shipping, tax: 0 })];
  const shipping = rates.map((rate, row) => {
    const goods = addUp(lines.filter((item) => item.row === row));
    return toShipping(row, { gross: rate.gross - goods.gross, tax: rate.tax - goods.tax }, rate);
  });
  return [...lines, ...shipping];
}

/** Parts by item: the shipping has several where it has several rates. */
function toShares(items: readonly Item[], parts: readonly RefundPart[], credited: readonly Sums[]): number[] {
  const shares = items.map(() => 0);
  for (const { lineId, amount } of parts) {
    const left = items.map((item, index) =>
      item.lineId === lineId ? Math.max(0, item.gross - (credited[index]?.gross ?? 0)) : 0,
    );
    // While a balance is due, an item of the order may be worth more than on its invoice: the caller spreads then.
    const most = left.reduce((sum, one) => sum + one, 0);
    if (most === 0) continue;
    allocate(Math.min(amount, most), left).forEach((share, index) => {
      shares[index] = (shares[index] ?? 0) + share;
    });
  }
  return shares;
}

/** The tax of each share: shares of an item add up to its tax exactly. */
function toTaxes(
  items: readonly Item[],
  shares: readonly number[],
  { credited, rates }: { readonly credited: readonly Sums[]; readonly rates: readonly TaxRow[] },
): number[] {
  return items.map((item, index) => {
    const before = credited[index] ?? { gross: 0, tax: 0 };
    const share = shares[index] ?? 0;
    const gross = before.gross + share;
    const upTo = gross === item.gross ? item.tax : taxIn(gross, rates[item.row]?.rate ?? 0);
    return Math.min(share, Math.max(0, upTo - before.tax));
  });
}

function toLine({ line }: Item, part: RefundPart | undefined, { gross, tax }: Sums): InvoiceLine {
  const { title, sku, options, unitPrice, taxRate, taxKind, taxCountry, lineId } = line;
  return {
    title,
    sku,
    options,
    unitPrice,
    taxRate,
    taxKind,
    taxCountry,
    lineId,
    quantity: part?.quantity ?? 0,
    discount: 0,
    total: gross,
    tax: taxRate === undefined ? undefined : tax,
  };
}

/** Whether two shipping lines are of one row. Credit notes of earlier releases name no country. */
function isSameShipping(one: InvoiceLine, line: InvoiceLine): boolean {
  const isSameRate = one.taxRate === line.taxRate && one.taxKind === line.taxKind;
  return isSameRate && (one.taxCountry === undefined || one.taxCountry === line.taxCountry);
}

/** Credited parts of an item in earlier credit notes. */
function listCredited(lines: readonly InvoiceLine[], { lineId, line }: Item): Sums[] {
  return lines
    .filter((one) => one.lineId === lineId && (lineId !== SHIPPING_PART || isSameShipping(one, line)))
    .map(({ total, tax = 0 }) => ({ gross: total, tax }));
}

/**
 * The rows of the shares, and `taxes` changed where a row's rest wants it; undefined where a row has too little left.
 */
function toRows(
  items: readonly Item[],
  {
    shares,
    taxes,
    rates,
    given,
  }: {
    readonly shares: readonly number[];
    readonly taxes: number[];
    readonly rates: readonly TaxRow[];
    readonly given: readonly Sums[];
  },
): TaxRow[] | undefined {
  const rows: TaxRow[] = [];
  for (const [row, rate] of rates.entries()) {
    const own = items.flatMap((item, index) => (item.row === row ? [index] : []));
    const { gross, tax: wanted } = addUp(
      own.map((index) => ({ gross: shares[index] ?? 0, tax: taxes[index] ?? 0 })),
    );
    const left = { gross: rate.gross - (given[row]?.gross ?? 0), tax: rate.tax - (given[row]?.tax ?? 0) };
    if (gross > left.gross) return undefined;
    // Neither the remaining net nor the remaining tax must become negative.
    const tax = Math.min(left.tax, gross, Math.max(0, left.tax - (left.gross - gross), wanted));
    const last = own.findLast((index) => (shares[index] ?? 0) > 0);
    if (last !== undefined) taxes[last] = (taxes[last] ?? 0) + tax - wanted;
    rows.push({ ...rate, gross, tax, net: gross - tax });
  }
  return rows;
}

/** Credited parts of each row in earlier credit notes. */
function listGiven(rates: readonly TaxRow[], earlier: readonly InvoiceRecord[]): Sums[] {
  return rates.map((_row, index) => addUp(earlier.flatMap(({ tax }) => tax?.rates[index] ?? [])));
}

function toOrderTax(rates: TaxRow[]): OrderTax {
  return { amount: rates.reduce((sum, { tax }) => sum + tax, 0), shipping: 0, rates };
}

/**
 * The lines and the tax of a credit note. Parts that do not fit what earlier credit notes left of a rate (those of
 * earlier releases name no lines) are spread over the rates by value instead.
 */
export function toCredit(
  order: CreditedOrder,
  invoice: InvoiceRecord,
  {
    total,
    parts = [],
    earlier,
  }: {
    readonly total: number;
    readonly parts?: readonly RefundPart[] | undefined;
    readonly earlier: readonly InvoiceRecord[];
  },
): Credit {
  const rates = invoice.tax?.rates ?? [];
  const given = listGiven(rates, earlier);
  const isNamed = parts.reduce((sum, { amount }) => sum + amount, 0) === total;
  const spread = (): Credit => ({
    lines: [],
    tax: invoice.tax === undefined ? undefined : toOrderTax(splitReturn(total, rates, given)),
  });
  if (!isNamed) return spread();
  const items = listItems(order, rates);
  const credited = items.map((item) => addUp(earlier.flatMap(({ lines }) => listCredited(lines, item))));
  const shares = toShares(items, parts, credited);
  const taxes = toTaxes(items, shares, { credited, rates });
  const rows = toRows(items, { shares, taxes, rates, given });
  if (rows === undefined || shares.reduce((sum, share) => sum + share, 0) !== total)
    return { ...spread(), isSpread: true };
  return {
    tax: invoice.tax === undefined ? undefined : toOrderTax(rows),
    lines: items.flatMap((item, index) => {
      const gross = shares[index] ?? 0;
      const part = parts.find(({ lineId }) => lineId === item.lineId);
      return gross === 0 ? [] : [toLine(item, part, { gross, tax: taxes[index] ?? 0 })];
    }),
  };
}
