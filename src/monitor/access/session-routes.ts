/** Signing in and out as administrator, and asking whether one is signed in. */
import { z } from "@hono/zod-openapi";
import { isoTimeSchema, toIsoTime, toIsoTimeIfAny } from "../../kit/text/iso-time.ts";
import type { MiddlewareHandler } from "hono";
import { opensService } from "../../records/rights/scopes.ts";
import { showScopes } from "../../records/rights/principal.ts";
import { type ConsolePlace, toConsoleAddresses } from "../../kit/outbound/consoles.ts";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { type AdminSessions, ADMIN_SESSION_SECONDS } from "./sessions.ts";
import { sessionInfoSchema } from "../../records/rights/view-schema.ts";
import type { GuardEnv } from "../edge/admin-env.ts";
import { clearCookies, SESSION_COOKIE, setSessionCookie } from "../edge/cookies.ts";
import type { PublicAddress } from "../base/public-url.ts";
import { adminRoute, createRoute } from "../edge/create-route.ts";
import { tokenSignInSchema } from "../../kit/secrets/token-schema.ts";

const signInRoute = createRoute({
  method: "post",
  path: "/api/admin/auth",
  operationId: "adminSignIn",
  tags: ["access"],
  // Of the administrators' group, though it takes no credential: it gives one.
  "x-access": "admin",
  security: [],
  summary: "Exchange the administrator token for a session, valid for 12 hours",
  request: {
    body: jsonBody(tokenSignInSchema, { token: "adm_…" }),
  },
  responses: {
    200: jsonResponse(
      "The session token for `Authorization: Bearer`, also set as an HttpOnly cookie",
      z.object({ token: z.string(), expiresAt: isoTimeSchema }),
      { token: "ses_…", expiresAt: "2025-11-21T00:00:00+00:00" },
    ),
  },
  errors: [...writeErrors, "unauthenticated", "rate_limited"],
});

interface AccessRoutesOptions {
  readonly sessions: AdminSessions;
  readonly guard: MiddlewareHandler<GuardEnv>;
  readonly address: PublicAddress;
  /** Consoles of this install. */
  readonly consoles: readonly ConsolePlace[];
}

function addSessionRoute(app: ServiceApp, { guard, consoles }: AccessRoutesOptions): void {
  const route = createRoute({
    ...adminRoute("access", guard),
    method: "get",
    path: "/api/admin/auth",
    operationId: "adminGetSession",
    "x-scope": "any",
    summary: "Get the current session",
    responses: {
      200: jsonResponse(
        "The administrator as named in the audit log; `expiresAt` only for a session",
        sessionInfoSchema,
        {
          name: "session Xy12ab",
          expiresAt: "2025-11-21T00:00:00+00:00",
          consoles: [{ service: "monitor", url: "https://status.example.org/admin" }],
        },
      ),
    },
  });
  app.openapi(route, (c) => {
    const { actor, principal, sessionExpiresAt } = c.var;
    c.header("cache-control", "no-store");
    const { adminScopes = [] } = principal;
    const open = consoles.filter(
      ({ service }) => principal.scopes === "all" || opensService(service, adminScopes),
    );
    const addresses = toConsoleAddresses(open, c.req.url);
    const expiresAt = toIsoTimeIfAny(sessionExpiresAt);
    const scopes = showScopes(principal.scopes);
    return c.json({ name: actor.name, expiresAt, ...scopes, consoles: addresses }, 200);
  });
}

/** Adds POST, GET and DELETE /api/admin/auth. */
export function addAccessRoutes(app: ServiceApp, options: AccessRoutesOptions): void {
  const { sessions } = options;
  app.openapi(signInRoute, async (c) => {
    const { token } = c.req.valid("json");
    const session = await sessions.signIn({
      token,
      clientAddress: c.get("clientAddress"),
      requestId: c.get("requestId"),
    });
    setSessionCookie(c, session.token, {
      publicUrl: options.address.publicUrl,
      maxAgeSeconds: ADMIN_SESSION_SECONDS,
    });
    c.header("cache-control", "no-store");
    return c.json({ token: session.token, expiresAt: toIsoTime(session.expiresAt) }, 200);
  });

  addSessionRoute(app, options);

  const route = createRoute({
    ...adminRoute("access", options.guard),
    method: "delete",
    path: "/api/admin/auth",
    operationId: "adminSignOut",
    "x-scope": "any",
    summary: "Sign out: revoke this session",
    responses: { 204: { description: "The session has ended" } },
  });
  app.openapi(route, async (c) => {
    const { sessionToken } = c.var;
    if (sessionToken !== undefined) await sessions.signOut(sessionToken, c.var.actor);
    clearCookies(c, options.address.publicUrl, [SESSION_COOKIE]);
    return c.body(null, 204);
  });
}
