/** The account of who asks: its settings, its sessions and applications, its events, its export and its end. */
import { createRoute, z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse, readIfMatch, writeErrors } from "../../kit/http/schemas.ts";
import { problemResponses } from "../http/problems.ts";
import { timeZone } from "../../kit/text/schemas.ts";
import type { Auth } from "../auth.ts";
import type { Subject } from "../caller.ts";
import { listEvents } from "../accounts/events.ts";
import { localeSchema, usernameSchema } from "../accounts/schema.ts";
import { type BearerGuard, bearerErrors, bearerSecurity } from "../http/bearer-guard.ts";
import { toCaller } from "../http/callers.ts";
import { type MeView, exampleMe, meSchema, toMeView } from "../http/views.ts";

function common(bearer: BearerGuard) {
  return { tags: ["account"], "x-access": "user" as const, security: bearerSecurity, middleware: bearer };
}

function toMe({ user, session, displayName }: Subject): MeView {
  return toMeView(user, { displayName, impersonatedBy: session.impersonatedBy });
}

function addAccount(app: ServiceApp, auth: Auth, bearer: BearerGuard): void {
  const read = createRoute({
    ...common(bearer),
    method: "get",
    path: "/api/auth/me",
    operationId: "getMe",
    summary: "The account of who asks",
    responses: {
      200: jsonResponse("The account", meSchema, exampleMe),
      ...problemResponses(...bearerErrors),
    },
  });
  app.openapi(read, (c) => {
    const me = toMe(c.var.subject);
    c.header("etag", `"${me.version}"`);
    return c.json(me, 200);
  });

  const change = createRoute({
    ...common(bearer),
    method: "patch",
    path: "/api/auth/me",
    operationId: "changeMe",
    summary: "Change username (after a recent sign-in), language or time zone, or accept new terms",
    request: {
      body: jsonBody(
        z.strictObject({
          username: usernameSchema.optional(),
          locale: localeSchema.optional(),
          timeZone: timeZone.optional(),
          termsVersion: z.string().max(40).optional(),
        }),
        { timeZone: "Europe/Berlin" },
      ),
    },
    responses: {
      200: jsonResponse("The account as it is now", meSchema, exampleMe),
      ...problemResponses(
        ...bearerErrors,
        ...writeErrors,
        "forbidden",
        "reauth_required",
        "username_taken",
        "terms_required",
        "stale_version",
      ),
    },
  });
  app.openapi(change, async (c) => {
    const { subject } = c.var;
    const version = readIfMatch(c.req.header("if-match"));
    const user = await auth.me.change(subject, { change: c.req.valid("json"), version });
    const me = toMe({ ...subject, user });
    c.header("etag", `"${me.version}"`);
    return c.json(me, 200);
  });
}

function addEnd(app: ServiceApp, auth: Auth, bearer: BearerGuard): void {
  const remove = createRoute({
    ...common(bearer),
    method: "delete",
    path: "/api/auth/me",
    operationId: "deleteMe",
    summary: "Delete the account in 14 days; until then POST /api/auth/me/restore brings it back",
    responses: {
      200: jsonResponse("It is scheduled, and all sessions have ended", z.object({ purgeAfter: z.int() }), {
        purgeAfter: 1_763_640_600_000,
      }),
      ...problemResponses(...bearerErrors, "forbidden", "reauth_required", "last_admin", "store_unavailable"),
    },
  });
  app.openapi(remove, async (c) => {
    const purgeAfter = await auth.me.remove(c.var.subject, toCaller(c));
    return c.json({ purgeAfter }, 200);
  });

  const exported = createRoute({
    ...common(bearer),
    method: "post",
    path: "/api/auth/me/export",
    operationId: "exportMe",
    summary: "Everything that is kept about the account, without secrets (after a recent sign-in)",
    responses: {
      200: jsonResponse("All records", z.looseObject({ exportedAt: z.int(), user: z.looseObject({}) })),
      ...problemResponses(...bearerErrors, "forbidden", "reauth_required", "store_unavailable"),
    },
  });
  app.openapi(exported, async (c) => {
    const everything = await auth.me.export(c.var.subject, toCaller(c));
    c.header("cache-control", "no-store");
    c.header("content-disposition", 'attachment; filename="account.json"');
    return c.json(everything, 200);
  });
}

function addEvents(app: ServiceApp, auth: Auth, bearer: BearerGuard): void {
  const page = z.object({
    items: z.array(
      z.object({
        id: z.string(),
        at: z.int(),
        kind: z.string(),
        clientId: z.string(),
        ipPrefix: z.string(),
        userAgent: z.string(),
        sessionId: z.string().optional(),
      }),
    ),
    nextCursor: z.string().optional(),
  });
  const route = createRoute({
    ...common(bearer),
    method: "get",
    path: "/api/auth/security/events",
    operationId: "listSecurityEvents",
    summary: "What happened to the account, the newest first",
    request: {
      query: z.object({
        limit: z.coerce.number().int().min(1).max(200).default(50),
        cursor: z.string().max(512).optional(),
      }),
    },
    responses: {
      200: jsonResponse("A page of events", page),
      ...problemResponses(...bearerErrors, "bad_request", "invalid"),
    },
  });
  app.openapi(route, async (c) => {
    const { limit, cursor } = c.req.valid("query");
    const found = await listEvents(auth.store, { userId: c.var.subject.user.id, limit, cursor });
    const items = found.items.map(({ version: _version, userId: _userId, ...event }) => event);
    return c.json(
      { items, ...(found.nextCursor === undefined ? {} : { nextCursor: found.nextCursor }) },
      200,
    );
  });
}

/** Adds the routes of the account itself. */
export function addMeRoutes(app: ServiceApp, auth: Auth, options: { bearer: BearerGuard }): void {
  addAccount(app, auth, options.bearer);
  addEnd(app, auth, options.bearer);
  addEvents(app, auth, options.bearer);
}
