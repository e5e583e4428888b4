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
  .pipe(z.url({ protocol: /^https?$/u, error: "must be a URL such as https://example.org" }))
  .register(fieldHints, { keyboard: "url" });

function isOrigin(text: string): boolean {
  return /^https?:\/\//u.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

/** Scheme, host and port of a site, in the form in which browsers write it. */
export const originSchema = line(300).refine(isOrigin, {
  error: "must be an origin such as https://notes.example.org, in lowercase and without a path",
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
  error: "must be an https address without a fragment; http is allowed only for local and private networks",
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
    error: "must be a public key. Remove the private members; the private key stays in the application",
  })
  .refine((key) => JSON.stringify(key).length <= 4_000, {
    error: "must have at most 4,000 characters",
  });

/** Public keys (RFC 7517 section 5). */
const keySetSchema = z.strictObject({ keys: z.array(publicKeySchema).max(10) });

/** URL of the key set: https, so that keys cannot be replaced on the way. */
const keySetUri = line(MAX_URL).pipe(
  z.url({
    protocol: /^https$/u,
    error: "must be an https address such as https://app.example.org/jwks.json",
  }),
);

/** Fields that an administrator sets. */
export const clientFieldsSchema = z.strictObject({
  name: trimmedLine(100),
  /** Values for a JWT's `aud` (a StringOrURI, RFC 7519 section 2). */
  audiences: z
    .array(
      z.string().regex(/^[\u0021-\u007e]{1,200}$/u, "must be 1 to 200 characters of ASCII without spaces"),
    )
    .max(MAX_ADDRESSES)
    .default([])
    .describe("Audiences that the application can request JWTs for"),
  logoUrl: webUrl.or(z.literal("")).default("").describe("URL of the logo"),
  launchUrl: webUrl.or(z.literal("")).default("").describe("URL where users open the application"),
  redirectUris: z
    .array(redirectAddress)
    .max(MAX_ADDRESSES)
    .default([])
    .describe(
      "Redirect URIs after sign-in. They must match exactly, except for the port of loopback addresses. Custom schemes such as com.example.app:/callback or oc://android.opencloud.eu are allowed; wildcards are not",
    ),
  postLogoutRedirectUris: z
    .array(redirectAddress)
    .max(MAX_ADDRESSES)
    .default([])
    .describe("Redirect URIs after sign-out. They must match exactly"),
  protectedOrigins: z
    .array(originSchema)
    .max(MAX_ADDRESSES)
    .default([])
    .describe("Origins that a reverse proxy protects with GET /api/auth/forward/{application}"),
  allowedGroups: z
    .array(groupIdSchema)
    .max(MAX_GROUPS)
    .default([])
    .describe("Groups whose members may use the application; empty: all users"),
  clientType: z
    .enum(["confidential", "public"])
    .default("confidential")
    .describe("Public clients run in browsers or on user devices and have no secret"),
  requirePkce: z
    .boolean()
    .default(true)
    .describe(
      "Whether PKCE is required. Disable only for clients without PKCE support: a stolen code can then be redeemed by others",
    ),
  idTokenAlgorithm: idTokenAlgorithmSchema.default("RS256").describe("Signature algorithm of ID tokens"),
  claimsInIdToken: z
    .boolean()
    .default(false)
    .describe(
      "Whether ID tokens contain the name, email address and groups that the scopes allow. Disable for clients that call /oauth/userinfo and prefer small tokens",
    ),
  consent: z
    .enum(["never", "once", "always"])
    .default("never")
    .describe(
      "When users are asked for consent. never: the administrator trusts the application; public clients on user devices still ask once",
    ),
  deviceFlow: z
    .boolean()
    .default(false)
    .describe("Whether the device flow is enabled: users enter a code on another device (RFC 8628)"),
  accessTokenFormat: z
    .enum(["opaque", "jwt"])
    .default("opaque")
    .describe(
      "Format of access tokens. jwt: resource servers verify tokens locally with the key set (RFC 9068)",
    ),
  resources: requestableSchema
    .default([])
    .describe(
      'Where it may act for a person, and what it may request there: "auth", "shop", "monitor", or the identifier of a registered resource, each with scopes',
    ),
  requirePushedRequests: z
    .boolean()
    .default(false)
    .describe(
      "Whether authorization requests must be pushed to /oauth/par (RFC 9126) instead of being sent in the URL",
    ),
  machineScopes: z
    .array(z.enum(adminScopes))
    .max(adminScopes.length)
    .default([])
    .describe(
      "Administrative scopes for the grant client_credentials, without a user; empty: the grant is not allowed",
    ),
  tokenEndpointAuthMethod: z
    .enum(["client_secret", "private_key_jwt"])
    .default("client_secret")
    .describe(
      "Client authentication method. private_key_jwt: the application signs with its own key (RFC 7523), and its secret is ignored",
    ),
  jwks: keySetSchema
    .default({ keys: [] })
    .describe("Public keys for private_key_jwt, if the application does not publish them"),
  jwksUri: keySetUri
    .or(z.literal(""))
    .default("")
    .describe("URL of the published public keys. Takes precedence over jwks"),
  backchannelLogoutUri: backchannelLogoutUri
    .or(z.literal(""))
    .default("")
    .describe("Back-channel logout URI (OpenID Connect Back-Channel Logout 1.0)"),
  claims: templatesSchema
    .default({})
    .describe(
      "Custom claims for the scope profile: templates such as {{user.email}}, {{user.claims.quota}} or fixed text. Claims of accounts and groups are included automatically",
    ),
  policy: policySchema
    .optional()
    .describe("Sign-in requirements and token lifetimes. The site policy applies to omitted fields"),
});
export type ClientFields = z.infer<typeof clientFieldsSchema>;

const { shape } = clientFieldsSchema;

/** Unlike stored applications without the field, new ones get the claims: many clients read nothing but the ID token. */
export const newClientSchema = clientFieldsSchema.extend({
  id: clientIdSchema,
  claimsInIdToken: shape.claimsInIdToken.unwrap().default(true),
});

/** Changes by an administrator, without defaults: omitted members are unchanged. */
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
