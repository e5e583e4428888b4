import { defineCollection } from "../../store/store.ts";
import { dayViewRecordSchema, catalogueChangeRecordSchema } from "../products/schema.ts";

export const dayViews = defineCollection({ name: "dayViews", revision: 1, schema: dayViewRecordSchema });

export const catalogueChanges = defineCollection({
  name: "catalogueChanges",
  revision: 1,
  schema: catalogueChangeRecordSchema,
  ordered: { byAt: ["at"] },
});
