/** The token endpoint of applications (RFC 6749 sections 4.1.3, 5 and 6, OpenID Connect Core 1.0 section 3.1.3). */
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { AppEnv, ServiceApp } from "../../kit/http/app.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import type { Clients } from "../applications/clients.ts";
import { type Refused, type Refusals, UNKNOWN_CLIENT } from "../refusals/refusals.ts";
import type { ClientRecord } from "../applications/schema.ts";
import { readAssertionSubject } from "../client-keys/assertions.ts";
import type { RefusalReason } from "../applications/refusal-schema.ts";
import { AuthError } from "../base/errors.ts";
import { DEFAULT_SCOPE } from "../sessions/subject.ts";
import { toCaller } from "../sessions/http/callers.ts";
import { problemResponses } from "../edge/create-route.ts";
import {
  FORM,
  assertionFields,
  findClient,
  readCredentials,
  readForm,
  refuse,
  refuseBody,
  resourceField,
  withSlash,
} from "../applications/http/oauth-form.ts";
import type { AccessTokens } from "../sessions/access-tokens.ts";
import { addBrowserRoutes } from "./browser-routes.ts";
import { DEVICE_GRANT, type Devices } from "./devices.ts";
import type { Revocation } from "../sessions/revocation.ts";
import type { Granted, Grants } from "./grants.ts";
import type { IdTokens } from "./id-tokens.ts";
import { MACHINE_GRANT, grantMachine } from "../machines/machine-grant.ts";
import type { MachineTokens } from "../machines/machine-tokens.ts";
import { isVerifier } from "./pkce.ts";
import { type ResourceNames, limitScope, narrowTarget } from "../resources/target.ts";

interface Parts {
  readonly clients: Clients;
  readonly refusals: Pick<Refusals, "note">;
  readonly grants: Grants;
  readonly devices: Devices;
  readonly idTokens: IdTokens;
  readonly accessTokens: AccessTokens;
  readonly revocation: Pick<Revocation, "findGranted">;
  readonly resourceNames: ResourceNames;
  readonly machineTokens: Pick<MachineTokens, "issue">;
}

const tokensSchema = z
  .object({
    access_token: z.string(),
    token_type: z.literal("Bearer"),
    expires_in: z.int(),
    refresh_token: z.string().optional().openapi({ description: "Absent for the grant client_credentials" }),
    refresh_expires_in: z.int().optional(),
    scope: z.string().openapi({ description: "Granted scopes, which can be fewer than requested" }),
    id_token: z.string().optional().openapi({ description: "Present when the scope openid was granted" }),
  })
  .openapi("OAuthTokens");
const errorCodeSchema = z.enum([
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "invalid_scope",
  "invalid_target",
  "unsupported_grant_type",
  "unauthorized_client",
  "authorization_pending",
  "slow_down",
  "access_denied",
  "expired_token",
]);
type ErrorCode = z.infer<typeof errorCodeSchema>;
const errorSchema = z
  .object({
    error: errorCodeSchema,
    error_description: z.string().optional(),
  })
  .openapi("OAuthError");
const formSchema = z.object({
  grant_type: z.enum(["authorization_code", "refresh_token", DEVICE_GRANT, MACHINE_GRANT]),
  device_code: z.string().optional(),
  code: z.string().optional(),
  redirect_uri: z.string().optional(),
  code_verifier: z.string().optional(),
  refresh_token: z.string().optional(),
  scope: z
    .string()
    .optional()
    .openapi({ description: "For a refresh, a subset of the scopes granted before" }),
  resource: resourceField,
  client_id: z
    .string()
    .optional()
    .openapi({ description: "Sent with client_secret when the request has no Basic credentials" }),
  client_secret: z.string().optional(),
  ...assertionFields,
});

/** Why the application is not who it says it is; looked up only once it was refused. */
async function findClientFault(
  c: Context<AppEnv>,
  fields: ReadonlyMap<string, string>,
  clients: Clients,
): Promise<{ readonly clientId: string } & Refused> {
  const basic = readCredentials(c);
  const subject = readAssertionSubject(fields.get("client_assertion") ?? "");
  const id = basic?.id ?? fields.get("client_id") ?? subject;
  const client = await clients.find(id);
  if (client === undefined) return { clientId: UNKNOWN_CLIENT, reason: "unknown_client", sent: id };
  const named = fields.get("client_id") ?? "";
  if (basic !== undefined && named !== "" && named !== basic.id)
    return { clientId: id, reason: "request", sent: `client_id is "${named}" beside Basic credentials` };
  if (client.tokenEndpointAuthMethod === "private_key_jwt" || fields.has("client_assertion"))
    return { clientId: id, reason: "wrong_secret", sent: "private_key_jwt" };
  const hasSecret = basic !== undefined || fields.has("client_secret");
  const method = basic === undefined ? "client_secret_post" : "client_secret_basic";
  if (!client.enabled) return { clientId: id, reason: "switched_off" };
  if (client.clientType === "public") return { clientId: id, reason: "needless_secret", sent: method };
  if (!hasSecret) return { clientId: id, reason: "no_secret" };
  return { clientId: id, reason: "wrong_secret", sent: method };
}

const TARGET_EXCEEDED = "The resource was not requested at /oauth/authorize. Send it there too";

/** The error description for each reason. */
const descriptions: Partial<Record<RefusalReason, string>> = {
  unknown_client: "No application has this client_id",
  switched_off: "The application is disabled",
  needless_secret: "The application is public and has no secret",
  no_secret: "The client secret is missing",
  wrong_secret: "The client secret is wrong",
  request: "Authorization and client_id name different applications",
  verifier_missing: "code_verifier is missing",
  verifier_needless: "The code was requested without PKCE. Do not send code_verifier",
  verifier_wrong: "code_verifier does not match the code_challenge",
  scope_exceeded: "The scope was not granted. A refresh can only narrow the scope",
  code_unknown: "The code is unknown",
  code_used:
    "The code was already used. Its tokens are revoked, unless the same request was repeated within 10 seconds",
  code_expired: "The code has expired. Codes are valid for one minute",
  code_other_client: "The code was issued to another application",
  code_other_address: "redirect_uri differs from the one sent to /oauth/authorize",
  session_over: "The session of this code has ended",
  refresh_unknown: "The refresh token is invalid, expired or already used",
  grant_type: "The grant type is not supported or not allowed for this application",
};

function describeFault(reason: RefusalReason | undefined, sent?: string): string | undefined {
  if (reason === "request") return sent;
  if (reason === "policy")
    return `The access policy of the application requires more (${sent ?? ""}). Send the user to /oauth/authorize again`;
  return reason === undefined ? undefined : descriptions[reason];
}

const ASSERTION_WRONG =
  "Send a client_assertion signed with a key of the application: iss and sub are the client_id, aud is the issuer, exp is at most 10 minutes ahead, and jti is unique";

function describeClientFault({ reason, sent }: Refused): string | undefined {
  return sent === "private_key_jwt" ? ASSERTION_WRONG : describeFault(reason);
}

/** The error for the application and for its administrator. */
interface Fault extends Partial<Refused> {
  readonly error: ErrorCode;
}

async function renew(
  c: Context<AppEnv>,
  {
    grants,
    revocation,
    client,
    resourceNames,
  }: Pick<Parts, "grants" | "revocation" | "resourceNames"> & { client: ClientRecord },
  fields: ReadonlyMap<string, string>,
): Promise<Granted | Fault> {
  const refreshToken = fields.get("refresh_token") ?? "";
  const asked = { scope: fields.get("scope"), resource: fields.get("resource") };
  const isNarrow = asked.scope !== undefined || asked.resource !== undefined;
  // Looked at first: what is refused for its scope must not spend the token.
  const granted = isNarrow ? await revocation.findGranted(client.id, refreshToken) : undefined;
  const narrowed = granted && narrowTarget(asked, { ...granted, ...client }, resourceNames);
  if (narrowed !== undefined && "error" in narrowed)
    return narrowed.error === "invalid_scope"
      ? { error: narrowed.error, reason: "scope_exceeded", sent: asked.scope }
      : { error: narrowed.error, reason: "request", sent: narrowed.error_description };
  try {
    const { audience, scopes } = narrowed ?? {};
    return await grants.refresh(client.id, { refreshToken, audience, scope: scopes?.join(" ") }, toCaller(c));
  } catch (error) {
    const missing = error instanceof AuthError ? error.details["missing"] : undefined;
    if (typeof missing === "string") return { error: "invalid_grant", reason: "policy", sent: missing };
    if (error instanceof AuthError && error.code.startsWith("refresh_"))
      return { error: "invalid_grant", reason: "refresh_unknown" };
    throw error;
  }
}

/** For a device (RFC 8628 section 3.4). To wait is no fault that an administrator has to know of. */
async function grantDevice(
  c: Context<AppEnv>,
  { devices, client }: Pick<Parts, "devices"> & { client: ClientRecord },
  fields: ReadonlyMap<string, string>,
): Promise<Granted | Fault> {
  if (!client.deviceFlow) return { error: "unauthorized_client", reason: "grant_type", sent: DEVICE_GRANT };
  const deviceCode = fields.get("device_code") ?? "";
  if (deviceCode === "")
    return { error: "invalid_request", reason: "request", sent: "device_code is missing" };
  const granted = await devices.redeem(client, deviceCode, toCaller(c));
  if (typeof granted !== "string") return granted;
  return granted === "invalid_grant" ? { error: granted, reason: "code_unknown" } : { error: granted };
}

async function grant(
  c: Context<AppEnv>,
  parts: Pick<Parts, "grants" | "devices" | "revocation" | "resourceNames"> & { client: ClientRecord },
  fields: ReadonlyMap<string, string>,
): Promise<Granted | Fault> {
  const kind = fields.get("grant_type");
  if (kind === "refresh_token") return renew(c, parts, fields);
  if (kind === DEVICE_GRANT) return grantDevice(c, parts, fields);
  if (kind !== "authorization_code") {
    const error = kind === undefined ? "invalid_request" : "unsupported_grant_type";
    return { error, reason: "grant_type", sent: kind };
  }
  const [code = "", redirectUri = "", verifier] = ["code", "redirect_uri", "code_verifier"].map((name) =>
    fields.get(name),
  );
  if (code === "") return { error: "invalid_request", reason: "request", sent: "code is missing" };
  if (verifier !== undefined && !isVerifier(verifier))
    return { error: "invalid_request", reason: "verifier_wrong" };
  const audience = fields
    .get("resource")
    ?.split(" ")
    .map((text) => parts.resourceNames.resolve(text, parts.client));
  const given = { code, redirectUri, verifier, audience };
  const granted = await parts.grants.exchange(parts.client, given, toCaller(c));
  if (typeof granted !== "string") return granted;
  if (granted === "target_exceeded")
    return { error: "invalid_target", reason: "request", sent: TARGET_EXCEEDED };
  const sent = granted === "code_other_address" ? redirectUri : undefined;
  return { error: "invalid_grant", reason: granted, sent };
}

function describe(app: ServiceApp): void {
  app.openAPIRegistry.registerPath({
    tags: ["tokens"],
    "x-access": "client",
    security: [{ clientSecret: [] }],
    method: "post",
    path: "/oauth/token",
    operationId: "oauthToken",
    summary:
      "Exchange an authorization code, a device code, a refresh token or client credentials for tokens",
    request: { body: { required: true, content: { [FORM]: { schema: formSchema } } } },
    responses: {
      200: jsonResponse("The tokens", tokensSchema),
      400: jsonResponse("The grant is invalid, expired or not allowed", errorSchema),
      401: jsonResponse("The client_id is unknown, or the client secret is wrong", errorSchema),
      ...problemResponses("too_large", "store_unavailable"),
    },
  });
}

/** Adds POST /oauth/token. */
export function addOauthRoutes(
  app: ServiceApp,
  {
    clients,
    grants,
    devices,
    idTokens,
    accessTokens,
    revocation,
    refusals,
    resourceNames,
    machineTokens,
  }: Parts,
): void {
  describe(app);
  addBrowserRoutes(app);
  app.on("POST", withSlash("/oauth/token"), async (c) => {
    const fields = await readForm(c);
    if (fields === undefined) return refuseBody(c);
    const client = await findClient(c, fields, clients);
    if (client === undefined) {
      const { clientId, ...fault } = await findClientFault(c, fields, clients);
      refusals.note(clientId, fault, toCaller(c));
      return refuse(c, "invalid_client", describeClientFault(fault));
    }
    if (fields.get("grant_type") === MACHINE_GRANT) {
      const answer = await grantMachine(client, { machineTokens, resourceNames }, fields);
      c.header("cache-control", "no-store");
      if (!("error" in answer)) return c.json(answer);
      refusals.note(client.id, { reason: "request", sent: answer.message }, toCaller(c));
      return refuse(c, answer.error, answer.message);
    }
    const granted = await grant(c, { grants, devices, revocation, client, resourceNames }, fields);
    if ("error" in granted) {
      const { error, reason, ...fault } = granted;
      if (reason !== undefined) refusals.note(client.id, { reason, ...fault }, toCaller(c));
      return refuse(c, error, describeFault(reason, fault.sent));
    }
    const tokens = { ...granted.tokens, accessToken: await accessTokens.toSent(client, granted.tokens) };
    const idToken = await idTokens.issue(client, { ...granted, tokens });
    const { scope = DEFAULT_SCOPE, audience = [] } = tokens.session;
    c.header("cache-control", "no-store");
    return c.json({
      access_token: tokens.accessToken,
      token_type: "Bearer",
      expires_in: tokens.expiresIn,
      refresh_token: tokens.refreshToken,
      refresh_expires_in: tokens.refreshExpiresIn,
      scope: limitScope(scope, audience, client.resources),
      ...(idToken === undefined ? {} : { id_token: idToken }),
    });
  });
}
