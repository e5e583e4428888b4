import { defineCollection } from "../../store/store.ts";
import { savedSearchRecordSchema } from "./schema.ts";

export const savedSearches = defineCollection({
  name: "savedSearches",
  revision: 1,
  schema: savedSearchRecordSchema,
  unique: { byName: ["nameKey"] },
  ordered: { inOrder: ["nameKey"] },
});
