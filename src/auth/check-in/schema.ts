import { z } from "zod";
import { daySchema } from "../base/ledger-schema.ts";
import { timeMs } from "../../kit/text/schemas.ts";

/** One check-in; the id is "<userId>:<day>". */
export const checkInRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  userId: z.string(),
  day: daySchema,
  at: timeMs,
  streak: z.number().int().min(1),
  reward: z.number().int(),
  bonus: z.number().int(),
});

export type CheckInRecord = z.infer<typeof checkInRecordSchema>;
