/** Tokens for other programs: introspection (RFC 7662), JWTs for an audience (RFC 9068) and the keys to check them with. */
import { createRoute, z } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import type { AdminTokenCheck } from "../../records/admin-token-check.ts";
import type { AppEnv, ServiceApp } from "../../kit/http/app.ts";
import { fromBase64 } from "../../kit/text/base64.ts";
import { AppError } from "../../kit/errors.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { problemResponses } from "../http/problems.ts";
import type { Clients } from "../applications/clients.ts";
import { type Jwts, JWT_SECONDS } from "./jwt.ts";
import type { Sessions } from "./sessions.ts";
import { type BearerGuard, bearerErrors, bearerRoute } from "../http/bearer-guard.ts";

interface Parts {
  readonly sessions: Sessions;
  readonly clients: Clients;
  readonly jwts: Jwts;
  /** Of JWTs; "" while no address is known. */
  readonly issuer: string;
  readonly bearer: BearerGuard;
  readonly checkToken: AdminTokenCheck;
}

const tags = ["tokens"];
const MAX_TOKEN = 512;
const FORM = "application/x-www-form-urlencoded";

const introspectionSchema = z
  .union([
    z.strictObject({ active: z.literal(false) }),
    z.object({
      active: z.literal(true),
      sub: z.string(),
      username: z.string(),
      client_id: z.string(),
      token_type: z.literal("Bearer"),
      exp: z.int(),
      iat: z.int(),
      auth_time: z.int(),
      act: z
        .object({ sub: z.string() })
        .optional()
        .openapi({ description: "The administrator who acts in the account (RFC 8693 section 4.1)" }),
    }),
  ])
  .openapi("Introspection");

/** "" for what is no base64, such as a length that no bytes have. */
function decodeBase64(encoded: string): string {
  try {
    return new TextDecoder().decode(fromBase64(encoded));
  } catch {
    return "";
  }
}

/** "Basic" credentials: a client's id and secret (RFC 6749 section 2.3.1). */
function readBasic(header: string | undefined): { id: string; secret: string } | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/]+=*)$/iu.exec(header ?? "")?.[1];
  if (encoded === undefined) return undefined;
  const text = decodeBase64(encoded);
  const colon = text.indexOf(":");
  return colon === -1 ? undefined : { id: text.slice(0, colon), secret: text.slice(colon + 1) };
}

/** Throws `unauthenticated` unless the administrator token or an application's credentials were sent. */
async function assertClient(c: Context<AppEnv>, { clients, checkToken }: Parts): Promise<void> {
  const adminToken = c.req.header("x-admin-token");
  if (adminToken !== undefined) {
    checkToken(adminToken, c.get("clientAddress"));
    return;
  }
  const basic = readBasic(c.req.header("authorization"));
  if (basic !== undefined && (await clients.check(basic.id, basic.secret))) return;
  throw new AppError(
    "unauthenticated",
    "Send the id and secret of a registered application as Basic credentials, or X-Admin-Token",
  );
}

/** The validator would take multipart too, which RFC 7662 section 2.1 does not know. */
const formOnly: MiddlewareHandler<AppEnv> = async (c, next) => {
  const type = (c.req.header("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== FORM) throw new AppError("unsupported_media_type", `The body must be ${FORM}`);
  return next();
};

function addIntrospect(app: ServiceApp, parts: Parts): void {
  const form = z.object({ token: z.string().min(1).max(MAX_TOKEN), token_type_hint: z.string().optional() });
  const route = createRoute({
    tags,
    "x-access": "client",
    security: ["clientSecret", "adminToken"].map((scheme) => ({ [scheme]: [] })),
    middleware: formOnly,
    method: "post",
    path: "/api/auth/introspect",
    operationId: "introspectToken",
    summary: "Whether a token is active, for registered applications (RFC 7662)",
    request: {
      body: {
        required: true,
        content: { [FORM]: { schema: form, example: { token: "acc_…" } } },
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
      ...problemResponses(
        "unauthenticated",
        "rate_limited",
        "bad_request",
        "invalid",
        "too_large",
        "unsupported_media_type",
      ),
    },
  });
  app.openapi(route, async (c) => {
    const { token } = c.req.valid("form");
    await assertClient(c, parts);
    c.header("cache-control", "no-store");
    const subject = await parts.sessions.find(token);
    if (subject === undefined) return c.json({ active: false as const }, 200);
    const { user, session } = subject;
    return c.json(
      {
        active: true as const,
        sub: user.id,
        username: user.username,
        client_id: session.clientId,
        token_type: "Bearer" as const,
        exp: Math.floor(parts.sessions.expiryOf(session, token) / 1_000),
        iat: Math.floor(session.createdAt / 1_000),
        auth_time: Math.floor(session.authenticatedAt / 1_000),
        ...(session.impersonatedBy === undefined ? {} : { act: { sub: session.impersonatedBy } }),
      },
      200,
    );
  });
}

function addJwt(app: ServiceApp, { jwts, issuer, bearer }: Omit<Parts, "clients">): void {
  const route = createRoute({
    ...bearerRoute("tokens", bearer),
    method: "post",
    path: "/api/auth/token/jwt",
    operationId: "issueJwt",
    summary: "A JWT of 5 minutes for an audience, which its holder checks by the keys of /api/auth/jwks",
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
      ...problemResponses(...bearerErrors, ...writeErrors, "audience_not_allowed", "unavailable"),
    },
  });
  app.openapi(route, async (c) => {
    const { audience } = c.req.valid("json");
    // Never from the Host header: whoever asks would choose whose tokens these are.
    if (issuer === "")
      throw new AppError("unavailable", "JWTs need the address of this service: set AUTH_PUBLIC_URL");
    const token = await jwts.issue(c.var.subject, { audience, issuer });
    c.header("cache-control", "no-store");
    return c.json({ token, tokenType: "Bearer" as const, expiresIn: JWT_SECONDS }, 200);
  });

  const keys = createRoute({
    tags,
    "x-access": "public",
    security: [],
    method: "get",
    path: "/api/auth/jwks",
    operationId: "getJwks",
    summary: "The public keys of the JWTs (RFC 7517)",
    responses: {
      200: jsonResponse("The key set", z.object({ keys: z.array(z.record(z.string(), z.string())) }), {
        keys: [{ kty: "OKP", crv: "Ed25519", x: "…", kid: "key_…", alg: "EdDSA", use: "sig" }],
      }),
      ...problemResponses("store_unavailable"),
    },
  });
  app.openapi(keys, async (c) => {
    c.header("cache-control", "public, max-age=300");
    return c.json({ keys: await jwts.keys() }, 200);
  });
}

/** Adds introspect, token/jwt and jwks. */
export function addIntrospectionRoutes(app: ServiceApp, parts: Parts): void {
  addIntrospect(app, parts);
  addJwt(app, parts);
}
