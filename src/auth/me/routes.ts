/** The account of who asks: its settings, its sessions and applications, its events, its export and its end. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { ifMatchHeader, jsonBody, jsonResponse, readIfMatch, writeErrors } from "../../kit/http/schemas.ts";
import { timeZone } from "../../kit/text/schemas.ts";
import type { Subject } from "../sessions/subject.ts";
import { pageQuerySchema, pageSchema, toPageView } from "../../kit/http/paging.ts";
import { isoTimeSchema, toIsoTime } from "../../kit/text/iso-time.ts";
import type { Store } from "../../store/store.ts";
import type { Me } from "./me.ts";
import { listEvents } from "../accounts/events.ts";
import { localeSchema, usernameSchema } from "../accounts/schema.ts";
import { type BearerGuard, bearerRoute } from "../sessions/http/bearer-guard.ts";
import { toCaller } from "../sessions/http/callers.ts";
import { eventSchema, toEvent } from "../sessions/session-views.ts";
import { type MeView, exampleMe, meSchema, toMeView } from "../edge/views.ts";
import { createRoute } from "../edge/create-route.ts";

interface Parts {
  readonly me: Me;
  readonly store: Store;
  readonly bearer: BearerGuard;
}

function toMe({ user, session, displayName }: Subject): MeView {
  return toMeView(user, { displayName, impersonatedBy: session.impersonatedBy });
}

function addAccount(app: ServiceApp, { me, bearer }: Parts): void {
  const read = createRoute({
    ...bearerRoute("account", bearer, "profile email"),
    method: "get",
    path: "/api/auth/me",
    operationId: "getMe",
    summary: "Get the caller's account",
    responses: { 200: jsonResponse("The account", meSchema, exampleMe) },
  });
  app.openapi(read, (c) => {
    const view = toMe(c.var.subject);
    c.header("etag", `"${view.version}"`);
    return c.json(view, 200);
  });

  const change = createRoute({
    ...bearerRoute("account", bearer),
    method: "patch",
    path: "/api/auth/me",
    operationId: "changeMe",
    summary: "Change the username (requires a recent sign-in), language or time zone, or accept new terms",
    request: {
      headers: ifMatchHeader,
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
    responses: { 200: jsonResponse("The updated account", meSchema, exampleMe) },
    errors: [
      ...writeErrors,
      "forbidden",
      "reauth_required",
      "username_taken",
      "terms_required",
      "stale_version",
    ],
  });
  app.openapi(change, async (c) => {
    const { subject } = c.var;
    const version = readIfMatch(c.req.header("if-match"));
    const user = await me.change(subject, { change: c.req.valid("json"), version });
    const view = toMe({ ...subject, user });
    c.header("etag", `"${view.version}"`);
    return c.json(view, 200);
  });
}

function addEnd(app: ServiceApp, { me, bearer }: Parts): void {
  const remove = createRoute({
    ...bearerRoute("account", bearer),
    method: "delete",
    path: "/api/auth/me",
    operationId: "deleteMe",
    summary:
      "Schedule the account for deletion in 14 days. Until then, POST /api/auth/me/restore restores it",
    responses: {
      200: jsonResponse(
        "The deletion is scheduled, and all sessions have ended",
        z.object({ purgeAfter: isoTimeSchema }),
        {
          purgeAfter: "2025-12-04T12:10:00.000+00:00",
        },
      ),
    },
    errors: ["forbidden", "reauth_required", "last_admin", "store_unavailable"],
  });
  app.openapi(remove, async (c) => {
    const purgeAfter = toIsoTime(await me.remove(c.var.subject, toCaller(c)));
    return c.json({ purgeAfter }, 200);
  });

  const exported = createRoute({
    ...bearerRoute("account", bearer),
    method: "post",
    path: "/api/auth/me/export",
    operationId: "exportMe",
    summary: "Export all data stored about the account, without secrets. Requires a recent sign-in",
    responses: {
      200: jsonResponse(
        "The exported data",
        z.looseObject({ exportedAt: isoTimeSchema, user: z.looseObject({}) }),
      ),
    },
    errors: ["forbidden", "reauth_required", "store_unavailable"],
  });
  app.openapi(exported, async (c) => {
    const everything = await me.export(c.var.subject, toCaller(c));
    c.header("cache-control", "no-store");
    c.header("content-disposition", 'attachment; filename="account.json"');
    return c.json(everything, 200);
  });
}

function addEvents(app: ServiceApp, { store, bearer }: Parts): void {
  const route = createRoute({
    ...bearerRoute("account", bearer),
    method: "get",
    path: "/api/auth/security/events",
    operationId: "listSecurityEvents",
    summary: "List the events of the account, newest first",
    request: {
      query: pageQuerySchema,
    },
    responses: { 200: jsonResponse("A page of events", pageSchema(eventSchema)) },
  });
  app.openapi(route, async (c) => {
    const page = await listEvents(store, { userId: c.var.subject.user.id, ...c.req.valid("query") });
    return c.json(toPageView(page, toEvent), 200);
  });
}

/** Adds the routes of the account itself. */
export function addMeRoutes(app: ServiceApp, parts: Parts): void {
  addAccount(app, parts);
  addEnd(app, parts);
  addEvents(app, parts);
}
