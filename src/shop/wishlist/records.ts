import { defineCollection } from "../../store/store.ts";
import { wishRecordSchema } from "./schema.ts";

export const wishes = defineCollection({
  name: "wishes",
  revision: 1,
  schema: wishRecordSchema,
  ordered: {
    byUser: ["userId", "addedAt"],
    byProduct: ["productId"],
    byWatched: ["watched", "productId"],
  },
});
