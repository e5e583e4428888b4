import { defineCollection } from "../../store/store.ts";
import { reminderRecordSchema, reminderStopSchema } from "./schema.ts";

export const reminders = defineCollection({
  name: "reminders",
  revision: 1,
  schema: reminderRecordSchema,
  ordered: { byDue: ["dueAt"], byMailbox: ["mailbox", "dueAt"] },
});

export const reminderStops = defineCollection({
  name: "reminderStops",
  revision: 1,
  schema: reminderStopSchema,
});
