/** Invites for administrators: list, make one or many, change, delete. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { createView, isoTime } from "../../kit/http/view.ts";
import type { Invites, NewInvite } from "./invite-admin.ts";
import {
  bulkInvitesSchema,
  inviteChangeSchema,
  inviteStates,
  mailing,
  newInviteSchema,
} from "./invite-schema.ts";
import { type InviteRecord, inviteRecordSchema } from "./schema.ts";
import { pageQuerySchema, pageSchema } from "../../kit/http/paging.ts";
import { type AdminMiddleware, adminRoute, recordIdParams } from "../edge/admin-views.ts";
import { createRoute, resourceRoutes } from "../edge/create-route.ts";

const inviteSchema = inviteRecordSchema
  .omit({ version: true, codeHash: true })
  .extend({
    expiresAt: isoTime.optional(),
    createdAt: isoTime,
    mailedAt: isoTime.optional(),
    state: z.enum(inviteStates).openapi({ description: "Current state of the invite" }),
    uses: z.array(z.object({ userId: z.string(), at: isoTime })),
  })
  .openapi("Invite");
const toView = createView(inviteSchema);
const newInviteResponse = inviteSchema
  .extend({
    code: z.string().openapi({ description: "Shown only in this response; Trivet stores only a hash" }),
    url: z
      .string()
      .optional()
      .openapi({ description: "URL of the registration page with this code, if known" }),
  })
  .openapi("NewInvite");

const useSchema = z
  .object({
    userId: z.string(),
    username: z.string().optional().openapi({ description: "Absent if the account was deleted" }),
    at: isoTime,
  })
  .openapi("InviteUse");
const toUse = createView(useSchema);

const exampleInvite = {
  id: "ivt_01jd5v6m0c8f3k2n7q4x9y1z5a",
  prefix: "inv-7k3m",
  maxUses: 1,
  usedCount: 0,
  expiresAt: "2025-12-20T12:10:00.000+00:00",
  emailDomains: ["example.org"],
  enabled: true,
  note: "For the new colleague",
  state: "open",
  createdAt: "2025-11-20T12:10:00.000+00:00",
  uses: [],
} as const;
const exampleUse = {
  userId: "usr_01jd5v6m0c8f3k2n7q4x9y1z5a",
  username: "ann",
  at: "2025-11-21T08:00:00.000+00:00",
};
const exampleCode = { ...exampleInvite, code: "inv-7k3m9-…" };
const exampleNew = { maxUses: 1, ttlDays: 14, emailDomains: ["example.org"], note: "For the new colleague" };

interface Parts {
  readonly invites: Invites;
  readonly admin: AdminMiddleware;
}

/** An invite with a new code. */
function toNewView(invites: Invites, { invite, code, url }: NewInvite): z.infer<typeof newInviteResponse> {
  return { ...toView(invite, { state: invites.stateOf(invite) }), code, url };
}

function addInvites(app: ServiceApp, { invites, admin }: Parts): void {
  const query = pageQuerySchema.extend({
    state: z.enum(inviteStates).optional(),
    q: z.string().max(254).optional().openapi({
      description: "Text in the note, the bound email address or the start of the code",
    }),
  });
  resourceRoutes(app, {
    route: adminRoute("invites", admin),
    path: "/api/admin/invites",
    name: "Invite",
    noun: "invite",
    params: recordIdParams,
    view: inviteSchema,
    example: exampleInvite,
    show: (invite: InviteRecord) => toView(invite, { state: invites.stateOf(invite) }),
    list: {
      summary: "List invites, newest first. A page can be short or empty and still have a nextCursor",
      query,
      run: invites.list,
    },
    change: {
      summary: "Change or disable an invite",
      ifMatch: false,
      body: inviteChangeSchema,
      example: { enabled: false },
      errors: ["conflict"],
      run: (id, change, { actor }) => invites.change(id, { change, actor }),
    },
    remove: {
      summary: "Delete an invite. Its code stops working immediately",
      run: (id, { actor }) => invites.remove(id, actor),
    },
  });
}

function addUsesRoute(app: ServiceApp, { invites, admin }: Parts): void {
  const adminListInviteUses = createRoute({
    ...adminRoute("invites", admin),
    method: "get",
    path: "/api/admin/invites/{id}/uses",
    operationId: "adminListInviteUses",
    summary: "List the last 100 uses of an invite",
    request: { params: recordIdParams },
    responses: { 200: jsonResponse("The uses", pageSchema(useSchema), { items: [exampleUse] }) },
  });
  app.openapi(adminListInviteUses, async (c) => {
    const uses = await invites.listUses(c.req.valid("param").id);
    return c.json({ items: uses.map((use) => toUse(use)) }, 200);
  });
}

function addCreateRoutes(app: ServiceApp, { invites, admin }: Parts): void {
  const adminCreateInvite = createRoute({
    ...adminRoute("invites", admin),
    method: "post",
    path: "/api/admin/invites",
    operationId: "adminCreateInvite",
    summary:
      "Create an invite. Only this response contains its code. If the invite is bound to an email address, the code is sent there",
    request: { body: jsonBody(newInviteSchema, exampleNew) },
    responses: { 201: jsonResponse("The invite and its code", newInviteResponse, exampleCode) },
  });
  app.openapi(adminCreateInvite, async (c) => {
    const { mail, language, ...fields } = c.req.valid("json");
    const by = { mailing: { mail, language }, actor: c.var.actor };
    const [made] = await invites.create([fields], by);
    if (made === undefined) throw new Error("No invite was created");
    c.header("cache-control", "no-store");
    return c.json(toNewView(invites, made), 201);
  });

  const adminCreateInvites = createRoute({
    ...adminRoute("invites", admin),
    method: "post",
    path: "/api/admin/invites/bulk",
    operationId: "adminCreateInvites",
    summary: "Create up to 500 invites with the same settings, or one for each of up to 100 email addresses",
    request: { body: jsonBody(bulkInvitesSchema, { ...exampleNew, count: 20 }) },
    responses: { 201: jsonResponse("The invites and their codes", pageSchema(newInviteResponse)) },
  });
  app.openapi(adminCreateInvites, async (c) => {
    const { count, mail, language, boundEmails, ...fields } = c.req.valid("json");
    const all = boundEmails?.map((boundEmail) => ({ ...fields, boundEmail }));
    // Many codes for one mailbox are for who hands them out.
    const mailing = { mail: mail && all !== undefined, language };
    const by = { mailing, actor: c.var.actor };
    const made = await invites.create(all ?? Array.from({ length: count ?? 1 }, () => fields), by);
    c.header("cache-control", "no-store");
    return c.json({ items: made.map((each) => toNewView(invites, each)) }, 201);
  });
}

function addRenewRoute(app: ServiceApp, { invites, admin }: Parts): void {
  const adminRenewInvite = createRoute({
    ...adminRoute("invites", admin),
    method: "post",
    path: "/api/admin/invites/{id}/renew",
    operationId: "adminRenewInvite",
    summary:
      "Replace the code of an invite. If the invite is bound to an email address, the new code is sent there",
    request: {
      params: recordIdParams,
      body: jsonBody(z.strictObject(mailing), { mail: true, language: "de" }),
    },
    responses: { 200: jsonResponse("The invite and its new code", newInviteResponse, exampleCode) },
    errors: [...writeErrors, "not_found", "conflict"],
  });
  app.openapi(adminRenewInvite, async (c) => {
    const by = { mailing: c.req.valid("json"), actor: c.var.actor };
    const made = await invites.renew(c.req.valid("param").id, by);
    c.header("cache-control", "no-store");
    return c.json(toNewView(invites, made), 200);
  });
}

/** Adds the routes below /api/admin/invites. */
export function addAdminInviteRoutes(app: ServiceApp, parts: Parts): void {
  addInvites(app, parts);
  addUsesRoute(app, parts);
  addCreateRoutes(app, parts);
  addRenewRoute(app, parts);
}
