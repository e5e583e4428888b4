/** Approvals, and one action on many accounts. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { isoTimeMs } from "../../kit/text/iso-time.ts";
import {
  type AdminMiddleware,
  adminRoute,
  adminUserSchema,
  answerUser,
  exampleAdminUser,
  recordIdParams,
} from "../edge/admin-views.ts";
import { toCaller } from "../sessions/http/callers.ts";
import { bulkActions, runBulk } from "./bulk.ts";
import type { UserActions } from "./user-actions.ts";
import { createRoute } from "../edge/create-route.ts";
import { MAX_BULK, bulkOutcomeSchema, refusalSchema } from "./schema.ts";

const { reason } = refusalSchema.shape;
const bulkSchema = z
  .strictObject({
    action: z.enum(bulkActions),
    ids: z.array(recordIdParams.shape.id).min(1).max(MAX_BULK),
    until: isoTimeMs.optional(),
    reason,
  })
  .refine(({ action, until }) => until === undefined || action === "suspend", {
    path: ["until"],
    error: "is only allowed with the action suspend",
  })
  .refine(({ action, reason: why }) => why === undefined || action === "suspend" || action === "refuse", {
    path: ["reason"],
    error: "is only allowed with the actions suspend and refuse",
  });
const outcomeSchema = z.object(bulkOutcomeSchema.shape).openapi("BulkOutcome");
const exampleId = "usr_01jd5v6m0c8f3k2n7q4x9y1z5a";
const exampleOutcome = {
  id: exampleId,
  error: { code: "conflict", message: "The account is deleted, not active" },
};

interface Parts {
  readonly userActions: UserActions;
  readonly admin: AdminMiddleware;
}

function addApprovalRoutes(app: ServiceApp, { userActions, admin }: Parts): void {
  const errors = ["invalid", "not_found", "conflict", "store_unavailable"] as const;
  const adminApproveUser = createRoute({
    ...adminRoute("users", admin),
    method: "post",
    path: "/api/admin/users/{id}/approve",
    operationId: "adminApproveUser",
    summary: "Approve a pending account. The owner is notified by email",
    request: { params: recordIdParams },
    responses: { 200: jsonResponse("The updated account", adminUserSchema, exampleAdminUser) },
    errors: [...errors],
  });
  app.openapi(adminApproveUser, async (c) => {
    const by = { actor: c.var.actor, caller: toCaller(c) };
    return answerUser(c, await userActions.approve(c.req.valid("param").id, by));
  });

  const adminRefuseUser = createRoute({
    ...adminRoute("users", admin),
    method: "post",
    path: "/api/admin/users/{id}/refuse",
    operationId: "adminRefuseUser",
    summary: "Reject a pending account. The owner is notified by email, and the account is erased",
    request: {
      params: recordIdParams,
      body: jsonBody(refusalSchema, { reason: "Only members of the club get an account" }),
    },
    responses: { 204: { description: "Deleted" } },
    errors: [...errors, ...writeErrors],
  });
  app.openapi(adminRefuseUser, async (c) => {
    const options = { ...c.req.valid("json"), actor: c.var.actor, caller: toCaller(c) };
    await userActions.refuse(c.req.valid("param").id, options);
    return c.body(null, 204);
  });
}

/** Adds approve and refuse below /api/admin/users/{id}, and /api/admin/users/bulk. */
export function addAdminBulkRoutes(app: ServiceApp, parts: Parts): void {
  addApprovalRoutes(app, parts);
  const { userActions, admin } = parts;
  const route = createRoute({
    ...adminRoute("users", admin),
    method: "post",
    path: "/api/admin/users/bulk",
    operationId: "adminChangeUsers",
    "x-scope": "administrator",
    summary: "Run an action on up to 100 accounts. Each account has its own result",
    request: {
      body: jsonBody(bulkSchema, { action: "suspend", ids: [exampleId], reason: "Spam" }),
    },
    responses: {
      200: jsonResponse("The result for each item", z.object({ items: z.array(outcomeSchema) }), {
        items: [exampleOutcome],
      }),
    },
  });
  app.openapi(route, async (c) => {
    const options = { ...c.req.valid("json"), actor: c.var.actor, caller: toCaller(c) };
    return c.json({ items: await runBulk(userActions, options) }, 200);
  });
}
