/** A published product as the catalogue shows it: never changed, replaced when anything about it changes. */
import { lacksSecret } from "../licence-keys/product-secret.ts";
import { countBundles, resolvePart, stockIdOfPart } from "../products/bundle.ts";
import { stockIdsOf, type BundlePart, type ProductRecord, type StockRecord } from "../products/schema.ts";
import { findPriorPrice } from "../prices/prior-price.ts";
import type { PriceRecord } from "../prices/schema.ts";
import { type Rating, toRating } from "../reviews/rating.ts";
import type { RatingRecord } from "../reviews/schema.ts";

export interface CatalogueItem {
  /** Its place in the sets of the projection. */
  readonly place: number;
  readonly product: ProductRecord;
  /** The lowest price at which it can be had: that of its cheapest variant. */
  readonly price: number;
  /** Units that can be ordered, by variant, in the order of the variants; one entry without variants; Infinity when unlimited. */
  readonly available: readonly number[];
  /** The lowest price of the 30 days before its reduction, by variant like `available`; undefined or nothing without one. */
  readonly lowestPrices: readonly (number | undefined)[];
  readonly totalAvailable: number;
  /** Whether the smallest quantity that may be ordered is there. */
  readonly isInStock: boolean;
  /** Units of paid orders. */
  readonly sold: number;
  readonly views: number;
  /** Of its published reviews, whether or not the shop shows them. */
  readonly rating: Rating | undefined;
  readonly publishedAt: number;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}

type Priced = Pick<ProductRecord, "price" | "compareAtPrice">;

/** Whether a price is struck through beside what this costs. */
function isReduced({ price, compareAtPrice }: Priced, product: ProductRecord): boolean {
  const compareAt = compareAtPrice ?? product.compareAtPrice;
  return compareAt !== undefined && compareAt > price;
}

/** Of products without a reduced price, which most are. */
const NO_PRICES: readonly undefined[] = [];

/** The price to show beside each one that is struck through. Where nothing is known, what it costs has been its lowest. */
function toLowestPrices(
  product: ProductRecord,
  pricesOf: (id: string) => PriceRecord | undefined,
): readonly (number | undefined)[] {
  const sold = product.variants.length === 0 ? [product] : product.variants;
  if (!sold.some((one) => isReduced(one, product))) return NO_PRICES;
  return sold.map((one) => {
    if (!isReduced(one, product)) return undefined;
    const record = pricesOf(one.id);
    return (record === undefined ? undefined : findPriorPrice(record.points)) ?? one.price;
  });
}

function toUnits(product: ProductRecord, record: StockRecord | undefined): number {
  if (lacksSecret(product)) return 0;
  if (product.stockMode === "unlimited") return Number.POSITIVE_INFINITY;
  return record === undefined ? 0 : record.onHand - record.reserved;
}

function toPartUnits(
  part: BundlePart,
  { currency }: ProductRecord,
  {
    stockOf,
    productOf,
  }: {
    readonly stockOf: (id: string) => StockRecord | undefined;
    readonly productOf: (id: string) => ProductRecord | undefined;
  },
): number {
  const found = resolvePart(part, productOf(part.productId), currency);
  return typeof found === "string" ? 0 : toUnits(found.product, stockOf(stockIdOfPart(part)));
}

/** Creates an item; `stockOf` finds a stock record, `pricesOf` what it has cost. */
export function toItem({
  place,
  product,
  stockOf,
  productOf,
  pricesOf,
  views,
  rating,
}: Pick<CatalogueItem, "place" | "product" | "views"> & {
  readonly rating?: RatingRecord | undefined;
  readonly stockOf: (id: string) => StockRecord | undefined;
  /** For the parts of a bundle. */
  readonly productOf: (id: string) => ProductRecord | undefined;
  readonly pricesOf: (id: string) => PriceRecord | undefined;
}): CatalogueItem {
  const records = stockIdsOf(product).map((id) => stockOf(id));
  const { parts } = product;
  const available =
    parts === undefined
      ? records.map((record) => toUnits(product, record))
      : [countBundles(parts, (part) => toPartUnits(part, product, { stockOf, productOf }))];
  const totalAvailable = sum(available);
  return {
    place,
    product,
    price:
      product.variants.length === 0 ? product.price : Math.min(...product.variants.map(({ price }) => price)),
    available,
    lowestPrices: toLowestPrices(product, pricesOf),
    totalAvailable,
    isInStock: totalAvailable >= product.minQuantity,
    sold: sum(records.map((record) => record?.sold ?? 0)),
    views,
    rating: toRating(rating),
    publishedAt: product.publishedAt ?? product.createdAt,
  };
}
