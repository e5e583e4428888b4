/** Withdrawals for administrators: those that wait, and what becomes of each. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { toPageView } from "../../kit/http/paging.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { isoTimeMs } from "../../kit/text/iso-time.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute } from "../edge/create-route.ts";
import { idParams } from "../edge/params.ts";
import { withdrawalListSchema, withdrawalQuerySchema, withdrawalSchema } from "./answer-schema.ts";
import { statementSchema, withdrawalAcceptanceSchema, withdrawalStepSchema } from "./schema.ts";
import { toWithdrawalView } from "./views.ts";
import type { WithdrawalsAdmin } from "./withdrawals-admin.ts";

interface Parts {
  readonly withdrawalsAdmin: WithdrawalsAdmin;
  readonly clock: Pick<Clock, "now">;
  readonly admin: AdminGuard;
}

const TAG = "admin withdrawals";
const params = idParams("wdr_01jd5v6m0c8f3k2n7q4x9y1z5a");
const stepSchema = withdrawalStepSchema.clone().openapi("WithdrawalStep");
const acceptSchema = withdrawalAcceptanceSchema.clone().openapi("WithdrawalAcceptance");

const newSchema = z
  .strictObject({
    orderId: z.string().min(1).max(100),
    what: statementSchema.shape.what,
    lines: statementSchema.shape.lines.describe("Lines of the withdrawal. Default: the whole order"),
    receivedAt: isoTimeMs.optional().describe("Time of receipt. Default: now"),
  })
  .openapi("NewWithdrawal");

const moves = {
  accept:
    "Accept a withdrawal. The buyer is notified of the refund deadline. Refund the money with the refund of the order",
  decline: "Decline a withdrawal. The note with the reason is sent to the buyer by email",
  return: "Record that the items were returned, or that the buyer has proved their return",
  close: "Close a withdrawal after the refund",
} as const;

function addMoves(app: ServiceApp, { withdrawalsAdmin, clock, admin }: Parts): void {
  for (const step of ["accept", "decline", "return", "close"] as const) {
    const schema: z.ZodType<{ note: string; version?: number; orderId?: string }> =
      step === "accept" ? acceptSchema : stepSchema;
    const route = createRoute({
      ...adminRoute(TAG, admin),
      method: "post",
      path: `/api/admin/withdrawals/{id}/${step}`,
      operationId: `admin${step.charAt(0).toUpperCase()}${step.slice(1)}Withdrawal`,
      summary: moves[step],
      request: { params, body: jsonBody(schema, { note: "send it to our warehouse", version: 1 }) },
      responses: { 200: jsonResponse("The withdrawal", withdrawalSchema) },
      errors: [...writeErrors, "not_found", "conflict", "version_conflict"],
    });
    app.openapi(route, async (c) => {
      const { id } = c.req.valid("param");
      const details = await withdrawalsAdmin.move(step, { ...c.req.valid("json"), id, actor: c.var.actor });
      return c.json(toWithdrawalView(details, clock.now()), 200);
    });
  }
}

function addWrite(app: ServiceApp, { withdrawalsAdmin, clock, admin }: Parts): void {
  const route = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: "/api/admin/withdrawals",
    operationId: "adminWriteWithdrawal",
    summary: "Record a withdrawal received by letter, phone or email. The buyer receives a confirmation",
    request: {
      body: jsonBody(newSchema, { orderId: "ord_01jd5v6m0c8f3k2n7q4x9y1z5a", what: "by telephone" }),
    },
    responses: { 201: jsonResponse("The withdrawal", withdrawalSchema) },
    errors: [...writeErrors, "not_found"],
  });
  app.openapi(route, async (c) => {
    const details = await withdrawalsAdmin.write({ ...c.req.valid("json"), actor: c.var.actor });
    c.header("etag", `"${details.record.version}"`);
    return c.json(toWithdrawalView(details, clock.now()), 201);
  });
}

/** Adds the routes below /api/admin/withdrawals. */
export function addAdminWithdrawalRoutes(app: ServiceApp, parts: Parts): void {
  const { withdrawalsAdmin, clock, admin } = parts;
  const adminListWithdrawals = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: "/api/admin/withdrawals",
    operationId: "adminListWithdrawals",
    summary: "List withdrawals, newest first; with waiting=true those that need a decision, oldest first",
    request: {
      query: withdrawalQuerySchema,
    },
    responses: { 200: jsonResponse("Withdrawals", withdrawalListSchema) },
  });
  app.openapi(adminListWithdrawals, async (c) => {
    const { waiting, ...query } = c.req.valid("query");
    const page = await withdrawalsAdmin.list({ ...query, isWaiting: waiting === "true" });
    return c.json(
      toPageView(page, (details) => toWithdrawalView(details, clock.now())),
      200,
    );
  });
  addMoves(app, parts);
  addWrite(app, parts);

  const adminGetWithdrawal = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: "/api/admin/withdrawals/{id}",
    operationId: "adminGetWithdrawal",
    summary: "Get a withdrawal",
    request: { params },
    responses: { 200: jsonResponse("The withdrawal", withdrawalSchema) },
  });
  app.openapi(adminGetWithdrawal, async (c) => {
    const details = await withdrawalsAdmin.get(c.req.valid("param").id);
    c.header("etag", `"${details.record.version}"`);
    return c.json(toWithdrawalView(details, clock.now()), 200);
  });
}
