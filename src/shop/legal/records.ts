import { defineCollection } from "../../store/store.ts";
import { pageVersionRecordSchema } from "./schema.ts";

/** Words of pages as they were, by the version that orders name. */
export const pageVersions = defineCollection({
  name: "pageVersions",
  revision: 1,
  schema: pageVersionRecordSchema,
  ordered: { byPage: ["slug", "pageVersion"] },
});
