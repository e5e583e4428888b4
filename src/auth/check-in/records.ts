import { defineCollection } from "../../store/store.ts";
import { checkInRecordSchema } from "./schema.ts";

export const checkIns = defineCollection({
  name: "checkIns",
  revision: 1,
  schema: checkInRecordSchema,
  ordered: { byUserDay: ["userId", "day"], byDay: ["day"] },
});
