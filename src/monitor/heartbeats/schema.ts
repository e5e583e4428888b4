/** Schemas of heartbeats: pings, stored states, and the log of pings. */
import { z } from "zod";
import { line, timeMs } from "../../kit/text/schemas.ts";

/** Of a ping's body and message, this much is kept, bytes of UTF-8. */
export const MAX_BODY_BYTES = 10_000;
/** Runs of one heartbeat that are open at the same time; the oldest goes. */
export const MAX_RUNS = 20;

/** `log` is kept and changes nothing. */
export const signals = ["success", "start", "fail", "log"] as const;
export type Signal = (typeof signals)[number];

/** A run that began and has not ended. `rid` is "" without a run ID. */
const runSchema = z.object({ rid: z.string(), startedAt: timeMs });

/** The state of a heartbeat. One per check, under its ID, from its first ping on; all times by the monitor's clock. */
export const heartbeatStateSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  /** Pings so far; the number of the newest. */
  pings: z.number().int().min(0),
  /** The number of the oldest that is kept, and how many bytes of text are. */
  oldestPing: z.number().int().min(1),
  textBytes: z.number().int().min(0),
  lastPingAt: timeMs,
  /** The newest success or failure. */
  ended: z
    .object({
      at: timeMs,
      isSuccess: z.boolean(),
      exitStatus: z.number().int().optional(),
      runMs: z.number().min(0).optional(),
      /** First line of what it said. */
      note: z.string(),
    })
    .optional(),
  lastSuccessAt: timeMs.optional(),
  /** The oldest first. */
  runs: z.array(runSchema).max(MAX_RUNS),
  /** Absent: as expected. `at`: since when; `dueAt`: what was missed. */
  fault: z
    .object({ name: z.enum(["late", "failed", "overrun"]), at: timeMs, dueAt: timeMs.optional() })
    .optional(),
  /**
   * Pings due before it do not count: the monitor was down, the check was paused or its definition was different.
   * Removed at the next end.
   */
  expectedFrom: timeMs.optional(),
  /** The definition at the last verdict: the target as JSON; and whether it was paused then. */
  definition: z.string(),
  isPaused: z.boolean(),
});
export type HeartbeatState = z.infer<typeof heartbeatStateSchema>;

/** One ping, under the check's id and its number. */
export const pingRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  number: z.number().int().min(1),
  at: timeMs,
  signal: z.enum(signals),
  exitStatus: z.number().int().min(0).max(255).optional(),
  rid: z.string().optional(),
  /** Of the run that it ended, or as the sender said it. */
  runMs: z.number().min(0).optional(),
  method: z.string(),
  clientAddress: z.string(),
  userAgent: line(200),
  /** Invalid UTF-8 and U+0000 are written as "\xff". */
  text: z.string(),
  /** Whether more was sent. */
  isCut: z.boolean(),
});
export type PingRecord = z.infer<typeof pingRecordSchema>;

/** That the monitor is there to take pings; one record. */
export const watchRecordSchema = z.object({ id: z.string(), version: z.number().int(), aliveAt: timeMs });
