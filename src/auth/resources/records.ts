import { defineCollection } from "../../store/store.ts";
import { resourceRecordSchema } from "./schema.ts";

/** Where applications act for people, besides the install's own services. */
export const resources = defineCollection({
  name: "resources",
  revision: 1,
  schema: resourceRecordSchema,
  unique: { byIdentifier: ["identifier"] },
});
