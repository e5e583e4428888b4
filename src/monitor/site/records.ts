import { defineCollection } from "../../store/store.ts";
import { settingsRecordSchema } from "../base/schema.ts";
import { settingsRecordSchema as settingGroupSchema } from "../../records/settings.ts";

export const settings = defineCollection({
  name: "settings",
  revision: 1,
  schema: settingsRecordSchema,
});

/** Groups of settings that hold secrets, apart from those that are shown whole. */
export const settingGroups = defineCollection({
  name: "settingGroups",
  revision: 1,
  schema: settingGroupSchema,
});
