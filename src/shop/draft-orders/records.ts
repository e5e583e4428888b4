import { defineCollection } from "../../store/store.ts";
import { draftRecordSchema } from "./schema.ts";

export const draftOrders = defineCollection({
  name: "draftOrders",
  revision: 1,
  schema: draftRecordSchema,
  unique: { byNumber: ["number"] },
  ordered: { byUpdated: ["updatedAt"], byState: ["state", "updatedAt"] },
});
