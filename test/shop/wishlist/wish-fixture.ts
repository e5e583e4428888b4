/** A product that can be wished for. */
import type { ProductRecord } from "../../../src/shop/products/schema.ts";
import { products, stock } from "../../../src/shop/products/records.ts";
import type { TestShop } from "../app-fixture.ts";

/** Puts a published product, with its variants' stock, in the store. */
export async function addProduct(
  app: TestShop,
  fields: Partial<ProductRecord> = {},
  onHand = 5,
): Promise<void> {
  const id = fields.id ?? "prd_1";
  const variants = fields.variants ?? [];
  await app.store.transact(async (tx) => {
    await tx.insert(products, {
      slug: id.replace("_", "-"),
      status: "published",
      title: "Mug",
      summary: "",
      description: "",
      images: [],
      tags: [],
      price: 500,
      currency: "EUR",
      sku: "",
      variants,
      stockMode: "tracked",
      minQuantity: 1,
      maxQuantity: 10,
      deliveryType: "manual",
      inputs: [],
      instructions: "",
      translations: {},
      sortOrder: 0,
      createdAt: 1,
      updatedAt: 1,
      ...fields,
      id,
    });
    for (const stockId of variants.length === 0 ? [id] : variants.map((variant) => variant.id))
      await tx.insert(stock, { id: stockId, productId: id, onHand, reserved: 0, sold: 0 });
  });
}
