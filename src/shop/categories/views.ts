/** Categories and collections as administrators see them. */
import { z } from "@hono/zod-openapi";
import { isoTimeSchema, toIsoTime } from "../../kit/text/iso-time.ts";
import { adminImageSchema, toImageView } from "../products/views.ts";
import {
  categoryRecordSchema,
  collectionRecordSchema,
  collectionRuleSchema,
  shownWordsSchema,
  type CategoryRecord,
  type CollectionRecord,
  type ShownRecord,
} from "./schema.ts";

const shownView = {
  translations: z.record(z.string(), z.object(shownWordsSchema.shape)),
  image: adminImageSchema.optional(),
  createdAt: isoTimeSchema,
  updatedAt: isoTimeSchema,
};

/** A category with all its fields. */
export const adminCategorySchema = categoryRecordSchema.extend(shownView).openapi("AdminCategory");
/** A collection with all its fields. */
export const adminCollectionSchema = collectionRecordSchema
  .omit({ productOrder: true })
  .extend({
    ...shownView,
    rule: z
      .object({ ...collectionRuleSchema.shape, inStock: z.boolean(), sort: z.string(), limit: z.int() })
      .optional()
      .openapi({ description: "Absent: its products are picked by hand" }),
    productIds: z
      .array(z.string())
      .optional()
      .openapi({ description: "The products that were picked, in their order; of one collection alone" }),
  })
  .openapi("AdminCollection");

function toShownView({ image, createdAt, updatedAt }: ShownRecord) {
  return {
    image: image && toImageView(image),
    createdAt: toIsoTime(createdAt),
    updatedAt: toIsoTime(updatedAt),
  };
}

export function toCategoryView(record: CategoryRecord): z.infer<typeof adminCategorySchema> {
  return { ...record, ...toShownView(record) };
}

export function toCollectionView(
  { productOrder: _order, ...record }: CollectionRecord,
  productIds?: string[],
): z.infer<typeof adminCollectionSchema> {
  return { ...record, ...toShownView(record), productIds };
}

const shownExample = {
  translations: { de: { title: "Tassen" } },
  sortOrder: 2,
  status: "published" as const,
  version: 3,
  createdAt: "2026-11-20T12:00:00.000+00:00",
  updatedAt: "2026-11-21T09:00:00.000+00:00",
};

/** For the document. */
export const exampleCategory = {
  id: "mugs",
  title: "Mugs",
  description: "",
  parentId: "kitchen",
  ...shownExample,
};
/** For the document. */
export const exampleCollection = {
  id: "best-mugs",
  title: "Our best mugs",
  description: "",
  rule: { categoryId: "mugs", inStock: true, sort: "sold", limit: 12 },
  ...shownExample,
};
