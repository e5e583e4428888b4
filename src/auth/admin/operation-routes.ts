/** The whole center for administrators: audit, figures, the outbox, the end of all sessions. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse } from "../../kit/http/schemas.ts";
import { outboxMailSchema, outboxMailStateSchema, toOutboxMailView } from "../../records/outbox-view.ts";
import {
  auditEntrySchema,
  auditEntryView,
  auditQuerySchema,
  auditVerdictSchema,
  exampleVerdict,
} from "../../records/audit-view.ts";
import { listAudit, verifyAudit } from "../../records/audit.ts";
import { createView, isoTime } from "../../kit/http/view.ts";
import { isoTimeSchema, toIsoTime } from "../../kit/text/iso-time.ts";
import type { Store } from "../../store/store.ts";
import type { Operation } from "./operation.ts";
import { pageQuerySchema, pageSchema, toPageView } from "../../kit/http/paging.ts";
import { type AdminMiddleware, adminRoute, recordIdParams } from "../edge/admin-views.ts";
import { createRoute } from "../edge/create-route.ts";
import { statsSchema } from "./schema.ts";
import { FRESH_PROOF } from "../../records/rights/fresh-proof.ts";

const statsViewSchema = z.object({ at: isoTime, ...statsSchema.shape }).openapi("Stats");

const toStats = createView(statsViewSchema);

const outboxEntrySchema = outboxMailSchema
  .extend({
    text: z.string().openapi({ description: "Text with codes and links; empty after the email was sent" }),
  })
  .openapi("OutboxEntry");

interface Parts {
  readonly operation: Operation;
  readonly store: Store;
  readonly admin: AdminMiddleware;
}

function addAuditRoutes(app: ServiceApp, { store, admin }: Parts): void {
  const adminListAudit = createRoute({
    ...adminRoute("audit", admin),
    method: "get",
    path: "/api/admin/audit",
    operationId: "adminListAudit",
    summary: "List audit entries, newest first",
    request: { query: auditQuerySchema },
    responses: { 200: jsonResponse("A page of entries", pageSchema(auditEntrySchema)) },
  });
  app.openapi(adminListAudit, async (c) => {
    const page = await listAudit(store, c.req.valid("query"));
    return c.json(toPageView(page, auditEntryView.show), 200);
  });

  const adminVerifyAudit = createRoute({
    ...adminRoute("audit", admin),
    method: "get",
    path: "/api/admin/audit/verify",
    operationId: "adminVerifyAudit",
    summary: "Verify that the audit log has not been changed",
    responses: { 200: jsonResponse("The result", auditVerdictSchema, exampleVerdict) },
  });
  app.openapi(adminVerifyAudit, async (c) => c.json(await verifyAudit(store), 200));
}

function addStatsRoute(app: ServiceApp, { operation, admin }: Parts): void {
  const route = createRoute({
    ...adminRoute("operation", admin),
    method: "get",
    path: "/api/admin/stats",
    operationId: "adminGetStats",
    "x-scope": "users:read",
    summary: "Get statistics of the auth center",
    responses: { 200: jsonResponse("The statistics", statsViewSchema) },
  });
  app.openapi(route, async (c) => c.json(toStats(await operation.stats()), 200));
}

function addRevokeAllRoute(app: ServiceApp, { operation, admin }: Parts): void {
  const route = createRoute({
    ...adminRoute("users", admin),
    method: "post",
    path: "/api/admin/sessions/revoke-all",
    operationId: "adminRevokeAllSessions",
    "x-scope": "administrator",
    summary: "Revoke every session of all users, including your own",
    request: { body: jsonBody(z.strictObject({ confirm: z.literal(true) }), { confirm: true }) },
    responses: {
      200: jsonResponse("All sessions have ended", z.object({ revokedBefore: isoTimeSchema }), {
        revokedBefore: "2025-11-20T12:10:00.001+00:00",
      }),
    },
  });
  app.openapi(route, async (c) =>
    c.json({ revokedBefore: toIsoTime(await operation.revokeAllSessions(c.var.actor)) }, 200),
  );
}

function addOutboxRoutes(app: ServiceApp, { operation, admin }: Parts): void {
  const route = createRoute({
    ...adminRoute("outbox", admin),
    method: "get",
    [FRESH_PROOF]: true,
    path: "/api/admin/outbox",
    operationId: "adminListOutbox",
    "x-scope": "administrator",
    summary:
      "List emails, newest first. While no mail server is configured, the administrator token sees their one-time codes and links",
    request: {
      query: pageQuerySchema.extend({
        state: outboxMailStateSchema.optional(),
        masked: z
          .enum(["true", "false"])
          .default("false")
          .transform((value) => value === "true")
          .openapi({
            description: "Whether to hide codes and links. The request is not recorded in the audit log then",
          }),
      }),
    },
    responses: { 200: jsonResponse("A page of emails", pageSchema(outboxEntrySchema)) },
    errors: ["bad_request", "invalid", "store_unavailable"],
  });
  app.openapi(route, async (c) => {
    const page = await operation.listMails(c.req.valid("query"), c.var.actor);
    c.header("cache-control", "no-store");
    return c.json(toPageView(page, toOutboxMailView), 200);
  });
}

function addMailRoutes(app: ServiceApp, { operation, admin }: Parts): void {
  const adminRevealMail = createRoute({
    ...adminRoute("outbox", admin),
    method: "post",
    path: "/api/admin/outbox/{id}/reveal",
    operationId: "adminRevealMail",
    "x-scope": "administrator",
    summary: "Get an unsent email with its codes and links. The request is recorded in the audit log",
    request: { params: recordIdParams },
    responses: { 200: jsonResponse("The email", outboxEntrySchema) },
  });
  app.openapi(adminRevealMail, async (c) => {
    const mail = await operation.revealMail(c.req.valid("param").id, c.var.actor);
    c.header("cache-control", "no-store");
    return c.json(toOutboxMailView(mail), 200);
  });

  const adminRetryMail = createRoute({
    ...adminRoute("outbox", admin),
    method: "post",
    [FRESH_PROOF]: false,
    path: "/api/admin/outbox/{id}/retry",
    operationId: "adminRetryMail",
    summary: "Retry a waiting or failed email now",
    request: { params: recordIdParams },
    responses: { 204: { description: "The email is queued for sending" } },
  });
  app.openapi(adminRetryMail, async (c) => {
    await operation.retryMail(c.req.valid("param").id, c.var.actor);
    return c.body(null, 204);
  });
}

/** Adds audit, stats, outbox and sessions/revoke-all below /api/admin. */
export function addAdminOperationRoutes(app: ServiceApp, parts: Parts): void {
  addAuditRoutes(app, parts);
  addStatsRoute(app, parts);
  addRevokeAllRoute(app, parts);
  addOutboxRoutes(app, parts);
  addMailRoutes(app, parts);
}
