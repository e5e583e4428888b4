/** Responses with lists of checks, and their hourly uptime. */
import { z } from "@hono/zod-openapi";
import { knownSinceSchema, percent } from "./shown-schema.ts";
import { checkViewSchema } from "./view-schema.ts";

/** Checks whose hours are asked for at once. */
export const MAX_HOURS_CHECKS = 200;

const checkHoursSchema = z.object({
  id: z.string(),
  upPercents: z
    .array(percent)
    .describe(
      "Uptime of the last 24 hours, oldest first, ending with the current hour; null for hours without results",
    ),
  knownSince: knownSinceSchema,
});
export const checkHoursListSchema = z.object({ items: z.array(checkHoursSchema) });
export type CheckHoursList = z.infer<typeof checkHoursListSchema>;

const countsSchema = z.object({
  up: z.number().int(),
  down: z.number().int(),
  partial: z.number().int(),
  unknown: z.number().int(),
  paused: z.number().int(),
});
export const checkListSchema = z.object({
  items: z.array(checkViewSchema),
  nextCursor: z.string().optional(),
  counts: countsSchema.openapi({
    description: "Counts over all checks that match the filters, regardless of their state",
  }),
});
export type CheckList = z.infer<typeof checkListSchema>;
