import { defineCollection } from "../../store/store.ts";
import { serverRecordSchema } from "../base/schema.ts";

export const servers = defineCollection({
  name: "servers",
  revision: 1,
  schema: serverRecordSchema,
  ordered: { byDisplayOrder: ["displayOrder"] },
});
