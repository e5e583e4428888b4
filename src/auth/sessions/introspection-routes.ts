/** Tokens for other programs: introspection (RFC 7662) and JWTs for an audience (RFC 9068). */
import { toMediaType } from "../../kit/http/request-body.ts";
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { AdminTokenCheck } from "../../records/admin-token-check.ts";
import type { AppEnv, ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { toInvalidError } from "../../kit/text/validation.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import type { ClientRecord } from "../applications/schema.ts";
import { findScope, findScopeFor, isFirstParty, isMeantFor, opensScope } from "./subject.ts";
import { refuseClient } from "../applications/http/client-refusal.ts";
import { FORM, findClient, readForm } from "../applications/http/oauth-form.ts";
import { type Machine, type MachineTokens, looksLikeMachine, scopesAt } from "../machines/machine-tokens.ts";
import type { ResourceNames } from "../resources/target.ts";
import type { Clients } from "../applications/clients.ts";
import type { AccessTokens, FoundToken } from "./access-tokens.ts";
import { type Jwts, JWT_SECONDS, toActor, toProofClaims } from "./jwt.ts";
import { type BearerGuard, bearerRoute } from "./http/bearer-guard.ts";
import { createRoute } from "../edge/create-route.ts";

interface Parts {
  readonly accessTokens: AccessTokens;
  readonly machineTokens: Pick<MachineTokens, "find">;
  readonly resourceNames: ResourceNames;
  readonly clients: Clients;
  readonly jwts: Jwts;
  /** Of JWTs; "" while no address is known. */
  readonly issuer: string;
  readonly bearer: BearerGuard;
  readonly checkToken: AdminTokenCheck;
}

const tags = ["tokens"];
/** A JWT's scopes and audiences take room. */
const MAX_TOKEN = 8_192;

const introspectionSchema = z
  .union([
    z.strictObject({ active: z.literal(false) }),
    z.object({
      active: z.literal(true),
      sub: z.string(),
      username: z.string().optional().openapi({
        description: "Present for first-party tokens and for applications with the scope profile",
      }),
      client_id: z.string(),
      token_type: z.literal("Bearer").optional().openapi({ description: "Present for access tokens" }),
      scope: z.string().optional(),
      iss: z.string(),
      aud: z.string().or(z.array(z.string())),
      exp: z.int(),
      iat: z.int(),
      auth_time: z.int().optional().openapi({ description: "Absent for machine tokens, which have no user" }),
      amr: z.array(z.string()).optional().openapi({ description: "Authentication methods (RFC 8176)" }),
      acr: z
        .string()
        .optional()
        .openapi({ description: "The authentication context class (RFC 9470 section 6.2)" }),
      act: z
        .object({ sub: z.string() })
        .optional()
        .openapi({ description: "The administrator who impersonates the user (RFC 8693 section 4.1)" }),
    }),
  ])
  .openapi("Introspection");

/** The caller: an application, or "administrator". Undefined without valid credentials. */
async function findAsking(
  c: Context<AppEnv>,
  sent: ReadonlyMap<string, string>,
  { clients, checkToken }: Parts,
): Promise<ClientRecord | "administrator" | undefined> {
  const adminToken = c.req.header("x-admin-token");
  if (adminToken !== undefined) {
    checkToken(adminToken, c.get("clientAddress"));
    return "administrator";
  }
  const client = await findClient(c, sent, clients);
  // Anyone can name a public application.
  return client?.clientType === "confidential" ? client : undefined;
}

/**
 * Whether the caller may introspect a token: an application may for its own tokens, for those of a resource that it
 * is, and for first-party ones.
 */
function isFor(asking: ClientRecord | "administrator", { subject }: FoundToken): boolean {
  return asking === "administrator" || isFirstParty(subject.session) || isMeantFor(subject, asking);
}

/** Introspection members of all token types. */
function toIntrospection(
  { subject, audience }: FoundToken,
  { asking, issuer }: { asking: ClientRecord | "administrator"; issuer: string },
) {
  const { user, session } = subject;
  const scope = asking === "administrator" ? findScope(subject) : findScopeFor(subject, asking);
  return {
    active: true as const,
    sub: user.id,
    ...(opensScope(subject, "profile") && { username: user.username }),
    client_id: session.clientId,
    ...(scope === undefined ? {} : { scope }),
    iss: issuer,
    aud: typeof audience === "string" ? audience : [...audience],
    ...toProofClaims(session),
    ...toActor(session),
  };
}

/** Scopes shown to the application and to resource servers; a resource server sees only its own. */
function toMachineIntrospection(
  machine: Machine | undefined,
  {
    asking,
    issuer,
    resourceNames,
  }: { asking: ClientRecord | "administrator"; issuer: string; resourceNames: ResourceNames },
) {
  if (machine === undefined) return { active: false as const };
  const { client, scopes, audience, expiresAt, issuedAt } = machine;
  const isOwner = asking === "administrator" || asking.id === client.id;
  const told = isOwner ? scopes : scopesAt(scopes, asking.isOwn ? [asking.id] : []);
  if (told.length === 0) return { active: false as const };
  return {
    active: true as const,
    // RFC 9068 section 2.2: the application itself.
    sub: client.id,
    client_id: client.id,
    token_type: "Bearer" as const,
    scope: told.join(" "),
    iss: issuer,
    aud: audience.map((service) => resourceNames.toAud(service)),
    exp: Math.floor(expiresAt / 1_000),
    iat: Math.floor(issuedAt / 1_000),
  };
}

const formSchema = z.object({
  token: z.string().min(1).max(MAX_TOKEN),
  token_type_hint: z.string().optional(),
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
});

/** The form as it was sent. Throws `unsupported_media_type`, `bad_request`, `invalid`. */
async function readIntrospection(c: Context<AppEnv>): Promise<ReadonlyMap<string, string>> {
  const type = toMediaType(c.req.header("content-type"));
  if (type !== FORM) throw new AppError("unsupported_media_type", `The body must be ${FORM}`);
  const fields = await readForm(c, Number.POSITIVE_INFINITY);
  if (fields === undefined)
    throw new AppError("bad_request", "The form repeats a field. Send every field once");
  const { error } = formSchema.safeParse(Object.fromEntries(fields));
  if (error !== undefined) throw toInvalidError("form", error.issues);
  return fields;
}

function addIntrospect(app: ServiceApp, parts: Parts): void {
  const route = createRoute({
    tags,
    "x-access": "client",
    security: ["clientSecret", "adminToken"].map((scheme) => ({ [scheme]: [] })),
    method: "post",
    path: "/api/auth/introspect",
    operationId: "introspectToken",
    summary: "Introspect a token (RFC 7662). Requires the credentials of a registered application",
    request: {
      body: {
        required: true,
        content: { [FORM]: { schema: formSchema, example: { token: "acc_…" } } },
      },
    },
    responses: {
      200: jsonResponse(
        'What the token is; exactly {"active":false} when it is nothing',
        introspectionSchema,
        {
          active: false,
        },
      ),
    },
    errors: [
      "unauthenticated",
      "rate_limited",
      "bad_request",
      "invalid",
      "too_large",
      "unsupported_media_type",
    ],
  });
  app.openAPIRegistry.registerPath(route);
  // Read by hand: services ask this often, and the route's validator would take it for form data with files.
  app.post(route.path, async (c) => {
    const fields = await readIntrospection(c);
    const asking = await findAsking(c, fields, parts);
    if (asking === undefined) return refuseClient(c);
    c.header("cache-control", "no-store");
    const { accessTokens, machineTokens, resourceNames, issuer } = parts;
    const token = fields.get("token") ?? "";
    if (looksLikeMachine(token)) {
      const machine = await machineTokens.find(token);
      return c.json(toMachineIntrospection(machine, { asking, issuer, resourceNames }), 200);
    }
    const refresh = asking === "administrator" ? undefined : await accessTokens.findRefresh(asking, token);
    const found = refresh ?? (await accessTokens.find(token));
    if (found === undefined || !isFor(asking, found)) return c.json({ active: false as const }, 200);
    return c.json(
      {
        ...toIntrospection(found, { asking, issuer }),
        ...(refresh === undefined && { token_type: "Bearer" as const }),
        exp: Math.floor(found.expiresAt / 1_000),
        iat: Math.floor(found.issuedAt / 1_000),
      },
      200,
    );
  });
}

function addJwt(app: ServiceApp, { jwts, issuer, bearer }: Omit<Parts, "clients">): void {
  const route = createRoute({
    ...bearerRoute("tokens", bearer, ""),
    method: "post",
    path: "/api/auth/token/jwt",
    operationId: "issueJwt",
    summary: "Issue a JWT for an audience, valid for 5 minutes. Verify it with the keys at /api/auth/jwks",
    request: {
      body: jsonBody(z.strictObject({ audience: z.string().min(1).max(200) }), {
        audience: "https://shop.example.org",
      }),
    },
    responses: {
      200: jsonResponse(
        "The token",
        z.object({ token: z.string(), tokenType: z.literal("Bearer"), expiresIn: z.int() }),
        { token: "eyJ…", tokenType: "Bearer", expiresIn: JWT_SECONDS },
      ),
    },
    errors: [...writeErrors, "audience_not_allowed", "unavailable"],
  });
  app.openapi(route, async (c) => {
    const { audience } = c.req.valid("json");
    // Never from the Host header: the client could choose the issuer.
    if (issuer === "")
      throw new AppError("unavailable", "JWTs require the public URL of this service. Set AUTH_PUBLIC_URL");
    const token = await jwts.issue(c.var.subject, { audience, issuer });
    c.header("cache-control", "no-store");
    return c.json({ token, tokenType: "Bearer" as const, expiresIn: JWT_SECONDS }, 200);
  });
}

/** Adds introspect and token/jwt. */
export function addIntrospectionRoutes(app: ServiceApp, parts: Parts): void {
  addIntrospect(app, parts);
  addJwt(app, parts);
}
