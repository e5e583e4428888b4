/** Products for measurements of the catalogue: words as often and as seldom as in a language, three variants each. */
import { silentLog } from "../../../src/kit/observe/log.ts";
import { products, stock } from "../../../src/shop/products/records.ts";
import { shopCollections } from "../../../src/shop/app/records.ts";
import type { ProductRecord } from "../../../src/shop/products/schema.ts";
import { openJournalStore } from "../../../src/store/journal/journal-store.ts";

const START_MS = Date.UTC(2026, 0, 1);
const PER_TRANSACTION = 500;
const syllables = "ba be bi ko ku la li lo ma me mi no nu ra ri ro sa se si ta te to tu".split(" ");

/** Numbers between 0 and 1 that are the same at each run. */
export function createRandom(seed = 1): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return state / 0x7fff_ffff;
  };
}

function createVocabulary(random: () => number): string[] {
  const syllable = (): string => syllables[Math.floor(random() * syllables.length)] ?? "";
  return Array.from({ length: 8_000 }, () =>
    Array.from({ length: 2 + Math.floor(random() * 3) }, syllable).join(""),
  );
}

const vocabulary = createVocabulary(createRandom(7));

/** A word; few are frequent, many are rare. */
export function pickWord(random: () => number): string {
  return vocabulary[Math.floor(vocabulary.length * random() ** 3)] ?? "";
}

/** Product number `n`. */
export function toProduct(n: number, random: () => number): Omit<ProductRecord, "version"> {
  const id = `prd_${String(n).padStart(8, "0")}`;
  const words = (count: number): string => Array.from({ length: count }, () => pickWord(random)).join(" ");
  const price = 100 + Math.floor(random() * 50_000);
  return {
    id,
    slug: `product-${n}`,
    status: "published",
    title: words(4),
    summary: words(12),
    description: words(80),
    images: [],
    categoryId: `category-${n % CATEGORIES}`,
    tags: [pickWord(random), pickWord(random)],
    price,
    currency: "EUR",
    sku: `SKU-${n}`,
    variants: ["S", "M", "L"].map((size, index) => ({
      id: `${id}-${size}`,
      sku: `SKU-${n}-${size}`,
      options: { size },
      price: price + index * 100,
    })),
    stockMode: "tracked",
    minQuantity: 1,
    maxQuantity: 100,
    deliveryType: "shipping",
    inputs: [],
    instructions: "",
    translations: {},
    sortOrder: 0,
    createdAt: START_MS + n * 1_000,
    updatedAt: START_MS + n * 1_000,
    publishedAt: START_MS + n * 1_000,
  };
}

/** How many categories products are spread over. */
export const CATEGORIES = 50;

/** Fills the folder of a shop's store with products. */
export async function seedCatalogue(folder: string, count: number): Promise<void> {
  const clock = { now: () => Date.now(), monotonic: () => performance.now() };
  const options = { name: "shop", collections: shopCollections, clock, log: silentLog };
  const store = await openJournalStore({ folder, ...options });
  const random = createRandom();
  for (let start = 0; start < count; start += PER_TRANSACTION) {
    const some = Array.from({ length: Math.min(PER_TRANSACTION, count - start) }, (_, i) =>
      toProduct(start + i, random),
    );
    await store.transact(async (tx) => {
      for (const product of some) {
        await tx.insert(products, product);
        for (const { id } of product.variants)
          await tx.insert(stock, { id, productId: product.id, onHand: 1_000_000, reserved: 0, sold: 0 });
      }
    });
  }
  await store.close();
}
