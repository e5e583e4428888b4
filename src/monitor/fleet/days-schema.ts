/** The days of servers as answers have them: traffic, and shares of the watched minutes. */
import { z } from "zod";
import { serverIdSchema } from "../base/schema.ts";

const count = z.number().int().min(0);
const date = z.iso.date();
const ratio = z.number().min(0).max(1).nullable();

export const daysSchema = z.object({
  timeZone: z.string().describe("Time zone of the server, which defines the days"),
  days: z
    .array(z.object({ date, rxBytes: count, txBytes: count, upMinutes: count, knownMinutes: count }))
    .describe("The days, oldest first, ending today. `knownMinutes` is 0 on days without monitoring"),
});

export const uptimeSchema = z.object({
  servers: z
    .array(
      z.object({
        id: serverIdSchema,
        timeZone: z.string().describe("Time zone of the server, which defines the days"),
        days: z
          .array(ratio)
          .describe("Uptime per day, oldest first, ending today in the server's time zone; null: unknown"),
        ratio: ratio.describe("Uptime over all these days"),
        knownMinutes: count.describe("Monitored minutes over all these days"),
      }),
    )
    .describe("The visible servers in display order"),
  from: date,
  to: date.describe("The current day in UTC"),
});

export type ServerDays = z.infer<typeof daysSchema>;
export type UptimeDays = z.infer<typeof uptimeSchema>;
