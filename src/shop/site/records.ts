import { defineCollection } from "../../store/store.ts";
import { settingsRecordSchema } from "../../records/settings.ts";

export const settings = defineCollection({ name: "settings", revision: 1, schema: settingsRecordSchema });
