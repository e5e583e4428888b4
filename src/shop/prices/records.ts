import { defineCollection } from "../../store/store.ts";
import { priceRecordSchema } from "./schema.ts";

/** The prices of each product and variant. */
export const prices = defineCollection({
  name: "prices",
  revision: 1,
  schema: priceRecordSchema,
  ordered: { byProduct: ["productId"] },
});
