import { defineCollection } from "../../store/store.ts";
import { categoryRecordSchema, collectionRecordSchema } from "./schema.ts";

export const categories = defineCollection({
  name: "categories",
  revision: 1,
  schema: categoryRecordSchema,
  ordered: { byParent: ["parentId"] },
});

export const collections = defineCollection({
  name: "collections",
  revision: 1,
  schema: collectionRecordSchema,
});
