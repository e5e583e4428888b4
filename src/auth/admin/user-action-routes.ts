/** What administrators do to accounts: a route for each action. */
import { createRoute, z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { problemResponses } from "../http/problems.ts";
import { timeMs, trimmedLine } from "../../kit/text/schemas.ts";
import type { Auth } from "../auth.ts";
import type { ActionBy } from "./user-action.ts";
import type { UserRecord } from "../accounts/schema.ts";
import { adminErrors } from "../http/admin-guard.ts";
import {
  type AdminMiddleware,
  adminRoute,
  adminUserSchema,
  exampleAdminUser,
  recordIdParams,
  toAdminUser,
} from "../http/admin-views.ts";
import { toCaller } from "../http/callers.ts";
import { exampleTokens, tokensSchema, toTokensView } from "../http/views.ts";

const reason = trimmedLine(200);
const userResponse = jsonResponse("The account as it is now", adminUserSchema, exampleAdminUser);
const actionErrors = [...adminErrors, "invalid", "not_found", "conflict", "store_unavailable"] as const;

/** An action that needs to be told nothing. */
interface PlainAction {
  readonly name: string;
  readonly operationId: string;
  readonly summary: string;
  readonly run: (id: string, by: ActionBy) => Promise<UserRecord>;
}

function listPlainActions({ userActions }: Auth): PlainAction[] {
  return [
    {
      name: "unsuspend",
      operationId: "adminUnsuspendUser",
      summary: "End a suspension",
      run: (id, by) => userActions.unsuspend(id, by),
    },
    {
      name: "unlock",
      operationId: "adminUnlockUser",
      summary: "End the throttle of sign-ins and the lock of the second factor",
      run: (id, by) => userActions.unlock(id, by),
    },
    {
      name: "verify-email",
      operationId: "adminVerifyUserEmail",
      summary: "Take the main address as verified",
      run: (id, by) => userActions.verifyEmail(id, by),
    },
    {
      name: "revoke-sessions",
      operationId: "adminRevokeUserSessions",
      summary: "End all sessions of the account",
      run: (id, by) => userActions.revokeSessions(id, by),
    },
    {
      name: "reset-mfa",
      operationId: "adminResetUserMfa",
      summary: "Take the second factor away; the owner is told",
      run: (id, by) => userActions.resetMfa(id, by),
    },
    {
      name: "restore",
      operationId: "adminRestoreUser",
      summary: "Bring a deleted account back, while its 30 days last",
      run: (id, by) => userActions.restore(id, by),
    },
  ];
}

function addPlainAction(app: ServiceApp, admin: AdminMiddleware, action: PlainAction): void {
  app.openapi(
    createRoute({
      ...adminRoute("users", admin),
      method: "post",
      path: `/api/admin/users/{id}/${action.name}`,
      operationId: action.operationId,
      summary: action.summary,
      request: { params: recordIdParams },
      responses: { 200: userResponse, ...problemResponses(...actionErrors) },
    }),
    async (c) => {
      const by = { actor: c.var.actor, caller: toCaller(c) };
      return c.json(toAdminUser(await action.run(c.req.valid("param").id, by)), 200);
    },
  );
}

function addSuspendRoute(app: ServiceApp, auth: Auth, admin: AdminMiddleware): void {
  const schema = z.strictObject({
    until: timeMs
      .optional()
      .openapi({ description: "Epoch milliseconds; without it, until somebody ends it" }),
    reason: reason.optional(),
  });
  app.openapi(
    createRoute({
      ...adminRoute("users", admin),
      method: "post",
      path: "/api/admin/users/{id}/suspend",
      operationId: "adminSuspendUser",
      summary: "Suspend an account; its sessions end at once",
      request: {
        params: recordIdParams,
        body: jsonBody(schema, { until: 1_795_176_600_000, reason: "Spam" }),
      },
      responses: { 200: userResponse, ...problemResponses(...actionErrors, ...writeErrors, "last_admin") },
    }),
    async (c) => {
      const options = { ...c.req.valid("json"), actor: c.var.actor, caller: toCaller(c) };
      return c.json(toAdminUser(await auth.userActions.suspend(c.req.valid("param").id, options)), 200);
    },
  );
}

function addPointsRoute(app: ServiceApp, auth: Auth, admin: AdminMiddleware): void {
  const delta = z
    .number()
    .int()
    .min(-1_000_000_000)
    .max(1_000_000_000)
    .refine((value) => value !== 0, "must not be 0");
  app.openapi(
    createRoute({
      ...adminRoute("users", admin),
      method: "post",
      path: "/api/admin/users/{id}/points",
      operationId: "adminAddUserPoints",
      summary: "Add to the points of an account, or take from them; never below 0",
      request: {
        params: recordIdParams,
        body: jsonBody(z.strictObject({ delta, reason }), { delta: 50, reason: "Won the quiz" }),
      },
      responses: { 200: userResponse, ...problemResponses(...actionErrors, ...writeErrors) },
    }),
    async (c) => {
      const options = { ...c.req.valid("json"), actor: c.var.actor, caller: toCaller(c) };
      return c.json(toAdminUser(await auth.userActions.addPoints(c.req.valid("param").id, options)), 200);
    },
  );
}

function addImpersonateRoute(app: ServiceApp, auth: Auth, admin: AdminMiddleware): void {
  app.openapi(
    createRoute({
      ...adminRoute("users", admin),
      method: "post",
      path: "/api/admin/users/{id}/impersonate",
      operationId: "adminImpersonateUser",
      summary: "Open a session in an account; its owner is told, and credentials cannot be changed in it",
      request: {
        params: recordIdParams,
        body: jsonBody(z.strictObject({ minutes: z.number().int().min(1).max(60), reason }), {
          minutes: 15,
          reason: "Asked for help with the profile",
        }),
      },
      responses: {
        200: jsonResponse("Tokens of the session", tokensSchema, exampleTokens),
        ...problemResponses(...actionErrors, ...writeErrors),
      },
    }),
    async (c) => {
      const options = { ...c.req.valid("json"), actor: c.var.actor, caller: toCaller(c) };
      const tokens = await auth.impersonation.begin(c.req.valid("param").id, options);
      c.header("cache-control", "no-store");
      return c.json(toTokensView(tokens), 200);
    },
  );
}

/** Adds the actions below /api/admin/users/{id}. */
export function addAdminUserActionRoutes(app: ServiceApp, auth: Auth, admin: AdminMiddleware): void {
  addSuspendRoute(app, auth, admin);
  for (const action of listPlainActions(auth)) addPlainAction(app, admin, action);
  addPointsRoute(app, auth, admin);
  addImpersonateRoute(app, auth, admin);
}
