/** What administrators do to accounts: a route for each action. */
import { createRoute, z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { problemResponses } from "../http/problems.ts";
import { isoTimeMs } from "../../kit/text/iso-time.ts";
import { trimmedLine } from "../../kit/text/schemas.ts";
import type { Impersonation } from "./impersonation.ts";
import type { UserActions } from "./user-actions.ts";
import { adminErrors } from "../http/admin-guard.ts";
import {
  type AdminMiddleware,
  adminRoute,
  adminUserSchema,
  answerUser,
  exampleAdminUser,
  recordIdParams,
} from "../http/admin-views.ts";
import { toCaller } from "../http/callers.ts";
import { exampleTokens, tokensSchema, toTokensView } from "../http/views.ts";

const reason = trimmedLine(200);
const userResponse = jsonResponse("The account as it is now", adminUserSchema, exampleAdminUser);
const actionErrors = [...adminErrors, "invalid", "not_found", "conflict", "store_unavailable"] as const;

interface Parts {
  readonly userActions: UserActions;
  readonly impersonation: Impersonation;
  readonly admin: AdminMiddleware;
}

/** Actions without a body. */
const plainActions = [
  { name: "unsuspend", action: "unsuspend", operationId: "adminUnsuspendUser", summary: "End a suspension" },
  {
    name: "unlock",
    action: "unlock",
    operationId: "adminUnlockUser",
    summary: "End the throttle of sign-ins and the lock of the second factor",
  },
  {
    name: "verify-email",
    action: "verifyEmail",
    operationId: "adminVerifyUserEmail",
    summary: "Take the main address as verified",
  },
  {
    name: "revoke-sessions",
    action: "revokeSessions",
    operationId: "adminRevokeUserSessions",
    summary: "End all sessions of the account",
  },
  {
    name: "reset-mfa",
    action: "resetMfa",
    operationId: "adminResetUserMfa",
    summary: "Take the second factor away; the owner is told",
  },
  {
    name: "restore",
    action: "restore",
    operationId: "adminRestoreUser",
    summary: "Bring a deleted account back, while its 30 days last",
  },
] as const;

function addPlainActions(app: ServiceApp, { userActions, admin }: Parts): void {
  for (const { name, action, operationId, summary } of plainActions)
    app.openapi(
      createRoute({
        ...adminRoute("users", admin),
        method: "post",
        path: `/api/admin/users/{id}/${name}`,
        operationId,
        summary,
        request: { params: recordIdParams },
        responses: { 200: userResponse, ...problemResponses(...actionErrors) },
      }),
      async (c) => {
        const by = { actor: c.var.actor, caller: toCaller(c) };
        return answerUser(c, await userActions[action](c.req.valid("param").id, by));
      },
    );
}

function addSuspendRoute(app: ServiceApp, { userActions, admin }: Parts): void {
  const schema = z.strictObject({
    until: isoTimeMs.optional(),
    reason: reason.optional(),
  });
  app.openapi(
    createRoute({
      ...adminRoute("users", admin),
      method: "post",
      path: "/api/admin/users/{id}/suspend",
      operationId: "adminSuspendUser",
      summary: "Suspend an account until a time, or until somebody ends it; its sessions end at once",
      request: {
        params: recordIdParams,
        body: jsonBody(schema, { until: "2026-11-20T12:10:00Z", reason: "Spam" }),
      },
      responses: { 200: userResponse, ...problemResponses(...actionErrors, ...writeErrors, "last_admin") },
    }),
    async (c) => {
      const options = { ...c.req.valid("json"), actor: c.var.actor, caller: toCaller(c) };
      return answerUser(c, await userActions.suspend(c.req.valid("param").id, options));
    },
  );
}

function addPointsRoute(app: ServiceApp, { userActions, admin }: Parts): void {
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
      return answerUser(c, await userActions.addPoints(c.req.valid("param").id, options));
    },
  );
}

function addImpersonateRoute(app: ServiceApp, { impersonation, admin }: Parts): void {
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
      const tokens = await impersonation.begin(c.req.valid("param").id, options);
      c.header("cache-control", "no-store");
      return c.json(toTokensView(tokens), 200);
    },
  );
}

/** Adds the actions below /api/admin/users/{id}. */
export function addAdminUserActionRoutes(app: ServiceApp, parts: Parts): void {
  addSuspendRoute(app, parts);
  addPlainActions(app, parts);
  addPointsRoute(app, parts);
  addImpersonateRoute(app, parts);
}
