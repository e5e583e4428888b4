/** Categories, which form a tree, and collections. Stored records. */
import { z } from "zod";
import { languageTag, slug, text, timeMs, trimmedLine } from "../../kit/text/schemas.ts";
import { amountSchema } from "../base/money-schema.ts";
import { productImageSchema } from "../products/schema.ts";

/** Categories of a shop at most. */
export const MAX_CATEGORIES = 500;
/** Collections of a shop at most. */
export const MAX_COLLECTIONS = 200;
/** Products that a collection shows at most. */
export const MAX_COLLECTED = 500;

/** "hidden": only administrators see it. */
export const shownStatusSchema = z.enum(["published", "hidden"]);

/** Words of another language. */
export const shownWordsSchema = z.strictObject({
  title: trimmedLine(120).optional(),
  description: text(1_000).optional(),
});

/** Common to categories and collections; the ID is part of URLs. */
const shownShape = {
  id: slug,
  version: z.number().int(),
  title: trimmedLine(120),
  description: text(1_000),
  /** Words of other languages, by language tag. */
  translations: z.record(languageTag, shownWordsSchema),
  /** The lower one is shown first; of equal ones the title decides. */
  sortOrder: z.number().int().min(-1_000_000).max(1_000_000),
  status: shownStatusSchema,
  image: productImageSchema.optional(),
  createdAt: timeMs,
  updatedAt: timeMs,
};

export const categoryRecordSchema = z.object({
  ...shownShape,
  /** Another category; absent for one at the top. */
  parentId: slug.optional(),
});
export type CategoryRecord = z.infer<typeof categoryRecordSchema>;

/** In what order a rule's products come. */
export const collectionSorts = ["featured", "newest", "price", "-price", "sold", "views", "title"] as const;

/** Which products a collection has by itself; all that is given must hold. */
export const collectionRuleSchema = z.strictObject({
  /** With all categories below it. */
  categoryId: slug.optional(),
  tag: trimmedLine(60).optional(),
  /** Minor units, inclusive. */
  minPrice: amountSchema.optional(),
  maxPrice: amountSchema.optional(),
  /** Only what can be ordered. */
  inStock: z.boolean().default(false),
  sort: z.enum(collectionSorts).default("newest"),
  /** Products at most. */
  limit: z.number().int().min(1).max(MAX_COLLECTED).default(24),
});

export const collectionRecordSchema = z.object({
  ...shownShape,
  /** Absent: its products were picked by hand, and name it in `collectionIds`. */
  rule: collectionRuleSchema.optional(),
  /** The order of products that were picked; others of them follow, the newest first. */
  productOrder: z.array(z.string().max(80)).max(MAX_COLLECTED),
});
export type CollectionRecord = z.infer<typeof collectionRecordSchema>;

export type ShownRecord = Pick<CategoryRecord, keyof typeof shownShape>;

/** Orders what is shown: by `sortOrder`, then by title, then by id. */
export function compareShown(
  a: Pick<ShownRecord, "sortOrder" | "title" | "id">,
  b: Pick<ShownRecord, "sortOrder" | "title" | "id">,
): number {
  if (a.sortOrder !== b.sortOrder) return a.sortOrder - b.sortOrder;
  if (a.title !== b.title) return a.title < b.title ? -1 : 1;
  return a.id < b.id ? -1 : Number(a.id > b.id);
}
