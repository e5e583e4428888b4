/** Keeps what each product and variant has cost, in the transaction that changes it. */
import type { ReadTx, Tx } from "../../store/store.ts";
import { prices } from "./records.ts";
import { addPoint } from "./prior-price.ts";
import type { PricePoint, PriceRecord } from "./schema.ts";

export interface PricedProduct {
  readonly id: string;
  readonly status: string;
  readonly price: number;
  readonly compareAtPrice?: number | undefined;
  readonly currency: string;
  readonly variants: readonly {
    readonly id: string;
    readonly price: number;
    readonly compareAtPrice?: number | undefined;
  }[];
  /** Epoch milliseconds. */
  readonly updatedAt: number;
}

const MAX_RECORDS = 1_000;

/** The price of each stock record of a product, from a time on. */
function listPoints(product: PricedProduct, atMs: number): Map<string, PricePoint> {
  const { id, variants, status, compareAtPrice } = product;
  const sold = variants.length === 0 ? [product] : variants;
  return new Map(
    sold.map((one) => {
      const compared = one.compareAtPrice ?? compareAtPrice;
      const point =
        status === "published" ? { at: atMs, price: one.price, compareAtPrice: compared } : { at: atMs };
      return [variants.length === 0 ? id : one.id, point];
    }),
  );
}

/** The price records of a product. */
export async function listPrices(tx: ReadTx, productId: string): Promise<readonly PriceRecord[]> {
  return (await tx.list(prices, "byProduct", { prefix: [productId], limit: MAX_RECORDS })).items;
}

/** Notes what a product costs now; of one from before there was a history, also what it cost since its last change. */
export async function notePrices(
  tx: Tx,
  { before, after, nowMs }: { before: PricedProduct | undefined; after: PricedProduct; nowMs: number },
): Promise<void> {
  const { id: productId, currency } = after;
  const isSame = before?.currency === currency;
  const old = before === undefined || !isSame ? undefined : listPoints(before, before.updatedAt);
  const present = listPoints(after, nowMs);
  for (const [id, point] of present) {
    const known = await tx.get(prices, id);
    const first = old?.get(id);
    // Prices of another currency cannot be compared.
    const past = known?.currency === currency ? known.points : first === undefined ? [] : [first];
    const points = addPoint(past, point);
    if (known === undefined) await tx.insert(prices, { id, productId, currency, points: [...points] });
    else if (points !== known.points) await tx.put(prices, { ...known, currency, points: [...points] });
  }
  for (const { id } of await listPrices(tx, productId)) if (!present.has(id)) await tx.remove(prices, id);
}

/** Forgets the prices of a product that is deleted. */
export async function forgetPrices(tx: Tx, productId: string): Promise<void> {
  for (const { id } of await listPrices(tx, productId)) await tx.remove(prices, id);
}
