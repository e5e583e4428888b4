import { defineCollection } from "../../store/store.ts";
import { codeRecordSchema } from "./schema.ts";

export const codes = defineCollection({
  name: "codes",
  revision: 2,
  schema: codeRecordSchema,
  ordered: { byExpiresAt: ["expiresAt"] },
});
