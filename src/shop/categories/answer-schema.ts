/** Categories and collections as administrators see them. */
import { z } from "@hono/zod-openapi";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";
import { adminImageSchema } from "../products/answer-schema.ts";
import {
  categoryRecordSchema,
  collectionRecordSchema,
  collectionRuleSchema,
  shownWordsSchema,
} from "./schema.ts";

const shownView = {
  translations: z.record(z.string(), z.object(shownWordsSchema.shape)),
  image: adminImageSchema.optional(),
  createdAt: isoTimeSchema,
  updatedAt: isoTimeSchema,
};

/** A category with all its fields. */
export const adminCategorySchema = categoryRecordSchema.extend(shownView).openapi("AdminCategory");
export type CategoryView = z.infer<typeof adminCategorySchema>;
export const adminCategoriesSchema = z
  .object({ items: z.array(adminCategorySchema) })
  .openapi("AdminCategories");
export type CategoryList = z.infer<typeof adminCategoriesSchema>;

/** A collection with all its fields. */
export const adminCollectionSchema = collectionRecordSchema
  .omit({ productOrder: true })
  .extend({
    ...shownView,
    rule: z
      .object({ ...collectionRuleSchema.shape, inStock: z.boolean(), sort: z.string(), limit: z.int() })
      .optional()
      .openapi({ description: "Rule that chooses the products; absent for manual collections" }),
    productIds: z.array(z.string()).optional().openapi({
      description: "Product IDs of a manual collection, in order; only when a single collection is requested",
    }),
  })
  .openapi("AdminCollection");
export type CollectionView = z.infer<typeof adminCollectionSchema>;
export const adminCollectionsSchema = z
  .object({ items: z.array(adminCollectionSchema) })
  .openapi("AdminCollections");
export type CollectionList = z.infer<typeof adminCollectionsSchema>;
