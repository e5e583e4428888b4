/** The whole center for administrators: audit, figures, the outbox, the end of all sessions. */
import { createRoute, z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { problemResponses } from "../http/problems.ts";
import { outboxRecordSchema } from "../../records/outbox.ts";
import { auditRecordSchema } from "../../records/audit-chain.ts";
import { auditVerdictSchema, exampleVerdict } from "../../records/audit-view.ts";
import { listAudit, verifyAudit } from "../../records/audit.ts";
import type { Auth } from "../auth.ts";
import { adminErrors } from "../http/admin-guard.ts";
import { pageQuerySchema, toPageView } from "../../kit/http/pages.ts";
import { type AdminMiddleware, adminRoute, recordIdParams } from "../http/admin-views.ts";

const auditEntrySchema = auditRecordSchema.omit({ version: true }).openapi("AuditEntry");

const statsSchema = z
  .object({
    at: z.int(),
    users: z.object({ pending: z.int(), active: z.int(), suspended: z.int(), deleted: z.int() }),
    sessions: z.int().openapi({ description: "That have not expired and were not ended all at once" }),
    registrationsWaiting: z.int(),
    checkInsToday: z.int(),
    outboxWaiting: z.int(),
    signUps: z
      .array(z.object({ day: z.string(), count: z.int() }))
      .openapi({ description: "The last 30 days in UTC, the oldest first" }),
  })
  .openapi("Stats");

const outboxEntrySchema = outboxRecordSchema
  .omit({ version: true, thread: true, sealedText: true, sealedHtml: true, release: true })
  .extend({ text: z.string().openapi({ description: "With codes and links; empty once it was sent" }) })
  .openapi("OutboxEntry");

function addAuditRoutes(app: ServiceApp, auth: Auth, admin: AdminMiddleware): void {
  app.openapi(
    createRoute({
      ...adminRoute("audit", admin),
      method: "get",
      path: "/api/admin/audit",
      operationId: "adminListAudit",
      summary: "Who changed what, when; the newest first",
      request: { query: pageQuerySchema },
      responses: {
        200: jsonResponse(
          "A page of entries",
          z.object({ items: z.array(auditEntrySchema), nextCursor: z.string().optional() }),
        ),
        ...problemResponses(...adminErrors, "bad_request", "invalid"),
      },
    }),
    async (c) => {
      const page = await listAudit(auth.store, c.req.valid("query"));
      return c.json(
        toPageView(page, ({ version: _version, ...entry }) => entry),
        200,
      );
    },
  );

  app.openapi(
    createRoute({
      ...adminRoute("audit", admin),
      method: "get",
      path: "/api/admin/audit/verify",
      operationId: "adminVerifyAudit",
      summary: "Whether the chain of entries is unbroken",
      responses: {
        200: jsonResponse("The verdict", auditVerdictSchema, exampleVerdict),
        ...problemResponses(...adminErrors),
      },
    }),
    async (c) => c.json(await verifyAudit(auth.store), 200),
  );
}

function addStatsRoute(app: ServiceApp, auth: Auth, admin: AdminMiddleware): void {
  app.openapi(
    createRoute({
      ...adminRoute("operation", admin),
      method: "get",
      path: "/api/admin/stats",
      operationId: "adminGetStats",
      summary: "Figures of the whole center",
      responses: { 200: jsonResponse("The figures", statsSchema), ...problemResponses(...adminErrors) },
    }),
    async (c) => {
      const { signUps, ...stats } = await auth.operation.stats();
      return c.json({ ...stats, signUps: [...signUps] }, 200);
    },
  );
}

function addRevokeAllRoute(app: ServiceApp, auth: Auth, admin: AdminMiddleware): void {
  app.openapi(
    createRoute({
      ...adminRoute("users", admin),
      method: "post",
      path: "/api/admin/sessions/revoke-all",
      operationId: "adminRevokeAllSessions",
      summary: "End every session of everybody at once, one's own too",
      request: { body: jsonBody(z.strictObject({ confirm: z.literal(true) }), { confirm: true }) },
      responses: {
        200: jsonResponse("They have ended", z.object({ revokedBefore: z.int() }), {
          revokedBefore: 1_763_640_600_001,
        }),
        ...problemResponses(...adminErrors, ...writeErrors),
      },
    }),
    async (c) => c.json({ revokedBefore: await auth.operation.revokeAllSessions(c.var.actor) }, 200),
  );
}

function addOutboxRoutes(app: ServiceApp, auth: Auth, admin: AdminMiddleware): void {
  app.openapi(
    createRoute({
      ...adminRoute("outbox", admin),
      method: "get",
      path: "/api/admin/outbox",
      operationId: "adminListOutbox",
      summary:
        "Mails, the newest first; one-time codes and links in them are shown to the administrator token while no SMTP server is set",
      request: {
        query: pageQuerySchema.extend({
          state: outboxRecordSchema.shape.state.exclude(["decoy"]).optional(),
        }),
      },
      responses: {
        200: jsonResponse(
          "A page of mails",
          z.object({ items: z.array(outboxEntrySchema), nextCursor: z.string().optional() }),
        ),
        ...problemResponses(...adminErrors, "bad_request", "invalid", "store_unavailable"),
      },
    }),
    async (c) => {
      const { limit, cursor, state } = c.req.valid("query");
      const options = {
        limit,
        ...(cursor === undefined ? {} : { cursor }),
        ...(state === undefined ? {} : { state }),
      };
      const page = await auth.operation.listMails(options, c.var.actor);
      c.header("cache-control", "no-store");
      return c.json(
        toPageView(page, (entry) => entry),
        200,
      );
    },
  );

  app.openapi(
    createRoute({
      ...adminRoute("outbox", admin),
      method: "post",
      path: "/api/admin/outbox/{id}/retry",
      operationId: "adminRetryMail",
      summary: "Try a mail again now that waits or has failed",
      request: { params: recordIdParams },
      responses: {
        204: { description: "It is tried" },
        ...problemResponses(...adminErrors, "invalid", "not_found", "store_unavailable"),
      },
    }),
    async (c) => {
      await auth.operation.retryMail(c.req.valid("param").id, c.var.actor);
      return c.body(null, 204);
    },
  );
}

/** Adds audit, stats, outbox and sessions/revoke-all below /api/admin. */
export function addAdminOperationRoutes(app: ServiceApp, auth: Auth, admin: AdminMiddleware): void {
  addAuditRoutes(app, auth, admin);
  addStatsRoute(app, auth, admin);
  addRevokeAllRoute(app, auth, admin);
  addOutboxRoutes(app, auth, admin);
}
