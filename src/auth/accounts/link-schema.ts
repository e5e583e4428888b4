import { z } from "zod";
import { clientIdSchema } from "../base/ledger-schema.ts";
import { emailSchema } from "./schema.ts";
import { timeMs } from "../../kit/text/schemas.ts";

/** Identity at a provider: only `issuer` and `subject` identify it; the rest is informational. */
export const identitySchema = z.object({
  upstreamId: clientIdSchema,
  issuer: z.string().max(300),
  /** At most 255 characters (OpenID Connect Core 1.0 section 2). */
  subject: z.string().min(1).max(255),
  email: emailSchema.optional(),
  /** Proved, by the word of a provider whose word counts. */
  isEmailProved: z.boolean(),
  username: z.string().max(100).optional(),
  name: z.string().max(200).optional(),
});

/** Links an account to an identity at a provider. */
export const upstreamLinkRecordSchema = identitySchema
  .pick({ upstreamId: true, issuer: true, subject: true, email: true, username: true })
  .extend({
    id: z.string(),
    version: z.number().int(),
    userId: z.string(),
    createdAt: timeMs,
    lastUsedAt: timeMs.optional(),
  });

export type UpstreamLinkRecord = z.infer<typeof upstreamLinkRecordSchema>;
