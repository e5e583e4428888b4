import { defineCollection } from "../../store/store.ts";
import { licenseSigningKeyRecordSchema } from "./signing-schema.ts";

export const licenseSigningKeys = defineCollection({
  name: "licenseSigningKeys",
  revision: 1,
  schema: licenseSigningKeyRecordSchema,
});
