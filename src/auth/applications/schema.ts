/** How a registered application looks: what an administrator sets of it, and what is stored. */
import { fieldHints } from "../../kit/text/field-hints.ts";
import { z } from "zod";
import { classifyAddress } from "../../kit/outbound/allowed-networks.ts";
import { line, timeMs, trimmedLine } from "../../kit/text/schemas.ts";
import { MAX_GROUPS, clientIdSchema, groupIdSchema } from "../base/ledger-schema.ts";
import { templatesSchema } from "../claims/schema.ts";
import { policyChangeSchema, policySchema } from "../base/policy-schema.ts";
import { adminScopes } from "../../records/rights/scopes.ts";
import { requestableSchema } from "../resources/schema.ts";
import { MAX_URL, isRedirectAddress, redirectAddress } from "./redirect-uri.ts";

const MAX_ADDRESSES = 20;

const webUrl = line(MAX_URL)
  .pipe(z.url({ protocol: /^https?$/u, error: "must be an address such as https://example.org" }))
  .register(fieldHints, { keyboard: "url" });

function isOrigin(text: string): boolean {
  return /^https?:\/\//u.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

/** Scheme, host and port of a site, in the form in which browsers write it. */
export const originSchema = line(300).refine(isOrigin, {
  error: "must be an origin such as https://notes.example.org, in small letters and without a path",
});

/** Names that only a network of one's own knows: without a dot, or below a suffix that the web has not. */
const LOCAL_NAME = /^(?:[^.]+|.+\.(?:localhost|local|lan|internal|home\.arpa))$/u;

/** Whether the center may call it: with TLS, or on this machine and in the own network. */
function isBackchannelUri(text: string): boolean {
  if (!isRedirectAddress(text)) return false;
  const { protocol, hostname } = new URL(text);
  if (protocol !== "http:") return protocol === "https:";
  const bare = hostname.replace(/^\[|\]$/gu, "");
  return classifyAddress(bare) === "private" || (LOCAL_NAME.test(hostname) && !hostname.startsWith("["));
}

const backchannelLogoutUri = line(MAX_URL).refine(isBackchannelUri, {
  error: "must be an https address without a fragment; http only on this machine or in your own network",
});

/** OpenID Connect Core 1.0 section 15.1 wants RS256 everywhere; the others are shorter (RFC 7518, RFC 8037). */
const idTokenAlgorithmSchema = z.enum(["RS256", "ES256", "EdDSA"]);
export type SigningAlgorithm = z.infer<typeof idTokenAlgorithmSchema>;
export const signingAlgorithms = idTokenAlgorithmSchema.options;

const publicKeySchema = z
  .record(z.string().max(40), z.string().or(z.array(z.string())))
  .refine(({ kty }) => kty === "RSA" || kty === "EC" || kty === "OKP", {
    error: "must be a JSON Web Key with kty RSA, EC or OKP",
  })
  .refine((key) => !["d", "p", "q", "k"].some((name) => name in key), {
    error: "must be a public key: remove its private members, and keep the private key in the application",
  })
  .refine((key) => JSON.stringify(key).length <= 4_000, {
    error: "must not be longer than 4,000 characters",
  });

/** Public keys (RFC 7517 section 5). */
const keySetSchema = z.strictObject({ keys: z.array(publicKeySchema).max(10) });

/** Where keys are fetched: https, so that nobody on the way gives others. */
const keySetUri = line(MAX_URL).pipe(
  z.url({
    protocol: /^https$/u,
    error: "must be an https address such as https://app.example.org/jwks.json",
  }),
);

/** What an administrator sets. */
export const clientFieldsSchema = z.strictObject({
  name: trimmedLine(100),
  /** What a JWT's `aud` may hold (a StringOrURI, RFC 7519 section 2). */
  audiences: z
    .array(
      z.string().regex(/^[\u0021-\u007e]{1,200}$/u, "must be 1 to 200 characters of ASCII without spaces"),
    )
    .max(MAX_ADDRESSES)
    .default([])
    .describe("Audiences for which it may have JWTs made"),
  logoUrl: webUrl.or(z.literal("")).default("").describe("A picture of it"),
  launchUrl: webUrl.or(z.literal("")).default("").describe("Where people open it"),
  redirectUris: z
    .array(redirectAddress)
    .max(MAX_ADDRESSES)
    .default([])
    .describe(
      "Where people may be sent after signing in: exactly these addresses, with any port on the person's own machine. Schemes of apps such as com.example.app:/callback or oc://android.opencloud.eu are fine; wildcards are not",
    ),
  postLogoutRedirectUris: z
    .array(redirectAddress)
    .max(MAX_ADDRESSES)
    .default([])
    .describe("Where people may be sent after signing out; exactly these"),
  protectedOrigins: z
    .array(originSchema)
    .max(MAX_ADDRESSES)
    .default([])
    .describe("Sites that a proxy protects by asking GET /api/auth/forward/{application}"),
  allowedGroups: z
    .array(groupIdSchema)
    .max(MAX_GROUPS)
    .default([])
    .describe("Who may use it: members of any of these; empty: everybody with an account"),
  clientType: z
    .enum(["confidential", "public"])
    .default("confidential")
    .describe("Public: it runs in browsers or on people's machines, where no secret stays one, and has none"),
  requirePkce: z
    .boolean()
    .default(true)
    .describe("Off only for a program that cannot do it: a stolen code then opens its sign-in elsewhere"),
  idTokenAlgorithm: idTokenAlgorithmSchema.default("RS256").describe("What its ID tokens are signed with"),
  claimsInIdToken: z
    .boolean()
    .default(false)
    .describe(
      "Its ID tokens contain the name, email address and groups that its scopes open; off for a program that asks /oauth/userinfo and wants small tokens",
    ),
  consent: z
    .enum(["never", "once", "always"])
    .default("never")
    .describe(
      "Whether people are asked before it gets what it asks for. Never: an administrator vouches for it; a public one on people's machines is asked about once all the same",
    ),
  deviceFlow: z
    .boolean()
    .default(false)
    .describe("It may sign in by a code that people type on another device (RFC 8628)"),
  accessTokenFormat: z
    .enum(["opaque", "jwt"])
    .default("opaque")
    .describe("jwt: access tokens that services check by the key set, without asking here (RFC 9068)"),
  resources: requestableSchema
    .default([])
    .describe(
      'Where it may act for a person, and what it may request there: "auth", "shop", "monitor", or the identifier of a registered resource, each with scopes',
    ),
  requirePushedRequests: z
    .boolean()
    .default(false)
    .describe("Its authorization requests must come by /oauth/par (RFC 9126), not in the browser's address"),
  machineScopes: z
    .array(z.enum(adminScopes))
    .max(adminScopes.length)
    .default([])
    .describe(
      "Administrative scopes that it gets in its own name by client_credentials, without a person; empty: it may not",
    ),
  tokenEndpointAuthMethod: z
    .enum(["client_secret", "private_key_jwt"])
    .default("client_secret")
    .describe(
      "private_key_jwt: it proves who it is with a key of its own (RFC 7523), and its secret counts for nothing",
    ),
  jwks: keySetSchema
    .default({ keys: [] })
    .describe("Its public keys for private_key_jwt, where it publishes none"),
  jwksUri: keySetUri.or(z.literal("")).default("").describe("Where it publishes them, which wins over jwks"),
  backchannelLogoutUri: backchannelLogoutUri
    .or(z.literal(""))
    .default("")
    .describe("Where it is told of sign-outs (OpenID Connect Back-Channel Logout 1.0)"),
  claims: templatesSchema
    .default({})
    .describe(
      "Claims that it gets with the scope profile, by name: texts such as {{user.email}}, {{user.claims.quota}} or fixed ones. Claims of accounts and their groups come by themselves",
    ),
  policy: policySchema
    .optional()
    .describe(
      "What a sign-in must meet, and how long tokens live; the site's policy applies to what is left out",
    ),
});
export type ClientFields = z.infer<typeof clientFieldsSchema>;

const { shape } = clientFieldsSchema;

/** Unlike stored applications without the field, new ones get the claims: many clients read nothing but the ID token. */
export const newClientSchema = clientFieldsSchema.extend({
  id: clientIdSchema,
  claimsInIdToken: shape.claimsInIdToken.unwrap().default(true),
});

/** What an administrator changes, without defaults: what is left out stays. */
export const clientChangeSchema = z.strictObject({
  name: shape.name.optional(),
  audiences: shape.audiences.unwrap().optional(),
  logoUrl: shape.logoUrl.unwrap().optional(),
  launchUrl: shape.launchUrl.unwrap().optional(),
  redirectUris: shape.redirectUris.unwrap().optional(),
  postLogoutRedirectUris: shape.postLogoutRedirectUris.unwrap().optional(),
  protectedOrigins: shape.protectedOrigins.unwrap().optional(),
  allowedGroups: shape.allowedGroups.unwrap().optional(),
  clientType: shape.clientType.unwrap().optional(),
  requirePkce: shape.requirePkce.unwrap().optional(),
  idTokenAlgorithm: shape.idTokenAlgorithm.unwrap().optional(),
  claimsInIdToken: shape.claimsInIdToken.unwrap().optional(),
  consent: shape.consent.unwrap().optional(),
  deviceFlow: shape.deviceFlow.unwrap().optional(),
  accessTokenFormat: shape.accessTokenFormat.unwrap().optional(),
  resources: shape.resources.unwrap().optional(),
  requirePushedRequests: shape.requirePushedRequests.unwrap().optional(),
  machineScopes: shape.machineScopes.unwrap().optional(),
  tokenEndpointAuthMethod: shape.tokenEndpointAuthMethod.unwrap().optional(),
  jwks: shape.jwks.unwrap().optional(),
  jwksUri: shape.jwksUri.unwrap().optional(),
  backchannelLogoutUri: shape.backchannelLogoutUri.unwrap().optional(),
  claims: shape.claims.unwrap().optional(),
  policy: policyChangeSchema.optional(),
  enabled: z.boolean().optional(),
});

/** As it is stored: what an older release let pass is opened, and goes on to match nothing. */
const storedAddresses = z.array(z.string()).default([]);

export const clientRecordSchema = z.object({
  ...clientFieldsSchema.shape,
  redirectUris: storedAddresses,
  postLogoutRedirectUris: storedAddresses,
  /** The client id. */
  id: clientIdSchema,
  version: z.number().int(),
  /** SHA-256 of its secret. */
  secretHash: z.string(),
  /** The same of the secret before, while both are good. */
  olderSecretHash: z.string().optional(),
  enabled: z.boolean(),
  /** A service of this install, which registered itself. */
  isOwn: z.boolean().default(false),
  createdAt: timeMs,
  editVersion: z.number().int(),
});
export type ClientRecord = z.infer<typeof clientRecordSchema>;

/** An application as answers have it. */
export type ApplicationView = ClientFields &
  Pick<ClientRecord, "id" | "enabled" | "version"> & {
    readonly createdAt: string;
    /** Two secrets are good now. */
    readonly hasOlderSecret: boolean;
  };
/** Shown once: a public one has no secret. */
export type NewApplicationView = ApplicationView & { readonly secret?: string };

/** Which application a protected origin belongs to; the id is the origin. */
export const originRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  clientId: z.string(),
});
