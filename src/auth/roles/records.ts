import { defineCollection } from "../../store/store.ts";
import { roleRecordSchema } from "../base/role-schema.ts";

export const roles = defineCollection({
  name: "roles",
  revision: 1,
  schema: roleRecordSchema,
  unique: { byName: ["nameKey"] },
});
