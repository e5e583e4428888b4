/** How other providers that people sign in by look: what an administrator sets of one, and what is stored of them and of the people who came. */
import { z } from "zod";
import { fieldHints } from "../../kit/text/field-hints.ts";
import { line, timeMs, trimmedLine } from "../../kit/text/schemas.ts";
import { clientIdSchema } from "../base/ledger-schema.ts";
import { type identitySchema } from "../accounts/link-schema.ts";

/** Openid: any provider of OpenID Connect. GitHub has OAuth and a proprietary API. */
export const upstreamKindSchema = z.enum(["openid", "github"]);
export type UpstreamKind = z.infer<typeof upstreamKindSchema>;

/** Of whom the numbers are by which GitHub knows people. */
export const GITHUB_ISSUER = "https://github.com";

/** Client secret and codes go there: in the clear they may go to this machine alone. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  const isHere = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u.test(hostname);
  const isSecret = protocol === "https:" || (protocol === "http:" && isHere);
  return isSecret && username + password + search + hash === "" && !text.endsWith("#") && !text.endsWith("?");
}

const issuerSchema = line(300)
  .refine(isIssuer, {
    error: "must be an https address such as https://accounts.google.com, exactly as the provider states it",
  })
  .register(fieldHints, { keyboard: "url" });

/** RFC 6749 section 3.3. */
const scopeSchema = z
  .string()
  .regex(/^[\u0021\u0023-\u005b\u005d-\u007e]{1,100}$/u, "must not contain spaces");

/** Fields that an administrator sets. */
export const upstreamFieldsSchema = z.strictObject({
  kind: upstreamKindSchema.default("openid"),
  title: trimmedLine(40).describe('Display name, as in "Continue with Google"'),
  clientId: line(500).trim().min(1).describe("Client ID that the provider issued for this auth center"),
  issuer: issuerSchema
    .default(GITHUB_ISSUER)
    .describe("Issuer URL whose discovery document is used; for GitHub always https://github.com"),
  scopes: z
    .array(scopeSchema)
    .max(20)
    .default([])
    .describe("Requested scopes. Empty: openid, profile and email, or their GitHub equivalents"),
  emailAuthoritative: z
    .boolean()
    .default(false)
    .describe(
      "Whether to trust the provider's email_verified claim; otherwise the user receives a verification code by email",
    ),
  registration: z
    .enum(["site", "off"])
    .default("site")
    .describe(
      "Whether new users can register with this provider (as the registration settings allow) or not at all",
    ),
  countsAsSecondFactor: z
    .boolean()
    .default(false)
    .describe(
      "Whether the provider enforces two-factor authentication, so that Trivet does not ask for a verification code",
    ),
  enabled: z.boolean().default(true),
});
export type UpstreamFields = z.infer<typeof upstreamFieldsSchema>;

const { shape } = upstreamFieldsSchema;
const secret = line(2_000).register(fieldHints, { kind: "secret" }).optional();
const secretNote = 'Must be sent again with another kind, issuer or client id; "" removes the stored one';

export const newUpstreamSchema = upstreamFieldsSchema.extend({ id: clientIdSchema, secret });

/** Changes by an administrator, without defaults: omitted members are unchanged. */
export const upstreamChangeSchema = z.strictObject({
  kind: shape.kind.unwrap().optional(),
  title: shape.title.optional(),
  clientId: shape.clientId.optional(),
  issuer: shape.issuer.unwrap().optional(),
  scopes: shape.scopes.unwrap().optional(),
  emailAuthoritative: shape.emailAuthoritative.unwrap().optional(),
  registration: shape.registration.unwrap().optional(),
  countsAsSecondFactor: shape.countsAsSecondFactor.unwrap().optional(),
  enabled: shape.enabled.unwrap().optional(),
  secret: secret.describe(secretNote),
});
export type UpstreamChange = z.infer<typeof upstreamChangeSchema>;

/** A provider's metadata, or why it is unavailable. */
export const upstreamProbeSchema = z.object({
  status: z.enum(["ok", "failed"]),
  reason: z.string().optional(),
  says: z.record(z.string(), z.string()).readonly().optional(),
});
export type UpstreamProbe = z.infer<typeof upstreamProbeSchema>;

export const upstreamRecordSchema = z.object({
  ...upstreamFieldsSchema.shape,
  /** Part of the redirect URI to register at the provider. */
  id: clientIdSchema,
  version: z.number().int(),
  /** Absent for a public client. */
  sealedSecret: z.string().optional(),
  createdAt: timeMs,
  editVersion: z.number().int(),
});
export type UpstreamRecord = z.infer<typeof upstreamRecordSchema>;

/** A provider as answers have it, without its secret. */
export type UpstreamView = UpstreamFields &
  Pick<UpstreamRecord, "id" | "version"> & {
    readonly secretSet: boolean;
    /** The redirect URI to register at the provider. */
    readonly redirectUri: string;
    readonly createdAt: string;
  };
export type Identity = z.infer<typeof identitySchema>;

/** A way to a provider that was gone: the id is the SHA-256 of its `state`, which is good once. */
export const usedStateRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  expiresAt: timeMs,
});
