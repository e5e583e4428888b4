import { defineCollection } from "../../store/store.ts";
import { usedAssertionRecordSchema } from "../machines/schema.ts";

export const usedAssertions = defineCollection({
  name: "usedAssertions",
  revision: 1,
  schema: usedAssertionRecordSchema,
  ordered: { byExpiresAt: ["expiresAt"] },
});
