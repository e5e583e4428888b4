/** Tokens: renewed, ended, and asked for by applications and proxies. */
import { createRoute, z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { FORWARDED_QUERY } from "../../kit/http/query-names.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { problemResponses } from "../http/problems.ts";
import { assertOwner } from "../accounts/status.ts";
import type { Subject } from "../caller.ts";
import { isoTimeSchema, toIsoTime } from "../../kit/text/iso-time.ts";
import { userRecordSchema } from "../accounts/schema.ts";
import type { Activity } from "./activity.ts";
import { sessionRecordSchema } from "./schema.ts";
import type { Sessions } from "./sessions.ts";
import {
  type BearerGuard,
  bearerErrors,
  bearerRoute,
  bearerSecurity,
  getSubject,
} from "../http/bearer-guard.ts";
import { toCaller } from "../http/callers.ts";
import { exampleTokens, toTokensView, tokensSchema } from "../http/views.ts";

interface Parts {
  readonly sessions: Sessions;
  readonly activity: Activity;
  readonly bearer: BearerGuard;
}

const tags = ["tokens"];
const isPublic = { tags, "x-access": "public" as const, security: [] };

const validationSchema = sessionRecordSchema
  .pick({ clientId: true, amr: true, aal: true, impersonatedBy: true })
  .extend({
    valid: z.literal(true),
    user: userRecordSchema
      .pick({ id: true, username: true, role: true })
      .extend({ displayName: z.string(), emailVerified: z.boolean() }),
    sessionId: z.string(),
    expiresAt: isoTimeSchema,
  })
  .openapi("Validation");

const exampleValidation = {
  valid: true,
  user: { id: "usr_…", username: "ann", displayName: "Ann", emailVerified: true, role: "user" },
  sessionId: "ses_…",
  clientId: "shop",
  expiresAt: "2025-11-20T12:10:00.000+00:00",
  amr: ["pwd"],
  aal: 1,
};

/** Whose token it is, for who asked. */
function toValidation({ user, session, displayName }: Subject, expiresAt: number) {
  const { id, username, role } = user;
  const { id: sessionId, clientId, amr, aal, impersonatedBy } = session;
  return {
    valid: true as const,
    user: { id, username, displayName, emailVerified: user.emailVerifiedAt !== undefined, role },
    ...{ sessionId, clientId, expiresAt: toIsoTime(expiresAt), amr, aal, impersonatedBy },
  };
}

/** What a reverse proxy hands on to the application behind it; the display name is percent-encoded UTF-8. */
function toForwardHeaders({
  user,
  sessionId,
  impersonatedBy,
}: ReturnType<typeof toValidation>): Record<string, string> {
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

function addValidate(app: ServiceApp, parts: Pick<Parts, "sessions" | "activity">): void {
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
      const { subject, accessToken } = await getSubject(c, parts);
      const validation = toValidation(subject, parts.sessions.expiryOf(subject.session, accessToken));
      return c.json(validation, 200, toForwardHeaders(validation));
    });
  }
}

function addRefresh(app: ServiceApp, { sessions }: Pick<Parts, "sessions">): void {
  const route = createRoute({
    ...isPublic,
    method: "post",
    path: "/api/auth/refresh",
    operationId: "refreshTokens",
    summary: "Spend a refresh token for new tokens; within 30 s it gives the same ones again",
    request: {
      body: jsonBody(z.strictObject({ refreshToken: z.string().min(1).max(200) }), { refreshToken: "ref_…" }),
    },
    responses: {
      200: jsonResponse("New tokens", tokensSchema, exampleTokens),
      ...problemResponses(...writeErrors, "refresh_invalid", "refresh_reused"),
    },
  });
  app.openapi(route, async (c) => {
    const tokens = await sessions.refresh(c.req.valid("json").refreshToken, toCaller(c));
    c.header("cache-control", "no-store");
    return c.json(toTokensView(tokens), 200);
  });
}

function addEnds(app: ServiceApp, { sessions, bearer }: Pick<Parts, "sessions" | "bearer">): void {
  const logout = createRoute({
    ...bearerRoute("tokens", bearer),
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
    await sessions.end(user.id, {
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
      body: jsonBody(z.strictObject({ token: z.string().min(1).max(512) }), { token: "ref_…" }),
    },
    responses: {
      200: jsonResponse("No such token is valid any more", z.object({ status: z.literal("revoked") }), {
        status: "revoked",
      }),
      ...problemResponses(...writeErrors),
    },
  });
  app.openapi(revoke, async (c) => {
    await sessions.revokeToken(c.req.valid("json").token, toCaller(c));
    return c.json({ status: "revoked" as const }, 200);
  });
}

/** Adds validate, refresh, logout and revoke. */
export function addTokenRoutes(app: ServiceApp, parts: Parts): void {
  addValidate(app, parts);
  addRefresh(app, parts);
  addEnds(app, parts);
}
