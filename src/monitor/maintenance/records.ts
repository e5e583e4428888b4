/** The collection of planned maintenance. */
import { defineCollection } from "../../store/store.ts";
import { maintenanceRecordSchema } from "./schema.ts";

export const maintenances = defineCollection({
  name: "maintenances",
  revision: 1,
  schema: maintenanceRecordSchema,
});
