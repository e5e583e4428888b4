import { defineCollection } from "../../store/store.ts";
import { serverPartsRecordSchema } from "./schema.ts";

/** Which parts each server has, and where their series are. */
export const serverParts = defineCollection({
  name: "serverParts",
  revision: 1,
  schema: serverPartsRecordSchema,
});
