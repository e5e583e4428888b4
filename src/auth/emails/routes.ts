/** The e-mail addresses of an account. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import type { Emails } from "./emails.ts";
import { emailPurposeSchema, emailRecordSchema, emailSchema } from "../accounts/schema.ts";
import { type BearerGuard, bearerRoute } from "../sessions/http/bearer-guard.ts";
import { toCaller } from "../sessions/http/callers.ts";
import { codeSchema } from "../edge/views.ts";
import { pageSchema } from "../../kit/http/paging.ts";
import { createView, isoTime } from "../../kit/http/view.ts";
import { createRoute } from "../edge/create-route.ts";

const purposesSchema = z.array(emailPurposeSchema).max(3);
const viewSchema = emailRecordSchema
  .pick({ address: true })
  .extend({
    id: z.string().openapi({ description: '"primary" for the primary address' }),
    primary: z.boolean(),
    verified: z.boolean(),
    purposes: purposesSchema,
    createdAt: isoTime,
  })
  .openapi("EmailAddress");
const toView = createView(viewSchema);
const listSchema = pageSchema(viewSchema);
const example = {
  id: "eml_01jd5v6m0c8f3k2n7q4x9y1z5a",
  address: "ann@work.example",
  primary: false,
  verified: false,
  purposes: ["login", "recovery"],
  createdAt: "2025-11-20T12:10:00.000+00:00",
};
const idParam = z.object({ id: z.string().min(1).max(100) });
const changeErrors = ["forbidden", "reauth_required", "invalid", "not_found", "store_unavailable"] as const;

interface Parts {
  readonly emails: Emails;
  readonly bearer: BearerGuard;
}

function addList(app: ServiceApp, { emails, bearer }: Parts): void {
  const list = createRoute({
    ...bearerRoute("e-mails", bearer, "email"),
    method: "get",
    path: "/api/auth/emails",
    operationId: "listEmails",
    summary: "List the email addresses of the account, primary address first",
    responses: { 200: jsonResponse("The email addresses", listSchema, { items: [example] }) },
  });
  app.openapi(list, async (c) => {
    const items = await emails.list(c.var.subject.user.id);
    return c.json({ items: items.map((item) => toView(item)) }, 200);
  });

  const add = createRoute({
    ...bearerRoute("e-mails", bearer),
    method: "post",
    path: "/api/auth/emails",
    operationId: "addEmail",
    summary: "Add an email address (up to five) and send it a verification code",
    request: {
      body: jsonBody(
        z.strictObject({ address: emailSchema, purposes: purposesSchema.default(["login", "recovery"]) }),
        {
          address: "ann@work.example",
        },
      ),
    },
    responses: { 201: jsonResponse("The unverified email address", viewSchema, example) },
    errors: [...writeErrors, "forbidden", "reauth_required", "email_limit", "already_exists"],
  });
  app.openapi(add, async (c) => {
    const view = await emails.add(c.var.subject, { ...c.req.valid("json"), caller: toCaller(c) });
    return c.json(toView(view), 201);
  });
}

function addProof(app: ServiceApp, { emails, bearer }: Parts): void {
  const send = createRoute({
    ...bearerRoute("e-mails", bearer),
    method: "post",
    path: "/api/auth/emails/{id}/send-code",
    operationId: "sendEmailAddressCode",
    summary: "Send a new verification code",
    request: { params: idParam },
    responses: {
      202: jsonResponse(
        "The code was sent, unless a rate limit applies",
        z.object({ status: z.literal("sent") }),
        {
          status: "sent",
        },
      ),
    },
    errors: ["forbidden", "invalid", "not_found", "conflict", "store_unavailable"],
  });
  app.openapi(send, async (c) => {
    await emails.sendCode(c.var.subject, { id: c.req.valid("param").id, caller: toCaller(c) });
    return c.json({ status: "sent" as const }, 202);
  });

  const verify = createRoute({
    ...bearerRoute("e-mails", bearer),
    method: "post",
    path: "/api/auth/emails/{id}/verify",
    operationId: "verifyEmailAddress",
    summary: "Verify the email address with its code",
    request: {
      params: idParam,
      body: jsonBody(z.strictObject({ code: codeSchema }), { code: "1234 5678" }),
    },
    responses: { 200: jsonResponse("The email address", viewSchema, { ...example, verified: true }) },
    errors: [...writeErrors, "forbidden", "not_found", "code_invalid", "too_many_attempts", "email_taken"],
  });
  app.openapi(verify, async (c) => {
    const { code } = c.req.valid("json");
    const { id } = c.req.valid("param");
    const view = await emails.verify(c.var.subject, { id, code, caller: toCaller(c) });
    return c.json(toView(view), 200);
  });
}

function addChange(app: ServiceApp, { emails, bearer }: Parts): void {
  const primary = createRoute({
    ...bearerRoute("e-mails", bearer),
    method: "post",
    path: "/api/auth/emails/{id}/primary",
    operationId: "makeEmailPrimary",
    summary: "Make a verified email address the primary one. The previous address is notified",
    request: { params: idParam },
    responses: { 200: jsonResponse("The email addresses", listSchema, { items: [example] }) },
    errors: [...changeErrors, "conflict"],
  });
  app.openapi(primary, async (c) => {
    const { id } = c.req.valid("param");
    const items = await emails.makePrimary(c.var.subject, { id, caller: toCaller(c) });
    return c.json({ items: items.map((item) => toView(item)) }, 200);
  });

  const change = createRoute({
    ...bearerRoute("e-mails", bearer),
    method: "patch",
    path: "/api/auth/emails/{id}",
    operationId: "changeEmail",
    summary: "Set the purposes of an email address",
    request: {
      params: idParam,
      body: jsonBody(z.strictObject({ purposes: purposesSchema }), { purposes: ["recovery"] }),
    },
    responses: { 200: jsonResponse("The email address", viewSchema, example) },
    errors: [...changeErrors, ...writeErrors, "last_login_email"],
  });
  app.openapi(change, async (c) => {
    const { purposes } = c.req.valid("json");
    const { id } = c.req.valid("param");
    const view = await emails.setPurposes(c.var.subject, { id, purposes, caller: toCaller(c) });
    return c.json(toView(view), 200);
  });

  const remove = createRoute({
    ...bearerRoute("e-mails", bearer),
    method: "delete",
    path: "/api/auth/emails/{id}",
    operationId: "removeEmail",
    summary: "Remove an email address other than the primary one",
    request: { params: idParam },
    responses: { 204: { description: "Deleted" } },
    errors: [...changeErrors, "last_login_email"],
  });
  app.openapi(remove, async (c) => {
    await emails.remove(c.var.subject, { id: c.req.valid("param").id, caller: toCaller(c) });
    return c.body(null, 204);
  });
}

/** Adds the routes below /api/auth/emails. */
export function addEmailRoutes(app: ServiceApp, parts: Parts): void {
  addList(app, parts);
  addProof(app, parts);
  addChange(app, parts);
}
