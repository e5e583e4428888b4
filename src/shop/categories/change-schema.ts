/** Changes of categories and collections by administrators: all fields, or some. */
import { z } from "zod";
import { slug } from "../../kit/text/schemas.ts";
import {
  categoryRecordSchema,
  collectionRecordSchema,
  collectionRuleSchema,
  MAX_COLLECTED,
} from "./schema.ts";

const MAX_TRANSLATIONS = 50;

const { title, description, translations, sortOrder, status } = categoryRecordSchema.shape;

/** Some fields; what is absent stays as it is. */
const shownChange = {
  title: title.optional(),
  description: description.optional(),
  translations: translations
    .refine(
      (all) => Object.keys(all).length <= MAX_TRANSLATIONS,
      `must have at most ${MAX_TRANSLATIONS} languages`,
    )
    .optional(),
  sortOrder: sortOrder.optional(),
  status: status.optional(),
};

/** A new one: without an id it gets one from its title, and it is published unless it says otherwise. */
const shownNew = { ...shownChange, id: slug.optional(), title };

const parentId = slug.nullable().optional();
export const categoryChangeSchema = z.strictObject({ ...shownChange, parentId });
export type CategoryChange = z.infer<typeof categoryChangeSchema>;
export const newCategorySchema = z.strictObject({ ...shownNew, parentId });
export type NewCategory = z.infer<typeof newCategorySchema>;

const rule = collectionRuleSchema.nullable().optional();
export const collectionChangeSchema = z.strictObject({ ...shownChange, rule });
export type CollectionChange = z.infer<typeof collectionChangeSchema>;
export const newCollectionSchema = z.strictObject({ ...shownNew, rule });
export type NewCollection = z.infer<typeof newCollectionSchema>;

/** Places of all or some, the first one first. A category moves below `parentId` where that is said. */
export const arrangementSchema = z
  .array(z.strictObject({ id: slug, parentId }))
  .min(1)
  .max(500);
export type Arrangement = z.infer<typeof arrangementSchema>;

/** The products of a collection that is picked by hand, in their order. */
export const pickSchema = z.strictObject({
  productIds: collectionRecordSchema.shape.productOrder.max(MAX_COLLECTED),
});
