/**
 * How usage is stored: in the store, a record per server and month, and one bookmark per server; and the part of the
 * sample log's checkpoint. Days are short tuples, because a fleet has many.
 */
import { z } from "zod";
import { timeMs } from "../../kit/text/schemas.ts";
import { serverIdSchema } from "../base/schema.ts";

const whole = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const dayNumber = z.number().int();

/** A bookmark; see `TrafficCounter`. */
export const trafficCounterSchema = z.object({
  countedAt: timeMs,
  rx: whole.optional(),
  tx: whole.optional(),
});

/** Day, bytes received, bytes sent, minutes up, minutes known. */
export const dayTupleSchema = z.tuple([dayNumber, whole, whole, whole, whole]);
export type DayTuple = z.infer<typeof dayTupleSchema>;

export const monthRecordSchema = z.object({
  /** `web-1:2026-11`. */
  id: z.string(),
  version: z.number().int(),
  serverId: serverIdSchema,
  /** `2026-11`. */
  month: z.string(),
  /** In order; the day is that of the month, 1 to 31. */
  days: z.array(dayTupleSchema),
  /** The bookmark when this was written; only in records from before there was a separate collection. */
  counter: trafficCounterSchema.optional(),
});
export type MonthRecord = z.infer<typeof monthRecordSchema>;

/** Origin, minutes up, minutes known. */
const minuteMarkTuple = z.tuple([z.string(), whole, whole]);

/** The bookmark of a server: the months contain exactly what was counted up to here. */
export const bookmarkRecordSchema = z.object({
  /** The server's id. */
  id: serverIdSchema,
  version: z.number().int(),
  counter: trafficCounterSchema.optional(),
  /** The process that counted it. */
  origin: z.string().optional(),
  /** See `Gap`. */
  gaps: z.array(
    z.object({ from: trafficCounterSchema.optional(), to: trafficCounterSchema, day: dayNumber }),
  ),
  /** How far the minutes of each origin are counted, the latest last. */
  minutes: z.array(minuteMarkTuple),
});
export type BookmarkRecord = z.infer<typeof bookmarkRecordSchema>;

/** Order time, received, sent, day, and 1 when others may have taken readings before it. */
const readingTuple = z.tuple([timeMs, whole.nullable(), whole.nullable(), dayNumber, z.literal([0, 1])]);
export type ReadingTuple = z.infer<typeof readingTuple>;

/** A server's data in the checkpoint of the sample log. */
export const usageCheckpointSchema = z.object({
  /** Days as of a counter; only from a version that wrote no readings, until the store has them. */
  counter: trafficCounterSchema.optional(),
  days: z.array(dayTupleSchema),
  /** Order time of the last reading that was taken. */
  lastAt: timeMs.optional(),
  /** Readings that the store may lack. */
  readings: z.array(readingTuple).optional(),
  /** Minutes up and known that were counted before those that the store may lack. */
  minutesFrom: z.tuple([whole, whole]).optional(),
  /** Day, minutes up, minutes known. */
  minutes: z.array(z.tuple([dayNumber, whole, whole])).optional(),
});
export type UsageCheckpoint = z.infer<typeof usageCheckpointSchema>;
