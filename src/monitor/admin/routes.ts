/** Signing in and out as administrator, and asking whether one is signed in. */
import { createRoute, z } from "@hono/zod-openapi";
import { isoTimeSchema, toIsoTime, toIsoTimeIfAny } from "../../kit/text/iso-time.ts";
import type { MiddlewareHandler } from "hono";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, problemResponses, writeErrors } from "../../kit/http/schemas.ts";
import type { AdminSessions } from "./sessions.ts";
import { sessionSchema } from "../fleet/view-schema.ts";
import {
  type GuardEnv,
  adminErrors,
  adminSecurity,
  clearSessionCookie,
  setSessionCookie,
} from "../http/admin-guard.ts";

const signInRoute = createRoute({
  method: "post",
  path: "/api/admin/auth",
  operationId: "adminSignIn",
  tags: ["access"],
  // Of the administrators' group, though it takes no credential: it gives one.
  "x-access": "admin",
  security: [],
  summary: "Exchange the administrator token for a session of 12 hours",
  request: {
    body: jsonBody(z.strictObject({ token: z.string().min(1).max(512) }), { token: "adm_…" }),
  },
  responses: {
    200: {
      description: "The session, for `Authorization: Bearer`; also set as an HttpOnly cookie",
      content: {
        "application/json": {
          schema: z.object({ token: z.string(), expiresAt: isoTimeSchema }),
          example: { token: "ses_…", expiresAt: "2025-11-21T00:00:00+00:00" },
        },
      },
    },
    ...problemResponses(...writeErrors, "unauthenticated", "rate_limited"),
  },
});

function addSessionRoute(app: ServiceApp, guard: MiddlewareHandler<GuardEnv>): void {
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/admin/auth",
      operationId: "adminGetSession",
      tags: ["access"],
      "x-access": "admin",
      security: adminSecurity,
      middleware: guard,
      summary: "Who one is signed in as, and until when",
      responses: {
        200: {
          description: "The administrator, as the audit names him; `expiresAt` only for a session",
          content: {
            "application/json": {
              schema: sessionSchema,
              example: { name: "session Xy12ab", expiresAt: "2025-11-21T00:00:00+00:00" },
            },
          },
        },
        ...problemResponses(...adminErrors),
      },
    }),
    (c) => {
      const { actor, sessionExpiresAt } = c.var;
      c.header("cache-control", "no-store");
      return c.json({ name: actor.name, expiresAt: toIsoTimeIfAny(sessionExpiresAt) }, 200);
    },
  );
}

/** Adds POST, GET and DELETE /api/admin/auth. */
export function addAccessRoutes(
  app: ServiceApp,
  options: {
    sessions: AdminSessions;
    guard: MiddlewareHandler<GuardEnv>;
    publicUrl: string | undefined;
  },
): void {
  const { sessions } = options;
  app.openapi(signInRoute, async (c) => {
    const { token } = c.req.valid("json");
    const session = await sessions.signIn({
      token,
      clientAddress: c.get("clientAddress"),
      requestId: c.get("requestId"),
    });
    setSessionCookie(c, session.token, options.publicUrl);
    c.header("cache-control", "no-store");
    return c.json({ token: session.token, expiresAt: toIsoTime(session.expiresAt) }, 200);
  });

  addSessionRoute(app, options.guard);

  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/admin/auth",
      operationId: "adminSignOut",
      tags: ["access"],
      "x-access": "admin",
      security: adminSecurity,
      middleware: options.guard,
      summary: "End this session",
      responses: {
        204: { description: "The session is over" },
        ...problemResponses(...adminErrors, "store_unavailable"),
      },
    }),
    async (c) => {
      const { sessionToken } = c.var;
      if (sessionToken !== undefined) await sessions.signOut(sessionToken, c.var.actor);
      clearSessionCookie(c, options.publicUrl);
      return c.body(null, 204);
    },
  );
}
