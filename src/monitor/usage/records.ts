import { defineCollection } from "../../store/store.ts";
import { monthRecordSchema, bookmarkRecordSchema } from "./schema.ts";

/** Usage: traffic and uptime by day, a record a server and month. */
export const months = defineCollection({
  name: "months",
  revision: 1,
  schema: monthRecordSchema,
  ordered: { byMonth: ["month"] },
});

/** The bookmarks of usage, one record per server. */
export const bookmarks = defineCollection({
  name: "bookmarks",
  revision: 1,
  schema: bookmarkRecordSchema,
});
