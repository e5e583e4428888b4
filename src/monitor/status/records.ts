/** The collections of status pages. */
import { defineCollection } from "../../store/store.ts";
import { postRecordSchema, statusPageRecordSchema } from "./schema.ts";

export const statusPages = defineCollection({
  name: "statusPages",
  revision: 1,
  schema: statusPageRecordSchema,
  unique: { slug: ["slug"] },
});

/** Published incidents and maintenance. */
export const posts = defineCollection({
  name: "posts",
  revision: 1,
  schema: postRecordSchema,
  ordered: {
    byPage: ["pageId", "startedAt"],
    byState: ["pageId", "state", "startedAt"],
    byMaintenance: ["maintenanceId", "plannedFrom"],
  },
});
