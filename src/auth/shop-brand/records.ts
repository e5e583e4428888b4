import { defineCollection } from "../../store/store.ts";
import { shopBrandRecordSchema } from "./schema.ts";

export const shopBrands = defineCollection({
  name: "shopBrands",
  revision: 1,
  schema: shopBrandRecordSchema,
});
