import { defineCollection } from "../../store/store.ts";
import { priceRecordSchema } from "./schema.ts";

/** What each product and variant has cost. */
export const prices = defineCollection({
  name: "prices",
  revision: 1,
  schema: priceRecordSchema,
  ordered: { byProduct: ["productId"] },
});
