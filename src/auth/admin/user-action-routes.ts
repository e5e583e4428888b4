/** Actions of administrators on accounts: one route each. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { createView, isoTime } from "../../kit/http/view.ts";
import type { ImpersonationView, OfferedLinkView } from "../accounts/view-schema.ts";
import type { Impersonation } from "./impersonation.ts";
import type { PasswordLinks } from "./password-link.ts";
import type { UserActions } from "./user-actions.ts";
import {
  type AdminMiddleware,
  adminRoute,
  adminUserSchema,
  answerUser,
  exampleAdminUser,
  recordIdParams,
} from "../edge/admin-views.ts";
import { toCaller } from "../sessions/http/callers.ts";
import { exampleTokens, tokensSchema, toTokensView } from "../edge/views.ts";
import { createRoute } from "../edge/create-route.ts";
import { impersonationSchema, pointsSchema, suspensionSchema } from "./schema.ts";
import { FRESH_PROOF } from "../../records/rights/fresh-proof.ts";

const userResponse = jsonResponse("The updated account", adminUserSchema, exampleAdminUser);
const actionErrors = ["invalid", "not_found", "conflict", "store_unavailable"] as const;

interface Parts {
  readonly userActions: UserActions;
  readonly impersonation: Impersonation;
  readonly passwordLinks: PasswordLinks;
  readonly admin: AdminMiddleware;
}

/** Actions without a body. */
const plainActions = [
  {
    name: "unsuspend",
    action: "unsuspend",
    operationId: "adminUnsuspendUser",
    summary: "End a suspension. The owner is notified by email",
  },
  {
    name: "unlock",
    action: "unlock",
    operationId: "adminUnlockUser",
    summary: "Reset the sign-in throttle and the two-factor lockout",
  },
  {
    name: "verify-email",
    action: "verifyEmail",
    operationId: "adminVerifyUserEmail",
    summary: "Mark the primary email address as verified",
  },
  {
    name: "revoke-sessions",
    action: "revokeSessions",
    operationId: "adminRevokeUserSessions",
    summary: "Revoke all sessions of an account",
  },
  {
    name: "reset-mfa",
    action: "resetMfa",
    operationId: "adminResetUserMfa",
    summary: "Remove two-factor authentication from an account. The owner is notified by email",
  },
  {
    name: "restore",
    action: "restore",
    operationId: "adminRestoreUser",
    summary: "Restore a deleted account within 30 days. The owner is notified by email",
  },
] as const;

function addPlainActions(app: ServiceApp, { userActions, admin }: Parts): void {
  for (const { name, action, operationId, summary } of plainActions) {
    const route = createRoute({
      ...adminRoute("users", admin),
      method: "post",
      path: `/api/admin/users/{id}/${name}`,
      operationId,
      summary,
      request: { params: recordIdParams },
      responses: { 200: userResponse },
      errors: actionErrors,
    });
    app.openapi(route, async (c) => {
      const by = { actor: c.var.actor, caller: toCaller(c) };
      return answerUser(c, await userActions[action](c.req.valid("param").id, by));
    });
  }
}

function addSuspendRoute(app: ServiceApp, { userActions, admin }: Parts): void {
  const route = createRoute({
    ...adminRoute("users", admin),
    method: "post",
    path: "/api/admin/users/{id}/suspend",
    operationId: "adminSuspendUser",
    summary:
      "Suspend an account until a time, or indefinitely. Its sessions end immediately, and the owner is notified by email",
    request: {
      params: recordIdParams,
      body: jsonBody(suspensionSchema, { until: "2026-11-20T12:10:00Z", reason: "Spam" }),
    },
    responses: { 200: userResponse },
    errors: [...actionErrors, ...writeErrors, "last_admin"],
  });
  app.openapi(route, async (c) => {
    const options = { ...c.req.valid("json"), actor: c.var.actor, caller: toCaller(c) };
    return answerUser(c, await userActions.suspend(c.req.valid("param").id, options));
  });
}

function addPointsRoute(app: ServiceApp, { userActions, admin }: Parts): void {
  const route = createRoute({
    ...adminRoute("users", admin),
    method: "post",
    [FRESH_PROOF]: false,
    path: "/api/admin/users/{id}/points",
    operationId: "adminAddUserPoints",
    summary: "Add points to an account or subtract them. The balance never falls below 0",
    request: {
      params: recordIdParams,
      body: jsonBody(pointsSchema, { delta: 50, reason: "Won the quiz" }),
    },
    responses: { 200: userResponse },
    errors: [...actionErrors, ...writeErrors],
  });
  app.openapi(route, async (c) => {
    const options = { ...c.req.valid("json"), actor: c.var.actor, caller: toCaller(c) };
    return answerUser(c, await userActions.addPoints(c.req.valid("param").id, options));
  });
}

function addImpersonateRoute(app: ServiceApp, { impersonation, admin }: Parts): void {
  const route = createRoute({
    ...adminRoute("users", admin),
    method: "post",
    path: "/api/admin/users/{id}/impersonate",
    operationId: "adminImpersonateUser",
    "x-scope": "administrator",
    summary: "Impersonate an account. The owner is notified, and the session cannot change credentials",
    request: {
      params: recordIdParams,
      body: jsonBody(impersonationSchema, {
        minutes: 15,
        reason: "Asked for help with the profile",
      }),
    },
    responses: { 200: jsonResponse("Tokens of the new session", tokensSchema, exampleTokens) },
    errors: [...actionErrors, ...writeErrors],
  });
  app.openapi(route, async (c) => {
    const options = { ...c.req.valid("json"), actor: c.var.actor, caller: toCaller(c) };
    const tokens = await impersonation.begin(c.req.valid("param").id, options);
    c.header("cache-control", "no-store");
    return c.json(toTokensView(tokens) satisfies ImpersonationView, 200);
  });
}

const offeredLinkSchema = z
  .object({
    sentTo: z.string(),
    expiresAt: isoTime,
    token: z.string().optional().openapi({ description: 'Works once. Present only if "show" was sent' }),
    url: z.string().optional().openapi({ description: "URL of the page to set the password, if known" }),
  })
  .openapi("OfferedLink");
const toOfferedLink = createView(offeredLinkSchema);

function addResetLinkRoute(app: ServiceApp, { passwordLinks, admin }: Parts): void {
  const schema = z.strictObject({
    show: z.boolean().default(false).openapi({
      description: "Whether to include the link in the response. Rejected while a mail server is configured",
    }),
  });
  const route = createRoute({
    ...adminRoute("users", admin),
    method: "post",
    path: "/api/admin/users/{id}/reset-link",
    operationId: "adminSendUserResetLink",
    summary: "Send a password reset link by email. It works once, for 24 hours, and replaces earlier links",
    request: { params: recordIdParams, body: jsonBody(schema, { show: false }) },
    responses: {
      200: jsonResponse("The email is queued", offeredLinkSchema, {
        sentTo: "ann@example.org",
        expiresAt: "2025-11-21T12:10:00.000+00:00",
      }),
    },
    errors: [...actionErrors, ...writeErrors],
  });
  app.openapi(route, async (c) => {
    const options = { ...c.req.valid("json"), actor: c.var.actor };
    const link = await passwordLinks.send(c.req.valid("param").id, options);
    c.header("cache-control", "no-store");
    return c.json(toOfferedLink(link) satisfies OfferedLinkView, 200);
  });
}

/** Adds the actions below /api/admin/users/{id}. */
export function addAdminUserActionRoutes(app: ServiceApp, parts: Parts): void {
  addSuspendRoute(app, parts);
  addPlainActions(app, parts);
  addPointsRoute(app, parts);
  addImpersonateRoute(app, parts);
  addResetLinkRoute(app, parts);
}
