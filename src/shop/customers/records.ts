import { defineCollection } from "../../store/store.ts";
import { customerRecordSchema } from "./schema.ts";

export const customers = defineCollection({
  name: "customers",
  revision: 1,
  schema: customerRecordSchema,
  ordered: { byErasing: ["erasing"] },
});
