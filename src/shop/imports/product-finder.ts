/** Products and variants as other files name them: by slug, SKU, title, or the ID of the former shop. */
import { pagesOf } from "../../store/every-page.ts";
import type { Tx } from "../../store/store.ts";
import { products } from "../products/records.ts";
import type { ProductRecord } from "../products/schema.ts";
import { importItems } from "./records.ts";

export interface FoundProduct {
  readonly product: ProductRecord;
  readonly variantId: string | undefined;
}

export interface ProductFinder {
  /** The product that a cell names; undefined for none, and for a title that several have. */
  find(name: string, source: string): Promise<FoundProduct | undefined>;
}

function toKey(text: string): string {
  return text.normalize("NFKC").trim().toLowerCase();
}

/** Finds products during one transaction; they are read once, when the first one is needed. */
export function createProductFinder(tx: Tx): ProductFinder {
  let known: Map<string, FoundProduct | undefined> | undefined;

  async function readAll(): Promise<Map<string, FoundProduct | undefined>> {
    const bySku = new Map<string, FoundProduct>();
    const byTitle = new Map<string, FoundProduct | undefined>();
    for await (const page of pagesOf(tx, products, { index: "id" }))
      for (const product of page) {
        const found = { product, variantId: undefined };
        const title = toKey(product.title);
        byTitle.set(title, byTitle.has(title) ? undefined : found);
        if (product.sku !== "") bySku.set(toKey(product.sku), found);
        for (const { id, sku } of product.variants)
          if (sku !== "") bySku.set(toKey(sku), { product, variantId: id });
      }
    return new Map([...byTitle, ...bySku]);
  }

  async function findForeign(name: string, source: string): Promise<FoundProduct | undefined> {
    const range = { prefix: [`${source}:${name}`], limit: 5, reverse: true };
    const { items } = await tx.list(importItems, "byForeign", range);
    for (const { targetId } of items) {
      const product = await tx.get(products, targetId);
      if (product !== undefined) return { product, variantId: undefined };
    }
    return undefined;
  }

  return {
    find: async (name, source) => {
      const slug = name.trim().toLowerCase();
      if (slug === "") return undefined;
      const bySlug = await tx.by(products, "bySlug", [slug]);
      if (bySlug !== undefined) return { product: bySlug, variantId: undefined };
      const foreign = await findForeign(name.trim(), source);
      if (foreign !== undefined) return foreign;
      known ??= await readAll();
      return known.get(toKey(name));
    },
  };
}
