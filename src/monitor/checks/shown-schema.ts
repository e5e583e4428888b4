/** Checks as the dashboard shows them, to visitors and administrators. */
import { z } from "zod";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";
import { checkFaults, checkKinds, checkStates } from "./schema.ts";

/** Since when results are known. */
export const knownSinceSchema: z.ZodOptional<typeof isoTimeSchema> = isoTimeSchema
  .optional()
  .describe("Start of the known results, in the hour or day of the first one; absent without results");
export const percent: z.ZodNullable<z.ZodNumber> = z.number().min(0).max(100).nullable();

/** A check of the dashboard: what visitors see, and what only administrators do. */
export const shownCheckSchema = z.object({
  id: z.string(),
  name: z.string(),
  group: z.string(),
  tags: z.array(z.string()),
  kind: z.enum(checkKinds),
  state: z.enum(checkStates),
  since: isoTimeSchema.describe("Start of the current state"),
  maintenanceUntil: isoTimeSchema
    .optional()
    .describe("End of the current planned maintenance; absent outside a window"),
  latencyMs: z.number().optional().describe("Latest response time in milliseconds"),
  hidden: z.literal(true).optional().describe("Present if the check is visible only to administrators"),
  address: z.string().optional().describe("What is checked, in a few words; only for administrators"),
  fault: z.enum(checkFaults).optional().describe("Why the check is not up; only for administrators"),
  detail: z.string().optional().describe("Details of the fault; only for administrators"),
  members: z
    .object({ total: z.number().int(), down: z.number().int() })
    .optional()
    .describe("Members of a group, and how many of them are down; only for administrators"),
});
export type ShownCheck = z.infer<typeof shownCheckSchema>;

export const shownChecksSchema = z.object({
  items: z.array(shownCheckSchema).describe("The checks by group and name"),
  now: isoTimeSchema,
});
export type ShownChecks = z.infer<typeof shownChecksSchema>;

/** Spans that uptime is shown of: hours of a day, days of a quarter. */
export const uptimeSpans = ["24h", "90d"] as const;
export type UptimeSpan = (typeof uptimeSpans)[number];

const shownUptimeSchema = z.object({
  id: z.string(),
  upPercents: z
    .array(percent)
    .describe("Uptime of each hour or day (UTC), oldest first, ending with the current one; null: unknown"),
  upPercent: percent.describe("Uptime over the whole span"),
  knownSince: knownSinceSchema,
});
export const shownUptimesSchema = z.object({ items: z.array(shownUptimeSchema) });
export type ShownUptimes = z.infer<typeof shownUptimesSchema>;
