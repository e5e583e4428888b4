/** Units of what is sold: promised to an order, taken when it is paid, given back when it is not. */
import { type FieldError, AppError } from "../../kit/errors.ts";
import { CUSTOM_ID, isCustom } from "../base/custom-line.ts";
import { ShopError } from "../base/errors.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import { type ProductRecord, stockIdsOf } from "../products/schema.ts";
import { stock } from "../products/records.ts";
import type { StockMove } from "./low-stock.ts";

/** The part of an order's line that moves units. */
export interface StockLine {
  readonly productId: string;
  readonly variantId?: string | undefined;
  readonly stockId: string;
  readonly stockMode: ProductRecord["stockMode"];
  readonly quantity: number;
  /** Set for one more period of what was sold before. */
  readonly renewal?: unknown;
  /** Of a part of a bundle. */
  readonly bundle?: { readonly id: string; readonly each: number } | undefined;
}

/** Units that can be ordered now, by the id of the stock record; for unlimited stock, Infinity. */
export async function readAvailable(
  tx: ReadTx,
  product: Pick<ProductRecord, "id" | "variants" | "stockMode">,
): Promise<Map<string, number>> {
  const available = new Map<string, number>();
  for (const id of stockIdsOf(product)) {
    if (product.stockMode === "unlimited") {
      available.set(id, Number.POSITIVE_INFINITY);
    } else {
      const record = await tx.get(stock, id);
      available.set(id, record === undefined ? 0 : record.onHand - record.reserved);
    }
  }
  return available;
}

function outOfStock(errors: readonly FieldError[], items: readonly object[]): AppError {
  return new ShopError(
    "out_of_stock",
    "Some items are out of stock or not available in this quantity. Reduce the quantity or choose other products",
    {
      errors,
      details: { items },
    },
  );
}

/** Lines that share a stock record, as one; in an order that all transactions keep, so that two do not wait for each other. */
function toMoves(
  lines: readonly StockLine[],
): { stockId: string; quantity: number; mode: StockLine["stockMode"] }[] {
  const moves = new Map<string, { stockId: string; quantity: number; mode: StockLine["stockMode"] }>();
  for (const line of lines) {
    const { stockId, quantity, stockMode } = line;
    if (isCustom(line) || line.renewal !== undefined) continue;
    const before = moves.get(stockId)?.quantity ?? 0;
    moves.set(stockId, { stockId, quantity: before + quantity, mode: stockMode });
  }
  return [...moves.values()].toSorted((a, b) => (a.stockId < b.stockId ? -1 : 1));
}

/**
 * Whether all lines can be promised now.
 * @throws AppError `out_of_stock` with the lines that are short, each with what is available
 */
export async function assertInStock(tx: ReadTx, lines: readonly StockLine[]): Promise<void> {
  const left = await readLeft(tx, lines);
  const short = new Map<string, number>();
  for (const { stockId, quantity } of toMoves(lines)) {
    const available = left.get(stockId) ?? 0;
    if (available < quantity) short.set(stockId, available);
  }
  refuseShort(lines, short);
}

/** Which item of a request each line is of: lines of one bundle are of the same. */
export function toItemPlaces(lines: readonly Pick<StockLine, "bundle">[]): number[] {
  let place = -1;
  let last: string | undefined;
  return lines.map(({ bundle }) => {
    if (bundle === undefined || bundle.id !== last) place += 1;
    last = bundle?.id;
    return place;
  });
}

/** Throws `out_of_stock` for the lines whose stock record is short, with what is left of each. */
export function refuseShort(lines: readonly StockLine[], short: ReadonlyMap<string, number>): void {
  if (short.size === 0) return;
  const places = toItemPlaces(lines);
  const errors = lines.flatMap(({ stockId, bundle }, index): FieldError[] => {
    const units = short.get(stockId);
    const available = units === undefined ? undefined : Math.floor(units / (bundle?.each ?? 1));
    return available === undefined
      ? []
      : [
          {
            pointer: `/items/${places[index] ?? index}/quantity`,
            code: "out_of_stock",
            message: available === 0 ? "sold out" : `only ${available} left`,
          },
        ];
  });
  const items = lines
    .filter(({ stockId }) => short.has(stockId))
    .map(({ productId, variantId, stockId }) => ({
      productId,
      variantId,
      available: short.get(stockId) ?? 0,
    }));
  throw outOfStock(errors, items);
}

/** Units that are left of each stock record of some lines; Infinity for unlimited stock, and for items without a product. */
export async function readLeft(tx: ReadTx, lines: readonly StockLine[]): Promise<Map<string, number>> {
  const left = new Map<string, number>();
  if (lines.some(isCustom)) left.set(CUSTOM_ID, Number.POSITIVE_INFINITY);
  for (const { stockId, mode } of toMoves(lines)) {
    const record = mode === "unlimited" ? undefined : await tx.get(stock, stockId);
    const units = record === undefined ? 0 : record.onHand - record.reserved;
    left.set(stockId, mode === "unlimited" ? Number.POSITIVE_INFINITY : units);
  }
  return left;
}

/** Promises the units of all lines to an order, or none of them. Throws as {@link assertInStock} does, before anything is changed. */
export async function reserve(tx: Tx, lines: readonly StockLine[]): Promise<void> {
  await assertInStock(tx, lines);
  for (const { stockId, quantity, mode } of toMoves(lines))
    if (mode === "tracked") await tx.adjust(stock, stockId, { field: "reserved", by: quantity });
}

/** Releases reserved units: the order will not be paid. */
export async function release(tx: Tx, lines: readonly StockLine[]): Promise<void> {
  for (const { stockId, quantity, mode } of toMoves(lines))
    if (mode === "tracked") await tx.adjust(stock, stockId, { field: "reserved", by: -quantity });
}

/** Changes several counts of a stock record in one write. */
async function change(
  tx: Tx,
  stockId: string,
  by: { readonly onHand: number; readonly reserved: number; readonly sold: number },
): Promise<StockMove> {
  const record = await tx.get(stock, stockId);
  if (record === undefined)
    throw new AppError("conflict", "The stock record of an ordered product is missing. Restore the product");
  const { onHand, reserved, sold } = record;
  await tx.put(stock, {
    ...record,
    onHand: onHand + by.onHand,
    reserved: reserved + by.reserved,
    sold: sold + by.sold,
  });
  return { stockId, productId: record.productId, before: onHand, after: onHand + by.onHand };
}

/** Removes the reserved units: the order was paid. Returns what became of the units on hand. */
export async function take(tx: Tx, lines: readonly StockLine[]): Promise<StockMove[]> {
  const moves: StockMove[] = [];
  for (const { stockId, quantity, mode } of toMoves(lines)) {
    const gone = mode === "tracked" ? -quantity : 0;
    moves.push(await change(tx, stockId, { onHand: gone, reserved: gone, sold: quantity }));
  }
  return moves;
}

/** Units of a paid order come back: it was canceled before they were handed over. */
export async function putBack(tx: Tx, lines: readonly StockLine[]): Promise<void> {
  for (const { stockId, quantity, mode } of toMoves(lines)) {
    const back = mode === "tracked" ? quantity : 0;
    await change(tx, stockId, { onHand: back, reserved: 0, sold: -quantity });
  }
}

/** A unit leaves without a sale, such as in place of one that did not work. Throws `out_of_stock` when all are promised. */
export async function takeSpare(tx: Tx, line: StockLine): Promise<StockMove[]> {
  await assertInStock(tx, [{ ...line, quantity: 1 }]);
  if (line.stockMode !== "tracked") return [];
  return [await change(tx, line.stockId, { onHand: -1, reserved: 0, sold: 0 })];
}
