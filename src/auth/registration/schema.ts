import { z } from "zod";
import { timeMs } from "../../kit/text/schemas.ts";

export const inviteRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  /** The first characters of the code, to tell invites apart. */
  prefix: z.string(),
  codeHash: z.string(),
  maxUses: z.number().int().min(1),
  usedCount: z.number().int().min(0),
  expiresAt: timeMs.optional(),
  boundEmail: z.string().optional(),
  /** When it was last mailed to `boundEmail`. */
  mailedAt: timeMs.optional(),
  emailDomains: z.array(z.string()),
  enabled: z.boolean(),
  note: z.string(),
  createdAt: timeMs,
  /** The last hundred uses. */
  uses: z.array(z.object({ userId: z.string(), at: timeMs })).max(100),
});

export type InviteRecord = z.infer<typeof inviteRecordSchema>;
