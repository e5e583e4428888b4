/** Emails about checkouts that were not completed, as the store keeps them. */
import { z } from "zod";
import { timeMs } from "../../kit/text/schemas.ts";

/** A consent to one email about one order; removed once it was handled. */
export const reminderRecordSchema = z.object({
  /** The order's. */
  id: z.string(),
  version: z.number().int(),
  /** A keyed hash of the mailbox: no address outlives its order here. */
  mailbox: z.string(),
  dueAt: timeMs,
  createdAt: timeMs,
});
export type ReminderRecord = z.infer<typeof reminderRecordSchema>;

/** A mailbox that unsubscribed; a later consent ends it. */
export const reminderStopSchema = z.object({
  /** The hash of the mailbox. */
  id: z.string(),
  version: z.number().int(),
  at: timeMs,
});
