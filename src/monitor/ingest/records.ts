import { defineCollection } from "../../store/store.ts";
import { enrolmentRecordSchema } from "../base/schema.ts";

export const enrolments = defineCollection({
  name: "enrolments",
  revision: 1,
  schema: enrolmentRecordSchema,
  ordered: { byExpiresAt: ["expiresAt"] },
});
