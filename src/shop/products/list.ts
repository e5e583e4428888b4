/** Lists of products for administrators. */
import { AppError } from "../../kit/errors.ts";
import { pagesOf } from "../../store/every-page.ts";
import type { ListOptions, Page, ReadTx } from "../../store/store.ts";
import type { ProductRecord } from "./schema.ts";
import { products } from "../records.ts";

const BATCH = 500;
/** Before the id that a page of a search ended with: cursors of the store's own lists look otherwise. */
const SEARCH_CURSOR = "q:";

export interface ProductQuery {
  readonly status?: ProductRecord["status"] | undefined;
  /** Part of a title, an address or a SKU, in any case. */
  readonly q?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** What texts are compared by. */
function toSearchText(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

function matches(product: ProductRecord, wanted: string): boolean {
  const texts = [product.title, product.slug, product.sku, ...product.variants.map(({ sku }) => sku)];
  return product.id === wanted || texts.some((text) => toSearchText(text).includes(wanted));
}

/** Walks products, the newest first, until the page is full; ids sort by when they were made. */
async function search(tx: ReadTx, query: ProductQuery, q: string): Promise<Page<ProductRecord>> {
  const { status, limit } = query;
  if (query.cursor?.startsWith(SEARCH_CURSOR) === false)
    throw new AppError("bad_request", "The cursor is malformed; start again without it");
  const after = query.cursor?.slice(SEARCH_CURSOR.length);
  const wanted = toSearchText(q);
  const items: ProductRecord[] = [];
  for await (const page of pagesOf(tx, products, { index: "id", reverse: true, pageSize: BATCH })) {
    for (const product of page) {
      if (after !== undefined && product.id >= after) continue;
      if ((status !== undefined && product.status !== status) || !matches(product, wanted)) continue;
      const last = items.at(-1);
      if (items.length === limit && last !== undefined)
        return { items, nextCursor: `${SEARCH_CURSOR}${last.id}` };
      items.push(product);
    }
  }
  return { items };
}

/** A page of products, the newest first. Throws `bad_request` for a cursor of another list. */
export async function listProducts(tx: ReadTx, query: ProductQuery): Promise<Page<ProductRecord>> {
  const { status, limit, cursor } = query;
  const q = query.q?.trim() ?? "";
  if (q !== "") return search(tx, query, q);
  const page: ListOptions = { limit, reverse: true, cursor };
  return status === undefined
    ? tx.list(products, "id", page)
    : tx.list(products, "byStatus", { ...page, prefix: [status] });
}
