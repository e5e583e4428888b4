/** Tokens: renewed, ended, and asked for by applications and proxies. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { FORWARDED_QUERY } from "../../kit/http/query-names.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import type { Administration } from "../administrators/administrators.ts";
import { assertOwner } from "../accounts/status.ts";
import type { Activity } from "./activity.ts";
import type { Sessions } from "./sessions.ts";
import { exampleValidation, toForwardHeaders, toValidation, validationSchema } from "./validation-views.ts";
import {
  type BearerGuard,
  bearerErrors,
  bearerRoute,
  bearerSecurity,
  getSubject,
} from "../http/bearer-guard.ts";
import { toCaller } from "../http/callers.ts";
import { exampleTokens, toTokensView, tokensSchema } from "../http/views.ts";
import { createRoute } from "../http/create-route.ts";

interface Parts {
  readonly sessions: Sessions;
  readonly activity: Activity;
  readonly administration: Administration;
  readonly bearer: BearerGuard;
}

const tags = ["tokens"];
const isPublic = { tags, "x-access": "public" as const, security: [] };

function addValidate(app: ServiceApp, parts: Pick<Parts, "sessions" | "activity" | "administration">): void {
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
      responses: { 200: jsonResponse("It is valid", validationSchema, exampleValidation) },
      errors: [...bearerErrors],
    });
    app.openapi(route, async (c) => {
      const { subject, accessToken } = await getSubject(c, parts);
      const validation = toValidation(subject, {
        expiresAt: parts.sessions.expiryOf(subject.session, accessToken),
        administers: await parts.administration.administersServices(subject),
      });
      return c.json(validation, 200, toForwardHeaders(subject));
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
    responses: { 200: jsonResponse("New tokens", tokensSchema, exampleTokens) },
    errors: [...writeErrors, "refresh_invalid", "refresh_reused"],
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
    responses: { 204: { description: "It has ended" } },
    errors: ["invalid", "store_unavailable"],
  });
  app.openapi(logout, async (c) => {
    const { user, session } = c.var.subject;
    const isEverywhere = c.req.valid("query").everywhere === "true";
    if (isEverywhere) assertOwner(c.var.subject);
    // By the session, not by the token: refreshes that run beside this may have replaced the token by now.
    await sessions.end(user.id, {
      // Who signs out of an application is signed out of the browser that came with it.
      select: ({ id }) => isEverywhere || id === session.id || id === session.parentId,
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
