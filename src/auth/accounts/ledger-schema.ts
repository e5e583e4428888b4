import { z } from "zod";
import { timeMs } from "../../kit/text/schemas.ts";
import { daySchema } from "../base/ledger-schema.ts";
import { amrSchema } from "../base/amr.ts";

/** That an application used an account; the id is "<userId>:<clientId>". */
export const accessRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  userId: z.string(),
  clientId: z.string(),
  firstAt: timeMs,
  lastAt: timeMs,
  /** All uses ever. */
  count: z.number().int(),
  /** Uses on each of the last 30 days with any, oldest first; days in UTC. */
  days: z.array(z.object({ day: daySchema, count: z.number().int() })).max(30),
});

export type AccessRecord = z.infer<typeof accessRecordSchema>;

/** Something that an owner wants to know of their account. */
export const eventRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  userId: z.string(),
  at: timeMs,
  /** Such as "sign-in", "password-changed", "refresh-reused". */
  kind: z.string(),
  clientId: z.string(),
  ipPrefix: z.string(),
  userAgent: z.string(),
  sessionId: z.string().optional(),
  amr: z
    .array(amrSchema)
    .optional()
    .describe("How the person signed in, or verified who they are (RFC 8176)"),
});

export type EventRecord = z.infer<typeof eventRecordSchema>;
