/** What the shop itself stores about a customer; everything else is computed from orders. */
import { z } from "zod";
import { text, timeMs } from "../../kit/text/schemas.ts";

/** The id is that of the account, or names a guest's mailbox without saying which. */
export const customerRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  /** For administrators alone. */
  note: text(4_000),
  /** "yes" for one who cannot order. */
  blocked: z.literal("yes").optional(),
  /** "yes" while orders wait for the end of their time, when what is personal goes from them too. */
  erasing: z.literal("yes").optional(),
  /** While `erasing`: by what the orders are found, and until when they were placed. */
  erasingBefore: timeMs.optional(),
  userId: z.string().optional(),
  mailbox: z.string().optional(),
  createdAt: timeMs,
  updatedAt: timeMs,
});
export type CustomerRecord = z.infer<typeof customerRecordSchema>;
