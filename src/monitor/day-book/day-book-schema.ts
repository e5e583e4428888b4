/**
 * How the day book is kept: a record a server and month in the store, and the part of the sample log's
 * checkpoint. Days are short tuples, because a fleet has many.
 */
import { z } from "zod";
import { timeMs } from "../../kit/text-schemas.ts";
import { serverIdSchema } from "../schema.ts";

const whole = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** Where counting stands; see `TrafficCounter`. */
export const trafficCounterSchema = z.object({
  countedAt: timeMs,
  rx: whole.optional(),
  tx: whole.optional(),
  reports: whole,
});

/** Day, bytes received, bytes sent, minutes up, minutes known. */
const dayTuple = z.tuple([z.number().int(), whole, whole, whole, whole]);
export type DayTuple = z.infer<typeof dayTuple>;

export const monthRecordSchema = z.object({
  /** `web-1:2026-11`. */
  id: z.string(),
  version: z.number().int(),
  serverId: serverIdSchema,
  /** `2026-11`. */
  month: z.string(),
  /** In order; the day is that of the month, 1 to 31. */
  days: z.array(dayTuple),
  /** Where counting stood when this was written: the days and the counter belong together. */
  counter: trafficCounterSchema.optional(),
});
export type MonthRecord = z.infer<typeof monthRecordSchema>;

/** What the checkpoint of the sample log keeps of a server. */
export const dayBookPartSchema = z.object({
  counter: trafficCounterSchema.optional(),
  /** Days that the store may lack; the day is its number in the calendar. */
  days: z.array(dayTuple),
});
export type DayBookPart = z.infer<typeof dayBookPartSchema>;
