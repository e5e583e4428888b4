/** A product as the beginning of another one. */
import type { ReadTx } from "../../store/store.ts";
import type { ProductFields, WholeProduct } from "./change-schema.ts";
import { products } from "./records.ts";
import type { ProductRecord } from "./schema.ts";

const MAX_TITLE = 200;

/** "Mug" → "Mug (2)", "Mug (2)" → "Mug (3)". */
export function toCopyTitle(title: string): string {
  const [, base = title, number = "1"] = /^(.*?)(?: \((\d{1,4})\))?$/su.exec(title) ?? [];
  const end = ` (${Number(number) + 1})`;
  return base.slice(0, MAX_TITLE - end.length) + end;
}

/** The fields of a copy: everything but its URL, units, keys, files and sales; it is a draft. */
export function toCopyFields(product: ProductRecord): WholeProduct & ProductFields {
  const { title, summary, description, categoryId, tags, price, compareAtPrice, sku, stockMode } = product;
  const { minQuantity, maxQuantity, maxPerCustomer, deliveryType, taxClass, weightGrams, inputs } = product;
  const { instructions, translations, sortOrder, excludedFromWithdrawal, relatedIds } = product;
  return {
    status: "draft",
    title: toCopyTitle(title),
    summary,
    description,
    categoryId,
    tags,
    price,
    compareAtPrice,
    tierPrices: product.tierPrices,
    payWhatYouWant: product.payWhatYouWant,
    parts: product.parts,
    sku,
    stockMode,
    minQuantity,
    maxQuantity,
    maxPerCustomer,
    deliveryType,
    taxClass,
    weightGrams,
    inputs,
    instructions,
    translations,
    sortOrder,
    excludedFromWithdrawal,
    relatedIds,
    collectionIds: product.collectionIds,
    lowStockThreshold: product.lowStockThreshold,
    license: product.license,
    variants: product.variants.map(({ id: _id, imageHash: _hash, ...variant }) => variant),
  };
}

/** The related products that are still there: a new product may name no other ones. */
export async function keepRelated(
  tx: ReadTx,
  relatedIds: readonly string[] | undefined,
): Promise<string[] | undefined> {
  const kept: string[] = [];
  for (const id of relatedIds ?? []) if ((await tx.get(products, id)) !== undefined) kept.push(id);
  return kept.length === 0 ? undefined : kept;
}
