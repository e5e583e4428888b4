/** Sessions and tokens as people see them. */
import { z } from "zod";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";
import { trimmedLine } from "../../kit/text/schemas.ts";
import { accessTokenRecordSchema, tokenScopes } from "./schema.ts";

export const accessTokenSchema = z.object({
  id: z.string(),
  scope: accessTokenRecordSchema.shape.scope,
  name: z.string(),
  createdAt: isoTimeSchema,
  expiresAt: isoTimeSchema.optional().describe("Expiry time. Absent: valid until deleted"),
  lastUsedAt: isoTimeSchema.optional().describe("Time of the last use, accurate to five minutes"),
});
export type AccessTokenView = z.infer<typeof accessTokenSchema>;

/** Body that creates a token. */
export const newAccessTokenSchema = z.strictObject({
  scope: z
    .enum(tokenScopes)
    .describe('"view": a link that shows the site to anyone who has it; "metrics": only for GET /metrics'),
  name: trimmedLine(100),
  expiresAt: z.iso.datetime({ offset: true }).optional().describe("Expiry time. Absent: valid until deleted"),
});

export const madeAccessTokenSchema = accessTokenSchema.extend({
  token: z.string().describe("Shown only in this response; Trivet stores only a hash"),
  url: z.string().optional().describe("URL of the viewer link"),
});
export type MadeAccessToken = z.infer<typeof madeAccessTokenSchema>;

const rights = ["nothing", "view", "administer"] as const;

export const accessSchema = z.object({
  right: z.enum(rights).describe("Access right of the caller"),
  isPrivate: z.boolean().describe("Whether the site is visible only to signed-in users"),
  accounts: z.boolean().describe("Whether sign-in with an account of the auth center is available"),
  way: z
    .enum(["page", "form", "away"])
    .describe(
      "How to sign in: GET /sign-in, POST /api/access/session, or unavailable while the auth center does not respond",
    ),
  centerUrl: z.string().optional().describe("URL of the auth center for the caller, if known"),
});
export type AccessView = z.infer<typeof accessSchema>;

const signedInSchema = z.object({
  status: z.literal("signed_in"),
  right: z.enum(["view", "administer"]),
  name: z.string(),
  expiresAt: isoTimeSchema,
});
const challengeSchema = z.object({
  status: z.literal("mfa_required"),
  challengeId: z.string(),
  methods: z.array(z.string()),
});
export const accountAnswerSchema = z.union([signedInSchema, challengeSchema]);
/** Response to a sign-in with an account. */
export type AccountAnswerView = z.infer<typeof accountAnswerSchema>;
