/** Tokens: renewed, ended, and asked for by applications and proxies. */
import { createRoute, z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { FORWARDED_QUERY } from "../../kit/http/query-names.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { problemResponses } from "../http/problems.ts";
import { assertOwner } from "../accounts/status.ts";
import type { Auth } from "../auth.ts";
import type { Subject } from "../caller.ts";
import { amrSchema } from "./schema.ts";
import { roleSchema } from "../accounts/schema.ts";
import { type BearerGuard, bearerErrors, bearerSecurity, getSubject } from "../http/bearer-guard.ts";
import { toCaller } from "../http/callers.ts";
import { exampleTokens, toTokensView, tokensSchema } from "../http/views.ts";

const tags = ["tokens"];
const isPublic = { tags, "x-access": "public" as const, security: [] };

const validationSchema = z
  .object({
    valid: z.literal(true),
    user: z.object({
      id: z.string(),
      username: z.string(),
      displayName: z.string(),
      emailVerified: z.boolean(),
      role: roleSchema,
    }),
    sessionId: z.string(),
    clientId: z.string(),
    expiresAt: z.int(),
    amr: z.array(amrSchema),
    aal: z.int(),
    impersonatedBy: z.string().optional(),
  })
  .openapi("Validation");

const exampleValidation = {
  valid: true,
  user: { id: "usr_…", username: "ann", displayName: "Ann", emailVerified: true, role: "user" },
  sessionId: "ses_…",
  clientId: "shop",
  expiresAt: 1_763_640_600_000,
  amr: ["pwd"],
  aal: 1,
};

/** Whose token it is, for who asked. */
function toValidation(subject: Subject, expiresAt: number): z.infer<typeof validationSchema> {
  const { user, session, displayName } = subject;
  const { id, username, role } = user;
  const { impersonatedBy } = session;
  return {
    valid: true,
    user: { id, username, displayName, emailVerified: user.emailVerifiedAt !== undefined, role },
    sessionId: session.id,
    clientId: session.clientId,
    expiresAt,
    amr: session.amr,
    aal: session.aal,
    ...(impersonatedBy === undefined ? {} : { impersonatedBy }),
  };
}

/** What a reverse proxy hands on to the application behind it; the display name is percent-encoded UTF-8. */
function toForwardHeaders({
  user,
  sessionId,
  impersonatedBy,
}: z.infer<typeof validationSchema>): Record<string, string> {
  return {
    "cache-control": "no-store",
    "x-auth-user-id": user.id,
    "x-auth-username": user.username,
    "x-auth-display-name": encodeURIComponent(user.displayName),
    "x-auth-role": user.role,
    "x-auth-email-verified": user.emailVerified ? "1" : "0",
    "x-auth-session-id": sessionId,
    // Always there: some proxies pass on a client's header, or a placeholder, where the answer has none.
    "x-auth-impersonated-by": impersonatedBy ?? "",
  };
}

function addValidate(app: ServiceApp, auth: Auth): void {
  for (const method of ["get", "post"] as const) {
    const route = createRoute({
      tags,
      "x-access": "user",
      security: bearerSecurity,
      method,
      path: "/api/auth/validate",
      [FORWARDED_QUERY]: true,
      operationId: method === "get" ? "validateToken" : "validateTokenByPost",
      summary: "Whose access token this is; also for the forward-auth of a reverse proxy",
      responses: {
        200: jsonResponse("It is valid", validationSchema, exampleValidation),
        ...problemResponses(...bearerErrors),
      },
    });
    app.openapi(route, async (c) => {
      const { subject, accessToken } = await getSubject(c, auth);
      const validation = toValidation(subject, auth.sessions.expiryOf(subject.session, accessToken));
      return c.json(validation, 200, toForwardHeaders(validation));
    });
  }
}

function addRefresh(app: ServiceApp, auth: Auth): void {
  const route = createRoute({
    ...isPublic,
    method: "post",
    path: "/api/auth/refresh",
    operationId: "refreshTokens",
    summary: "Spend a refresh token for new tokens; within 30 s it gives the same ones again",
    request: {
      body: jsonBody(z.object({ refreshToken: z.string().min(1).max(200) }), { refreshToken: "ref_…" }),
    },
    responses: {
      200: jsonResponse("New tokens", tokensSchema, exampleTokens),
      ...problemResponses(...writeErrors, "refresh_invalid", "refresh_reused"),
    },
  });
  app.openapi(route, async (c) => {
    const tokens = await auth.sessions.refresh(c.req.valid("json").refreshToken, toCaller(c));
    c.header("cache-control", "no-store");
    return c.json(toTokensView(tokens), 200);
  });
}

function addEnds(app: ServiceApp, auth: Auth, bearer: BearerGuard): void {
  const logout = createRoute({
    tags,
    "x-access": "user",
    security: bearerSecurity,
    middleware: bearer,
    method: "post",
    path: "/api/auth/logout",
    operationId: "signOut",
    summary: "End this session, or all of the account with `?everywhere=true`",
    request: { query: z.object({ everywhere: z.enum(["true", "false"]).default("false") }) },
    responses: {
      204: { description: "It has ended" },
      ...problemResponses(...bearerErrors, "invalid", "store_unavailable"),
    },
  });
  app.openapi(logout, async (c) => {
    const { user, session } = c.var.subject;
    const isEverywhere = c.req.valid("query").everywhere === "true";
    if (isEverywhere) assertOwner(c.var.subject);
    // By the session, not by the token: refreshes that run beside this may have replaced the token by now.
    await auth.sessions.end(user.id, {
      select: ({ id }) => isEverywhere || id === session.id,
      event: { kind: isEverywhere ? "sessions-revoked" : "sign-out", caller: toCaller(c) },
    });
    return c.body(null, 204);
  });

  const revoke = createRoute({
    ...isPublic,
    method: "post",
    path: "/api/auth/revoke",
    operationId: "revokeToken",
    summary: "End the session of an access or refresh token (after RFC 7009); the answer tells nothing of it",
    request: {
      body: jsonBody(z.object({ token: z.string().min(1).max(512) }), { token: "ref_…" }),
    },
    responses: {
      200: jsonResponse("No such token is valid any more", z.object({ status: z.literal("revoked") }), {
        status: "revoked",
      }),
      ...problemResponses(...writeErrors),
    },
  });
  app.openapi(revoke, async (c) => {
    await auth.sessions.revokeToken(c.req.valid("json").token, toCaller(c));
    return c.json({ status: "revoked" as const }, 200);
  });
}

/** Adds validate, refresh, logout and revoke. */
export function addTokenRoutes(app: ServiceApp, auth: Auth, options: { bearer: BearerGuard }): void {
  addValidate(app, auth);
  addRefresh(app, auth);
  addEnds(app, auth, options.bearer);
}
