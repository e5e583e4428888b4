/** Access settings, and tokens with a single purpose. */
import { z } from "zod";
import { timeMs } from "../../kit/text/schemas.ts";
import type { accessSettingsSchema, accountSchema } from "../base/access-schema.ts";

export type AccessSettings = z.infer<typeof accessSettingsSchema>;

/** The scope of a token: the site for a viewer, or GET /metrics. */
export const tokenScopes = ["view", "metrics"] as const;
export type TokenScope = (typeof tokenScopes)[number];

export const accessTokenRecordSchema = z.object({
  /** SHA-256 of the token, hex. */
  id: z.string().length(64),
  version: z.number().int(),
  scope: z.enum(tokenScopes),
  name: z.string(),
  createdAt: timeMs,
  /** Absent: it counts until it is deleted. */
  expiresAt: timeMs.optional(),
  /** Within five minutes. */
  lastUsedAt: timeMs.optional(),
});
export type AccessTokenRecord = z.infer<typeof accessTokenRecordSchema>;
export type Account = z.infer<typeof accountSchema>;
