/** Products and stock for the suites of the catalogue. */
import { products, stock } from "../../../src/shop/products/records.ts";
import type { ProductRecord } from "../../../src/shop/products/schema.ts";
import type { Store } from "../../../src/store/store.ts";
import { START } from "../../support/fixed-clock.ts";

/** A published product without variants; `fields` replace its defaults. */
export function toProduct(
  id: string,
  fields: Partial<Omit<ProductRecord, "id" | "version">> = {},
): Omit<ProductRecord, "version"> {
  return {
    id,
    slug: `slug-${id}`,
    status: "published",
    title: `Product ${id}`,
    summary: "",
    description: "",
    images: [],
    tags: [],
    price: 1_000,
    currency: "EUR",
    sku: "",
    variants: [],
    stockMode: "tracked",
    minQuantity: 1,
    maxQuantity: 10,
    deliveryType: "manual",
    inputs: [],
    instructions: "",
    translations: {},
    sortOrder: 0,
    createdAt: START,
    updatedAt: START,
    publishedAt: START,
    ...fields,
  };
}

/** Stores a product with stock for itself or each of its variants. */
export async function addProduct(
  store: Store,
  id: string,
  fields: Partial<Omit<ProductRecord, "id" | "version">> & { onHand?: number; sold?: number } = {},
): Promise<void> {
  const { onHand = 10, sold = 0, ...rest } = fields;
  const product = toProduct(id, rest);
  const stockIds = product.variants.length === 0 ? [id] : product.variants.map((variant) => variant.id);
  await store.transact(async (tx) => {
    await tx.insert(products, product);
    for (const stockId of stockIds)
      await tx.insert(stock, { id: stockId, productId: id, onHand, reserved: 0, sold });
  });
}

/** Changes some fields of a stored product. */
export async function changeProduct(
  store: Store,
  id: string,
  fields: Partial<Omit<ProductRecord, "id" | "version">>,
): Promise<void> {
  await store.transact(async (tx) => {
    const before = await tx.get(products, id);
    if (before === undefined) throw new Error(`There is no product "${id}"`);
    await tx.put(products, { ...before, ...fields });
  });
}
