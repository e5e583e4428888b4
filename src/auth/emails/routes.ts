/** The e-mail addresses of an account. */
import { createRoute, z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { problemResponses } from "../http/problems.ts";
import type { Auth } from "../auth.ts";
import type { EmailView } from "./emails.ts";
import { emailPurposeSchema, emailSchema } from "../accounts/schema.ts";
import { type BearerGuard, bearerErrors, bearerSecurity } from "../http/bearer-guard.ts";
import { toCaller } from "../http/callers.ts";

const purposesSchema = z.array(emailPurposeSchema).max(3);
const viewSchema = z
  .object({
    id: z.string().openapi({ description: '"primary" for the primary address' }),
    address: z.string(),
    primary: z.boolean(),
    verified: z.boolean(),
    purposes: purposesSchema,
    createdAt: z.int(),
  })
  .openapi("EmailAddress");
const listSchema = z.object({ items: z.array(viewSchema) });
const example = {
  id: "eml_01jd5v6m0c8f3k2n7q4x9y1z5a",
  address: "ann@work.example",
  primary: false,
  verified: false,
  purposes: ["login", "recovery"],
  createdAt: 1_763_640_600_000,
};
const idParam = z.object({ id: z.string().min(1).max(100) });
const changeErrors = [
  ...bearerErrors,
  "forbidden",
  "reauth_required",
  "invalid",
  "not_found",
  "store_unavailable",
] as const;

function toBody({ purposes, ...view }: EmailView): z.infer<typeof viewSchema> {
  return { ...view, purposes: [...purposes] };
}

function common(bearer: BearerGuard) {
  return { tags: ["e-mails"], "x-access": "user" as const, security: bearerSecurity, middleware: bearer };
}

function addList(app: ServiceApp, auth: Auth, bearer: BearerGuard): void {
  const list = createRoute({
    ...common(bearer),
    method: "get",
    path: "/api/auth/emails",
    operationId: "listEmails",
    summary: "The addresses of the account, the primary one first",
    responses: {
      200: jsonResponse("The addresses", listSchema, { items: [example] }),
      ...problemResponses(...bearerErrors),
    },
  });
  app.openapi(list, async (c) => {
    const items = await auth.emails.list(c.var.subject.user.id);
    return c.json({ items: items.map(toBody) }, 200);
  });

  const add = createRoute({
    ...common(bearer),
    method: "post",
    path: "/api/auth/emails",
    operationId: "addEmail",
    summary: "Add an address and send it a code; at most five",
    request: {
      body: jsonBody(
        z.object({ address: emailSchema, purposes: purposesSchema.default(["login", "recovery"]) }),
        {
          address: "ann@work.example",
        },
      ),
    },
    responses: {
      201: jsonResponse("The address, to be verified", viewSchema, example),
      ...problemResponses(
        ...bearerErrors,
        ...writeErrors,
        "forbidden",
        "reauth_required",
        "email_limit",
        "already_exists",
      ),
    },
  });
  app.openapi(add, async (c) => {
    const view = await auth.emails.add(c.var.subject, { ...c.req.valid("json"), caller: toCaller(c) });
    return c.json(toBody(view), 201);
  });
}

function addProof(app: ServiceApp, auth: Auth, bearer: BearerGuard): void {
  const send = createRoute({
    ...common(bearer),
    method: "post",
    path: "/api/auth/emails/{id}/send-code",
    operationId: "sendEmailAddressCode",
    summary: "Send the address a new code",
    request: { params: idParam },
    responses: {
      202: jsonResponse("On its way, within the limits", z.object({ status: z.literal("sent") }), {
        status: "sent",
      }),
      ...problemResponses(
        ...bearerErrors,
        "forbidden",
        "invalid",
        "not_found",
        "conflict",
        "store_unavailable",
      ),
    },
  });
  app.openapi(send, async (c) => {
    await auth.emails.sendCode(c.var.subject, { id: c.req.valid("param").id, caller: toCaller(c) });
    return c.json({ status: "sent" as const }, 202);
  });

  const verify = createRoute({
    ...common(bearer),
    method: "post",
    path: "/api/auth/emails/{id}/verify",
    operationId: "verifyEmailAddress",
    summary: "Prove the address with its code",
    request: {
      params: idParam,
      body: jsonBody(z.object({ code: z.string().min(1).max(20) }), { code: "1234 5678" }),
    },
    responses: {
      200: jsonResponse("The address", viewSchema, { ...example, verified: true }),
      ...problemResponses(
        ...bearerErrors,
        ...writeErrors,
        "forbidden",
        "not_found",
        "code_invalid",
        "too_many_attempts",
        "email_taken",
      ),
    },
  });
  app.openapi(verify, async (c) => {
    const code = c.req.valid("json").code.replaceAll(/\s/gu, "");
    const { id } = c.req.valid("param");
    const view = await auth.emails.verify(c.var.subject, { id, code, caller: toCaller(c) });
    return c.json(toBody(view), 200);
  });
}

function addChange(app: ServiceApp, auth: Auth, bearer: BearerGuard): void {
  const primary = createRoute({
    ...common(bearer),
    method: "post",
    path: "/api/auth/emails/{id}/primary",
    operationId: "makeEmailPrimary",
    summary: "Make a verified address the primary one; the old one is told",
    request: { params: idParam },
    responses: {
      200: jsonResponse("The addresses", listSchema, { items: [example] }),
      ...problemResponses(...changeErrors, "conflict"),
    },
  });
  app.openapi(primary, async (c) => {
    const { id } = c.req.valid("param");
    const items = await auth.emails.makePrimary(c.var.subject, { id, caller: toCaller(c) });
    return c.json({ items: items.map(toBody) }, 200);
  });

  const change = createRoute({
    ...common(bearer),
    method: "patch",
    path: "/api/auth/emails/{id}",
    operationId: "changeEmail",
    summary: "Set what an address is for",
    request: {
      params: idParam,
      body: jsonBody(z.object({ purposes: purposesSchema }), { purposes: ["recovery"] }),
    },
    responses: {
      200: jsonResponse("The address", viewSchema, example),
      ...problemResponses(...changeErrors, ...writeErrors, "last_login_email"),
    },
  });
  app.openapi(change, async (c) => {
    const { purposes } = c.req.valid("json");
    const { id } = c.req.valid("param");
    const view = await auth.emails.setPurposes(c.var.subject, { id, purposes, caller: toCaller(c) });
    return c.json(toBody(view), 200);
  });

  const remove = createRoute({
    ...common(bearer),
    method: "delete",
    path: "/api/auth/emails/{id}",
    operationId: "removeEmail",
    summary: "Remove an address; not the primary one",
    request: { params: idParam },
    responses: {
      204: { description: "It is gone" },
      ...problemResponses(...changeErrors, "last_login_email"),
    },
  });
  app.openapi(remove, async (c) => {
    await auth.emails.remove(c.var.subject, { id: c.req.valid("param").id, caller: toCaller(c) });
    return c.body(null, 204);
  });
}

/** Adds the routes below /api/auth/emails. */
export function addEmailRoutes(app: ServiceApp, auth: Auth, options: { bearer: BearerGuard }): void {
  addList(app, auth, options.bearer);
  addProof(app, auth, options.bearer);
  addChange(app, auth, options.bearer);
}
