/** Lists of products for administrators, out of what the catalogue in memory knows of all of them. */
import type { z } from "zod";
import { parseCursor, toCursor } from "../../store/cursor.ts";
import { StoreError } from "../../store/store.ts";
import type { SiteSettings } from "../site/schema.ts";
import { NO_CATEGORY, type productQuerySchema } from "./list-schema.ts";
import type { ProductRecord, StockRecord } from "./schema.ts";

export interface ProductQuery extends z.infer<typeof productQuerySchema> {
  /** Only these. */
  readonly ids?: readonly string[] | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A product with the stock records of what is sold of it. */
export interface ListedProduct {
  readonly product: ProductRecord;
  readonly stock: readonly StockRecord[];
}

/** Facts about all products in memory. */
export interface KnownProducts {
  listProducts(): Iterable<ListedProduct>;
  /** A category with those below it, hidden ones too. */
  categoriesIn(id: string): readonly string[];
  site(): SiteSettings;
}

export interface ListedIds {
  readonly ids: readonly string[];
  readonly nextCursor?: string | undefined;
}

function toSearchText(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

function matchesText(product: ProductRecord, wanted: string): boolean {
  const texts = [product.title, product.slug, product.sku, ...product.variants.map(({ sku }) => sku)];
  return product.id === wanted || texts.some((text) => toSearchText(text).includes(wanted));
}

/** Units of each thing that is sold which can be ordered; none that are counted when unlimited. */
function listUnits({ product, stock }: ListedProduct): number[] {
  return product.stockMode === "unlimited" ? [] : stock.map(({ onHand, reserved }) => onHand - reserved);
}

function matchesStock(listed: ListedProduct, wanted: "low" | "out", site: SiteSettings): boolean {
  const units = listUnits(listed);
  if (wanted === "out") return units.length > 0 && units.every((count) => count === 0);
  const threshold = listed.product.lowStockThreshold ?? site.lowStockThreshold;
  return units.some((count) => count <= threshold);
}

function toFilter(query: ProductQuery, known: KnownProducts): (listed: ListedProduct) => boolean {
  const { status, deliveryType, stock, categoryId, partId } = query;
  const wanted = toSearchText(query.q?.trim() ?? "");
  const within =
    categoryId === undefined || categoryId === NO_CATEGORY
      ? undefined
      : new Set(known.categoriesIn(categoryId));
  const site = known.site();
  const named = query.ids && new Set(query.ids);
  return (listed) => {
    const { product } = listed;
    if (named?.has(product.id) === false) return false;
    if (status !== undefined && product.status !== status) return false;
    if (deliveryType !== undefined && product.deliveryType !== deliveryType) return false;
    if (categoryId === NO_CATEGORY && product.categoryId !== undefined) return false;
    if (within !== undefined && (product.categoryId === undefined || !within.has(product.categoryId)))
      return false;
    if (partId !== undefined && product.parts?.some(({ productId }) => productId === partId) !== true)
      return false;
    if (stock !== undefined && !matchesStock(listed, stock, site)) return false;
    return wanted === "" || matchesText(product, wanted);
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}

type Key = readonly [value: string | number, id: string];

/** The sort key of a product; the ID of the newest is the greatest. */
function toKey(sort: ProductQuery["sort"], listed: ListedProduct): Key {
  const { product, stock } = listed;
  const { id } = product;
  switch (sort) {
    case "newest":
      return ["", id];
    case "updated":
      return [product.updatedAt, id];
    case "title":
    case "-title":
      return [toSearchText(product.title), id];
    case "price":
    case "-price":
      return [product.price, id];
    case "stock":
      return [product.stockMode === "unlimited" ? Number.MAX_SAFE_INTEGER : sum(listUnits(listed)), id];
    case "sold":
      return [sum(stock.map(({ sold }) => sold)), id];
  }
}

const descending: ReadonlySet<ProductQuery["sort"]> = new Set([
  "newest",
  "updated",
  "-title",
  "-price",
  "sold",
]);

function compareKeys(a: Key, b: Key): number {
  if (a[0] !== b[0]) return a[0] < b[0] ? -1 : 1;
  return a[1] < b[1] ? -1 : Number(a[1] > b[1]);
}

function parseKey(cursor: string, index: string): Key {
  const [value, id] = parseCursor(cursor, { index, length: 2 });
  if ((typeof value === "string" || typeof value === "number") && typeof id === "string") return [value, id];
  throw new StoreError("bad_cursor", "The cursor is malformed or belongs to another list");
}

/** A page of the products that the query means. Throws `bad_cursor` for a cursor of another list. */
export function listProductIds(known: KnownProducts, query: ProductQuery): ListedIds {
  const { sort, limit, cursor } = query;
  const index = `products ${sort}`;
  const after = cursor === undefined ? undefined : parseKey(cursor, index);
  const turn = descending.has(sort) ? -1 : 1;
  const isWanted = toFilter(query, known);
  const keys: Key[] = [];
  for (const listed of known.listProducts()) if (isWanted(listed)) keys.push(toKey(sort, listed));
  keys.sort((a, b) => turn * compareKeys(a, b));
  const first = after === undefined ? 0 : keys.findIndex((key) => turn * compareKeys(key, after) > 0);
  const page = first < 0 ? [] : keys.slice(first, first + limit);
  const last = page.at(-1);
  const isEnd = last === undefined || first + limit >= keys.length;
  return {
    ids: page.map(([, id]) => id),
    nextCursor: isEnd ? undefined : toCursor(index, [...last]),
  };
}
