/** Planned maintenance: windows as an administrator sets them, and how they look in the store. */
import { z } from "zod";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";
import { timeMs, timeZone, trimmedLine } from "../../kit/text/schemas.ts";
import { isCron } from "../../kit/time/cron.ts";
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

const zone = timeZone.optional().describe("Time zone of the times; absent: that of the settings");

/** Longest distance between the day on which a window begins and the one on which it ends. */
export const MAX_DAYS_LATER = 27;

const times = {
  from: timeOfDay.describe("Start time"),
  to: timeOfDay.describe("End time. If it is not after `from`, it is on the next day"),
  daysLater: z
    .number()
    .int()
    .min(0)
    .max(MAX_DAYS_LATER)
    .optional()
    .describe("Days between the start day and the end day, such as 2 for Friday to Sunday; absent: 0 or 1"),
  timeZone: zone,
};

interface Times {
  readonly from: string;
  readonly to: string;
  readonly daysLater?: number | undefined;
}

/** Without `daysLater`, a whole day is 24 hours from the next day on: that must be said. */
function endsLater({ from, to, daysLater }: Times): boolean {
  if (daysLater === undefined) return from !== to;
  return daysLater > 0 || from < to;
}
const notLater = { path: ["to"], message: "must differ from the start, and be after it on the same day" };

const weekday = z.number().int().min(1).max(7);

export const weeklySchema = z
  .strictObject({
    type: z.literal("weekly"),
    days: z.array(weekday).min(1).max(7).describe("1 is Monday, 7 is Sunday"),
    ...times,
  })
  .refine(endsLater, notLater);

const monthlySchema = z
  .strictObject({
    type: z.literal("monthly"),
    on: z
      .union([
        z.strictObject({ day: z.number().int().min(1).max(31).or(z.literal("last")) }),
        z.strictObject({ week: z.number().int().min(1).max(4).or(z.literal("last")), weekday }),
      ])
      .describe("A day of the month, which shorter months lack, or a weekday such as the second Tuesday"),
    ...times,
  })
  .refine(endsLater, notLater);

export const cronSchema = z.strictObject({
  type: z.literal("cron"),
  expression: trimmedLine(100)
    .refine(isCron, 'must be five fields of a crontab that come at some time, or "@daily" and its like')
    .describe("When a window begins"),
  minutes: z.number().int().min(1).max(40_320).describe("Length of a window in minutes"),
  timeZone: zone,
});

export const scheduleSchema = z.discriminatedUnion("type", [
  onceSchema,
  weeklySchema,
  monthlySchema,
  cronSchema,
]);
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
  nextFrom: isoTimeSchema
    .optional()
    .describe("Start of the current or next window; absent if there are no more windows"),
  nextTo: isoTimeSchema.optional().describe("End of that window"),
  createdAt: isoTimeSchema,
  updatedAt: isoTimeSchema,
});
export type MaintenanceView = z.infer<typeof maintenanceViewSchema>;
