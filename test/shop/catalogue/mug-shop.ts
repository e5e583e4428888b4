/** A shop with three mugs and a draft, for the suites of the catalogue's routes. */
import type { Variant } from "../../../src/shop/products/schema.ts";
import { type TestShop, createTestShop, read } from "../app-fixture.ts";
import { addProduct } from "./products.ts";

/** An answer, as far as suites look at it. */
export interface ProductBody {
  readonly id: string;
  readonly title: string;
  readonly price: number;
  readonly stock?: object;
  readonly variants: readonly { readonly stock?: object }[];
  readonly [member: string]: unknown;
}

/** An answer, as far as suites look at it. */
export interface ListBody {
  readonly items: readonly ProductBody[];
  readonly nextCursor?: string;
}

/** The list for a query such as "?q=mug". */
export const list = async (shop: TestShop, query = ""): Promise<ListBody> =>
  read<ListBody>(await shop.send("GET", `/api/products${query}`));

const variant = (id: string, price: number): Variant => ({
  id,
  sku: `SKU-${id}`,
  price,
  options: { size: id },
});

/** Three mugs and a draft. */
export async function createMugShop(): Promise<TestShop> {
  const shop = await createTestShop();
  await addProduct(shop.store, "red", {
    title: "Red mug",
    price: 900,
    tags: ["Kitchen"],
    categoryId: "mugs",
    sold: 5,
  });
  await addProduct(shop.store, "tea", {
    title: "Tea bowl",
    summary: "From Kyōto",
    translations: { ja: { title: "茶碗" }, de: { title: "Teeschale", description: "Aus Ton" } },
    description: "Of clay",
    categoryId: "bowls",
    variants: [variant("tea-s", 2_000), variant("tea-l", 1_500)],
    onHand: 2,
  });
  await addProduct(shop.store, "none", { title: "Sold out mug", price: 100, onHand: 0, categoryId: "cups" });
  await addProduct(shop.store, "draft", { title: "Draft mug", status: "draft" });
  return shop;
}
