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
    state: z.enum(inviteStates).openapi({ description: "What it is good for now" }),
    uses: z.array(z.object({ userId: z.string(), at: isoTime })),
  })
  .openapi("Invite");
const toView = createView(inviteSchema);
const newInviteResponse = inviteSchema
  .extend({
    code: z.string().openapi({ description: "Shown this once, kept as a hash" }),
    url: z.string().optional().openapi({ description: "The page that takes it, where it is known" }),
  })
  .openapi("NewInvite");

const useSchema = z
  .object({
    userId: z.string(),
    username: z.string().optional().openapi({ description: "Absent when the account is gone" }),
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
      description: "Contained in the note, the bound address or the beginning of the code",
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
      summary: "Invites, the newest first; a page may be short, or empty, and still have a cursor",
      query,
      run: invites.list,
    },
    change: {
      summary: "Change an invite, or switch it off",
      ifMatch: false,
      body: inviteChangeSchema,
      example: { enabled: false },
      errors: ["conflict"],
      run: (id, change, { actor }) => invites.change(id, { change, actor }),
    },
    remove: {
      summary: "Delete an invite; its code is good for nothing from now on",
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
    summary: "Who used an invite, the last hundred",
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
      "Make an invite; the answer holds its code, this once, and an address that it is bound to is mailed it",
    request: { body: jsonBody(newInviteSchema, exampleNew) },
    responses: { 201: jsonResponse("The invite and its code", newInviteResponse, exampleCode) },
  });
  app.openapi(adminCreateInvite, async (c) => {
    const { mail, language, ...fields } = c.req.valid("json");
    const by = { mailing: { mail, language }, actor: c.var.actor };
    const [made] = await invites.create([fields], by);
    if (made === undefined) throw new Error("No invite was made");
    c.header("cache-control", "no-store");
    return c.json(toNewView(invites, made), 201);
  });

  const adminCreateInvites = createRoute({
    ...adminRoute("invites", admin),
    method: "post",
    path: "/api/admin/invites/bulk",
    operationId: "adminCreateInvites",
    summary:
      "Make up to 500 invites that are alike but for their codes, or one for each of up to 100 addresses",
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
      "Give an invite a new code in the place of the old one, and mail it where it is bound to an address",
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
