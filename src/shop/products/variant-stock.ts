/** Stock records follow a product: one for each variant, or one for the product itself. */
import { AppError } from "../../kit/errors.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import { stockIdsOf, type ProductRecord, type StockRecord } from "./schema.ts";
import { secrets, stock } from "./records.ts";

/** Free keys of one thing that is sold. */
function countFreeKeys(tx: ReadTx, stockId: string): Promise<number> {
  return tx.count(secrets, "byState", { prefix: [stockId, "free"] });
}

/**
 * Sets the units on hand.
 * @throws AppError `conflict` with `reserved` when more are promised to open orders
 */
export async function setOnHand(tx: Tx, record: StockRecord, onHand: number): Promise<StockRecord> {
  const { id, reserved } = record;
  if (onHand < reserved) {
    throw new AppError(
      "conflict",
      `The stock cannot be ${onHand}, because ${reserved} units are reserved by unpaid orders`,
      { details: { stockId: id, reserved } },
    );
  }
  // By a difference: no order that moves units at the same time has to try again for it.
  return onHand === record.onHand
    ? record
    : tx.adjust(stock, id, { field: "onHand", by: onHand - record.onHand });
}

/** A record without a product or variant. */
async function dropStock(tx: Tx, record: StockRecord): Promise<void> {
  const { id, reserved, sold } = record;
  if (reserved > 0) {
    throw new AppError(
      "conflict",
      `A variant cannot be removed, because ${reserved} of its units are reserved by unpaid orders`,
      { details: { stockId: id, reserved } },
    );
  }
  const keys = await countFreeKeys(tx, id);
  if (keys > 0) {
    throw new AppError(
      "conflict",
      `A removed variant still has ${keys} available license keys. Remove the keys first`,
      {
        details: { stockId: id, freeKeys: keys },
      },
    );
  }
  // Sold units stay counted, and may come back with a canceled order.
  if (sold > 0) await setOnHand(tx, record, 0);
  else await tx.remove(stock, id);
}

/**
 * Creates and deletes stock records to match `after`; `onHand` sets units by stock id.
 * @throws AppError `conflict` for a variant that has reserved units or free keys, `already_exists` for an id of another product
 */
export async function syncStock(
  tx: Tx,
  parts: { before: ProductRecord | undefined; after: ProductRecord; onHand: ReadonlyMap<string, number> },
): Promise<void> {
  const { before, after, onHand } = parts;
  const ids = stockIdsOf(after);
  const wasKeyed = before?.deliveryType === "auto_secret";
  const isKeyed = after.deliveryType === "auto_secret";
  for (const id of ids) {
    const known = await tx.get(stock, id);
    if (known !== undefined && known.productId !== after.id)
      throw new AppError("already_exists", `"${id}" is a variant of another product`);
    const record =
      known ?? (await tx.insert(stock, { id, productId: after.id, onHand: 0, reserved: 0, sold: 0 }));
    const wanted = isKeyed
      ? wasKeyed && known !== undefined
        ? undefined
        : await countFreeKeys(tx, id)
      : onHand.get(id);
    if (wanted !== undefined) await setOnHand(tx, record, wanted);
  }
  if (before === undefined) return;
  for (const id of stockIdsOf(before)) {
    const record = ids.includes(id) ? undefined : await tx.get(stock, id);
    if (record !== undefined) await dropStock(tx, record);
  }
}
