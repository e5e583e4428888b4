/** Invites for administrators: list, make one or many, change, delete. */
import { createRoute, z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { problemResponses } from "../http/problems.ts";
import { line } from "../../kit/text/schemas.ts";
import { createView, isoTime } from "../../kit/http/view.ts";
import { isoTimeMs } from "../../kit/text/iso-time.ts";
import type { Invites } from "./invite-admin.ts";
import { inviteRecordSchema } from "../ledger-schema.ts";
import { domainSchema } from "../settings/schema.ts";
import { emailSchema } from "../accounts/schema.ts";
import { adminErrors } from "../http/admin-guard.ts";
import { pageQuerySchema, pageSchema, toPageView } from "../../kit/http/pages.ts";
import { type AdminMiddleware, adminRoute, recordIdParams } from "../http/admin-views.ts";

const maxUses = z.number().int().min(1).max(100_000);
const emailDomains = z.array(domainSchema).max(50);
const limits = {
  maxUses: maxUses.optional(),
  ttlDays: z.number().int().min(0).max(3_650).optional().openapi({ description: "0: never expires" }),
  expiresAt: isoTimeMs.optional(),
  boundEmail: emailSchema.optional(),
  emailDomains: emailDomains.optional(),
  note: line(200).optional(),
};

const onlyOneEnd = {
  path: ["ttlDays"],
  error: "must not be there together with expiresAt",
};
function hasOneEnd(fields: { ttlDays?: number; expiresAt?: number }): boolean {
  return fields.ttlDays === undefined || fields.expiresAt === undefined;
}

const newInviteSchema = z.strictObject(limits).refine(hasOneEnd, onlyOneEnd);
const bulkSchema = z
  .strictObject({ ...limits, count: z.number().int().min(1).max(500) })
  .refine(hasOneEnd, onlyOneEnd);
const changeSchema = z.strictObject({
  maxUses: maxUses.optional(),
  expiresAt: isoTimeMs.nullable().optional(),
  boundEmail: emailSchema.nullable().optional(),
  emailDomains: emailDomains.optional(),
  note: line(200).optional(),
  enabled: z.boolean().optional(),
});

const inviteSchema = inviteRecordSchema
  .omit({ version: true, codeHash: true })
  .extend({
    expiresAt: isoTime.optional(),
    createdAt: isoTime,
    uses: z.array(z.object({ userId: z.string(), at: isoTime })),
  })
  .openapi("Invite");
const toView = createView(inviteSchema);
const newInviteResponse = inviteSchema
  .extend({ code: z.string().openapi({ description: "Shown this once, kept as a hash" }) })
  .openapi("NewInvite");

const exampleInvite = {
  id: "ivt_01jd5v6m0c8f3k2n7q4x9y1z5a",
  prefix: "inv-7k3m",
  maxUses: 1,
  usedCount: 0,
  expiresAt: "2025-12-20T12:10:00.000+00:00",
  emailDomains: ["example.org"],
  enabled: true,
  note: "For the new colleague",
  createdAt: "2025-11-20T12:10:00.000+00:00",
  uses: [],
};
const exampleNew = { maxUses: 1, ttlDays: 14, emailDomains: ["example.org"], note: "For the new colleague" };

interface Parts {
  readonly invites: Invites;
  readonly admin: AdminMiddleware;
}

function addListRoute(app: ServiceApp, { invites, admin }: Parts): void {
  app.openapi(
    createRoute({
      ...adminRoute("invites", admin),
      method: "get",
      path: "/api/admin/invites",
      operationId: "adminListInvites",
      summary: "Invites, the newest first",
      request: { query: pageQuerySchema },
      responses: {
        200: jsonResponse("A page of invites", pageSchema(inviteSchema), { items: [exampleInvite] }),
        ...problemResponses(...adminErrors, "bad_request", "invalid"),
      },
    }),
    async (c) =>
      c.json(
        toPageView(await invites.list(c.req.valid("query")), (invite) => toView(invite)),
        200,
      ),
  );
}

function addCreateRoutes(app: ServiceApp, { invites, admin }: Parts): void {
  app.openapi(
    createRoute({
      ...adminRoute("invites", admin),
      method: "post",
      path: "/api/admin/invites",
      operationId: "adminCreateInvite",
      summary: "Make an invite; the answer holds its code, this once",
      request: { body: jsonBody(newInviteSchema, exampleNew) },
      responses: {
        201: jsonResponse("The invite and its code", newInviteResponse, {
          ...exampleInvite,
          code: "inv-7k3m9-…",
        }),
        ...problemResponses(...adminErrors, ...writeErrors),
      },
    }),
    async (c) => {
      const [made] = await invites.create(c.req.valid("json"), { count: 1, actor: c.var.actor });
      if (made === undefined) throw new Error("No invite was made");
      c.header("cache-control", "no-store");
      return c.json({ ...toView(made.invite), code: made.code }, 201);
    },
  );

  app.openapi(
    createRoute({
      ...adminRoute("invites", admin),
      method: "post",
      path: "/api/admin/invites/bulk",
      operationId: "adminCreateInvites",
      summary: "Make up to 500 invites that are alike but for their codes",
      request: { body: jsonBody(bulkSchema, { ...exampleNew, count: 20 }) },
      responses: {
        201: jsonResponse("The invites and their codes", pageSchema(newInviteResponse)),
        ...problemResponses(...adminErrors, ...writeErrors),
      },
    }),
    async (c) => {
      const { count, ...fields } = c.req.valid("json");
      const made = await invites.create(fields, { count, actor: c.var.actor });
      c.header("cache-control", "no-store");
      return c.json({ items: made.map(({ invite, code }) => ({ ...toView(invite), code })) }, 201);
    },
  );
}

function addChangeRoutes(app: ServiceApp, { invites, admin }: Parts): void {
  app.openapi(
    createRoute({
      ...adminRoute("invites", admin),
      method: "patch",
      path: "/api/admin/invites/{id}",
      operationId: "adminChangeInvite",
      summary: "Change an invite, or switch it off",
      request: { params: recordIdParams, body: jsonBody(changeSchema, { enabled: false }) },
      responses: {
        200: jsonResponse("The invite as it is now", inviteSchema, exampleInvite),
        ...problemResponses(...adminErrors, ...writeErrors, "not_found", "conflict"),
      },
    }),
    async (c) => {
      const options = { change: c.req.valid("json"), actor: c.var.actor };
      return c.json(toView(await invites.change(c.req.valid("param").id, options)), 200);
    },
  );

  app.openapi(
    createRoute({
      ...adminRoute("invites", admin),
      method: "delete",
      path: "/api/admin/invites/{id}",
      operationId: "adminDeleteInvite",
      summary: "Delete an invite; its code is good for nothing from now on",
      request: { params: recordIdParams },
      responses: {
        204: { description: "It is gone" },
        ...problemResponses(...adminErrors, "invalid", "not_found", "store_unavailable"),
      },
    }),
    async (c) => {
      await invites.remove(c.req.valid("param").id, c.var.actor);
      return c.body(null, 204);
    },
  );
}

/** Adds the routes below /api/admin/invites. */
export function addAdminInviteRoutes(app: ServiceApp, parts: Parts): void {
  addListRoute(app, parts);
  addCreateRoutes(app, parts);
  addChangeRoutes(app, parts);
}
