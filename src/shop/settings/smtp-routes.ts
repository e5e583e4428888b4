/** How mails leave, for administrators: settings, a test that shows each step, and the outbox. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { ShopError } from "../base/errors.ts";
import { pageQuerySchema, pageSchema, toPageView } from "../../kit/http/paging.ts";
import {
  ifMatchHeader,
  jsonBody,
  jsonResponse,
  mailStepSchema,
  readIfMatch,
  writeErrors,
} from "../../kit/http/schemas.ts";
import { outboxMailSchema, outboxMailStateSchema, toOutboxMailView } from "../../records/outbox-view.ts";
import { toPatchSchema } from "../../records/settings-patch.ts";
import { describeFailedStep, findFailedStep } from "../../kit/mail/mail.ts";
import { checkSmtp } from "../../kit/mail/smtp-check.ts";
import { emailSchema } from "../orders/schema.ts";
import type { SmtpRules } from "../../kit/mail/smtp-rules.ts";
import { smtpSettingsSchema } from "../site/schema.ts";
import { type SmtpAnswer, smtpViewSchema } from "./answer-schema.ts";
import type { SmtpAdmin, SmtpView } from "./smtp-admin.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { toIsoTime } from "../../kit/text/iso-time.ts";
import { createRoute } from "../edge/create-route.ts";
import { FRESH_PROOF } from "../../records/rights/fresh-proof.ts";

/** Each answer of the tried server is waited for this long; a person waits for the whole. */
const TEST_TIMEOUT_MS = 5_000;

const patchSchema = toPatchSchema(smtpSettingsSchema.omit({ enabledAt: true })).extend({
  password: z.string().max(500).optional().openapi({
    description:
      'Must be sent again with another host, port, security or username; "" removes the stored one',
  }),
  version: z.int().min(0).optional(),
});

const changes = [
  { method: "patch", operationId: "adminChangeSmtp", summary: "Change some mail settings" },
  {
    method: "put",
    operationId: "adminReplaceSmtp",
    summary: "Same as PATCH: omitted fields keep their values",
  },
] as const;

const entrySchema = outboxMailSchema
  .extend({
    text: z
      .string()
      .openapi({ description: "Text with license keys and tokens; empty after the email was sent" }),
  })
  .openapi("OutboxMail");

function toView({ enabledAt, ...rest }: SmtpView): SmtpAnswer {
  return { ...rest, enabledAt: enabledAt === 0 ? undefined : toIsoTime(enabledAt) };
}

interface SmtpParts {
  readonly smtpAdmin: SmtpAdmin;
  readonly smtpRules: SmtpRules;
  readonly admin: AdminGuard;
}

function addSettingsRoutes(app: ServiceApp, { smtpAdmin, admin }: SmtpParts): void {
  const response = jsonResponse("The settings, without the password", smtpViewSchema);
  const route = { ...adminRoute("smtp", admin), path: "/api/admin/smtp" as const };
  const adminGetSmtp = createRoute({
    ...route,
    method: "get",
    operationId: "adminGetSmtp",
    summary: "Get the mail settings and the kinds of emails",
    responses: { 200: response },
    errors: ["store_unavailable"],
  });
  app.openapi(adminGetSmtp, async (c) => {
    const view = await smtpAdmin.read();
    c.header("etag", `"${view.version}"`);
    return c.json(toView(view), 200);
  });
  for (const change of changes) {
    const changeRoute = createRoute({
      ...route,
      ...change,
      request: {
        headers: ifMatchHeader,
        body: jsonBody(patchSchema, {
          enabled: true,
          host: "mail.example.org",
          port: 587,
          security: "starttls",
          username: "shop",
          password: "…",
          fromAddress: "shop@example.org",
          fromName: "Corner shop",
          notify: { chat_reply: false },
        }),
      },
      responses: { 200: response },
      errors: [...writeErrors, "version_conflict", "stale_version"],
    });
    app.openapi(changeRoute, async (c) => {
      const { version, ...patch } = c.req.valid("json");
      const by = { version, ifMatch: readIfMatch(c.req.header("if-match")), actor: c.var.actor };
      const view = await smtpAdmin.change(patch, by);
      c.header("etag", `"${view.version}"`);
      return c.json(toView(view), 200);
    });
  }
}

function addTestRoute(app: ServiceApp, { smtpAdmin, smtpRules, admin }: SmtpParts): void {
  const route = createRoute({
    ...adminRoute("smtp", admin),
    method: "post",
    path: "/api/admin/smtp/test",
    operationId: "adminTestSmtp",
    [FRESH_PROOF]: false,
    summary: "Send a test email immediately, even if SMTP is disabled, and return the result of each step",
    request: { body: jsonBody(z.strictObject({ to: emailSchema }), { to: "me@example.org" }) },
    responses: { 200: jsonResponse("The email was sent", z.object({ steps: z.array(mailStepSchema) })) },
    errors: [...writeErrors, "conflict", "smtp_failed"],
  });
  app.openapi(route, async (c) => {
    const { to } = c.req.valid("json");
    const { server, message } = await smtpAdmin.prepareTest(to, c.var.actor);
    const steps = await checkSmtp(server, message, {
      timeoutMs: TEST_TIMEOUT_MS,
      rules: smtpRules,
    });
    const failed = findFailedStep(steps);
    if (failed === undefined) return c.json({ steps }, 200);
    throw new ShopError("smtp_failed", describeFailedStep(failed), {
      details: { step: failed.step, steps },
    });
  });
}

function addOutboxRoutes(app: ServiceApp, { smtpAdmin, admin }: SmtpParts): void {
  const adminListOutbox = createRoute({
    ...adminRoute("smtp", admin),
    method: "get",
    path: "/api/admin/smtp/outbox",
    operationId: "adminListOutbox",
    summary: "List emails, newest first",
    request: {
      query: pageQuerySchema.extend({
        state: outboxMailStateSchema.optional(),
        kind: z.string().min(1).max(40).optional(),
      }),
    },
    responses: { 200: jsonResponse("A page of emails", pageSchema(entrySchema)) },
    errors: ["bad_request", "invalid", "store_unavailable"],
  });
  app.openapi(adminListOutbox, async (c) => {
    const page = await smtpAdmin.listMails(c.req.valid("query"));
    c.header("cache-control", "no-store");
    return c.json(toPageView(page, toOutboxMailView), 200);
  });

  const adminRetryMail = createRoute({
    ...adminRoute("smtp", admin),
    method: "post",
    path: "/api/admin/smtp/outbox/{id}/retry",
    operationId: "adminRetryMail",
    [FRESH_PROOF]: false,
    summary: "Retry a waiting or failed email now",
    request: { params: z.object({ id: z.string().min(1).max(100) }) },
    responses: { 204: { description: "The email is queued for sending" } },
  });
  app.openapi(adminRetryMail, async (c) => {
    await smtpAdmin.retryMail(c.req.valid("param").id, c.var.actor);
    return c.body(null, 204);
  });
}

function addCancelRoute(app: ServiceApp, { smtpAdmin, admin }: SmtpParts): void {
  const adminCancelMail = createRoute({
    ...adminRoute("smtp", admin),
    method: "delete",
    path: "/api/admin/smtp/outbox/{id}",
    operationId: "adminCancelMail",
    summary: "Delete a waiting or failed email. An email that is being sent can still arrive",
    request: { params: z.object({ id: z.string().min(1).max(100) }) },
    responses: { 204: { description: "Deleted" } },
  });
  app.openapi(adminCancelMail, async (c) => {
    await smtpAdmin.cancelMail(c.req.valid("param").id, c.var.actor);
    return c.body(null, 204);
  });
}

/** Adds the routes below /api/admin/smtp. */
export function addAdminSmtpRoutes(app: ServiceApp, parts: SmtpParts): void {
  addSettingsRoutes(app, parts);
  addTestRoute(app, parts);
  addOutboxRoutes(app, parts);
  addCancelRoute(app, parts);
}
