import { defineCollection } from "../../store/store.ts";
import { signingKeyRecordSchema } from "./schema.ts";

export const signingKeys = defineCollection({
  name: "signingKeys",
  revision: 1,
  schema: signingKeyRecordSchema,
});
