import { defineCollection } from "../../store/store.ts";
import { attemptRecordSchema } from "../sessions/schema.ts";

export const attempts = defineCollection({
  name: "attempts",
  revision: 1,
  schema: attemptRecordSchema,
  ordered: { byExpiresAt: ["expiresAt"] },
});
