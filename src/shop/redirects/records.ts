import { defineCollection } from "../../store/store.ts";
import { redirectRecordSchema } from "./schema.ts";

export const redirects = defineCollection({
  name: "redirects",
  revision: 1,
  schema: redirectRecordSchema,
  ordered: { byProduct: ["productId"], byImport: ["importId"] },
});
