/** The further addresses of an account, for administrators. */
import type { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { createView } from "../../kit/http/view.ts";
import type { EmailRecord } from "../accounts/schema.ts";
import {
  type AdminMiddleware,
  adminEmailSchema,
  adminRoute,
  describeEmail,
  recordIdParams,
} from "../edge/admin-views.ts";
import { toCaller } from "../sessions/http/callers.ts";
import { createRoute } from "../edge/create-route.ts";
import type { AdminEmails } from "./admin-emails.ts";
import { newEmailSchema } from "./schema.ts";

const toView = createView(adminEmailSchema);
const example = {
  id: "eml_01jd5v6m0c8f3k2n7q4x9y1z5a",
  address: "ann@work.example",
  purposes: ["login", "recovery"],
  verified: true,
  createdAt: "2025-11-20T12:10:00.000+00:00",
};
const errors = ["invalid", "not_found", "conflict", "store_unavailable"] as const;

interface Parts {
  readonly adminEmails: AdminEmails;
  readonly admin: AdminMiddleware;
}

function view(email: EmailRecord): z.infer<typeof adminEmailSchema> {
  return toView(email, describeEmail(email));
}

/** Adds the routes below /api/admin/users/{id}/emails. */
export function addAdminEmailRoutes(app: ServiceApp, { adminEmails, admin }: Parts): void {
  const addEmail = createRoute({
    ...adminRoute("users", admin),
    method: "post",
    path: "/api/admin/users/{id}/emails",
    operationId: "adminAddUserEmail",
    summary: "Add an email address to an account (up to five)",
    request: { params: recordIdParams, body: jsonBody(newEmailSchema, { address: "ann@work.example" }) },
    responses: { 201: jsonResponse("The email address", adminEmailSchema, { ...example, verified: false }) },
    errors: [...errors, ...writeErrors, "email_limit", "already_exists", "email_taken"],
  });
  app.openapi(addEmail, async (c) => {
    const options = { ...c.req.valid("json"), actor: c.var.actor, caller: toCaller(c) };
    return c.json(view(await adminEmails.add(c.req.valid("param").id, options)), 201);
  });

  const emailId = recordIdParams.shape.id.openapi({
    param: { name: "emailId", in: "path" },
    example: example.id,
  });
  const params = recordIdParams.extend({ emailId });
  const verifyEmail = createRoute({
    ...adminRoute("users", admin),
    method: "post",
    path: "/api/admin/users/{id}/emails/{emailId}/verify",
    operationId: "adminVerifyUserFurtherEmail",
    summary: "Mark an additional email address as verified. The owner is notified",
    request: { params },
    responses: { 200: jsonResponse("The email address", adminEmailSchema, example) },
    errors: [...errors, "email_taken"],
  });
  app.openapi(verifyEmail, async (c) => {
    const { id, emailId: email } = c.req.valid("param");
    const options = { id: email, actor: c.var.actor, caller: toCaller(c) };
    return c.json(view(await adminEmails.verify(id, options)), 200);
  });

  const removeEmail = createRoute({
    ...adminRoute("users", admin),
    method: "delete",
    path: "/api/admin/users/{id}/emails/{emailId}",
    operationId: "adminRemoveUserEmail",
    summary: "Remove an additional email address. The owner is notified if it was verified",
    request: { params },
    responses: { 204: { description: "Deleted" } },
    errors,
  });
  app.openapi(removeEmail, async (c) => {
    const { id, emailId: email } = c.req.valid("param");
    await adminEmails.remove(id, { id: email, actor: c.var.actor, caller: toCaller(c) });
    return c.body(null, 204);
  });
}
