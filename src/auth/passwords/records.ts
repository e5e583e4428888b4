import { defineCollection } from "../../store/store.ts";
import { linkRecordSchema } from "../sessions/schema.ts";

export const links = defineCollection({
  name: "links",
  revision: 1,
  schema: linkRecordSchema,
  ordered: { byExpiresAt: ["expiresAt"], byUser: ["userId"] },
});
