/** Planned maintenance: windows as an administrator sets them, and how they look in the store. */
import { z } from "zod";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";
import { timeMs, trimmedLine } from "../../kit/text/schemas.ts";
import { scopeSchema } from "../alerts/schema.ts";

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/u, "must be a time of day such as 02:00");

const onceSchema = z
  .strictObject({
    type: z.literal("once"),
    from: z.iso.datetime({ offset: true }),
    to: z.iso.datetime({ offset: true }),
  })
  .refine(({ from, to }) => Date.parse(from) < Date.parse(to), {
    path: ["to"],
    message: "must be after the start",
  });

const weeklySchema = z
  .strictObject({
    type: z.literal("weekly"),
    days: z.array(z.number().int().min(1).max(7)).min(1).max(7).describe("1 is Monday, 7 is Sunday"),
    from: timeOfDay.describe("Start time, in the time zone of the settings"),
    to: timeOfDay.describe("End time. If it is before `from`, it is on the next day"),
  })
  .refine(({ from, to }) => from !== to, { path: ["to"], message: "must differ from the start" });

export const scheduleSchema = z.discriminatedUnion("type", [onceSchema, weeklySchema]);
export type Schedule = z.infer<typeof scheduleSchema>;

export const maintenanceFieldsSchema = z.strictObject({
  name: trimmedLine(100),
  scope: scopeSchema.default({ type: "all" }),
  schedule: scheduleSchema,
});
export type MaintenanceFields = z.infer<typeof maintenanceFieldsSchema>;

export const maintenanceRecordSchema = maintenanceFieldsSchema.extend({
  id: z.string(),
  version: z.number().int(),
  createdAt: timeMs,
  updatedAt: timeMs,
});
export type MaintenanceRecord = z.infer<typeof maintenanceRecordSchema>;

/** The view for administrators. */
export const maintenanceViewSchema = maintenanceRecordSchema.extend({
  activeUntil: isoTimeSchema.optional().describe("End of the current window; absent outside a window"),
  createdAt: isoTimeSchema,
  updatedAt: isoTimeSchema,
});
export type MaintenanceView = z.infer<typeof maintenanceViewSchema>;
