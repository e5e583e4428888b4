/** The mail server, for administrators: what is set, a change, and a test that shows what the server said. */
import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import type { ServiceApp } from "../../kit/http/app.ts";
import { ifMatchHeader, jsonBody, jsonResponse, readIfMatch, writeErrors } from "../../kit/http/schemas.ts";
import { type MailStep, describeFailedStep, findFailedStep } from "../../kit/mail/mail.ts";
import { checkSmtp } from "../../kit/mail/smtp-check.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { line } from "../../kit/text/schemas.ts";
import { toPatchSchema } from "../../records/settings-patch.ts";
import { type TestResult, testResultSchema } from "./schema.ts";
import { type GuardEnv } from "../edge/admin-env.ts";
import { mailServerSchema, mailServerViewSchema } from "./mail-schema.ts";
import { findPrivateSetting } from "../site/private-networks.ts";
import type { MailServers } from "./mail-server.ts";
import { adminRoute, createRoute } from "../edge/create-route.ts";
import { FRESH_PROOF } from "../../records/rights/fresh-proof.ts";

/** Each answer of the tried server is waited for this long; a person waits for the whole. */
const TEST_TIMEOUT_MS = 5_000;

const password = z
  .string()
  .max(500)
  .optional()
  .describe('Must be sent again with another host, port, security or user; "" removes the stored one');
const patchSchema = toPatchSchema(mailServerSchema).extend({ password });
const changeSchema = patchSchema.extend({ version: z.number().int().min(0).optional() });
const testSchema = patchSchema.extend({ to: line(254).min(3) });

const example = {
  host: "smtp.example.org",
  port: 587,
  security: "starttls",
  user: "status",
  from: "Status <status@example.org>",
} as const;
const exampleView = { ...example, passwordSet: true, version: 1, source: "settings" } as const;

const changes = [
  { method: "patch", operationId: "adminChangeMailServer", summary: "Change some fields of the mail server" },
  {
    method: "put",
    operationId: "adminReplaceMailServer",
    summary: "Same as PATCH: omitted fields keep their values",
  },
] as const;

/** The result of each step, with the server's response. */
function toResult(steps: readonly MailStep[], ms: number): TestResult {
  const tried = steps.filter(({ result }) => result !== "skipped");
  const failed = findFailedStep(steps);
  const answer = tried.map(({ step, said }) => `${step}: ${said}`).join("\n");
  if (failed === undefined) return { ok: true, answer, ms };
  const error = describeFailedStep(failed);
  const setting = findPrivateSetting(error);
  return { ok: false, answer, ms, error, ...(setting === undefined ? {} : { setting }) };
}

interface MailServerOptions {
  readonly mailServers: MailServers;
  readonly guard: MiddlewareHandler<GuardEnv>;
  readonly clock: Clock;
}

function addSettingRoutes(app: ServiceApp, options: MailServerOptions): void {
  const { mailServers } = options;
  const common = adminRoute("settings", options.guard);
  const response = jsonResponse("The mail server, without its password", mailServerViewSchema, exampleView);
  const adminGetMailServer = createRoute({
    ...common,
    method: "get",
    path: "/api/admin/smtp",
    operationId: "adminGetMailServer",
    summary: "Get the mail server for notifications",
    responses: { 200: response },
    errors: ["store_unavailable"],
  });
  app.openapi(adminGetMailServer, async (c) => {
    const view = await mailServers.read();
    c.header("etag", `"${view.version}"`);
    return c.json(view, 200);
  });

  for (const change of changes) {
    const route = createRoute({
      ...common,
      ...change,
      path: "/api/admin/smtp",
      request: { headers: ifMatchHeader, body: jsonBody(changeSchema, { ...example, password: "…" }) },
      responses: { 200: response },
      errors: [...writeErrors, "version_conflict", "stale_version"],
    });
    app.openapi(route, async (c) => {
      const { version, ...patch } = c.req.valid("json");
      const ifMatch = readIfMatch(c.req.header("if-match"));
      const view = await mailServers.change(patch, { version, ifMatch, actor: c.var.actor });
      c.header("etag", `"${view.version}"`);
      return c.json(view, 200);
    });
  }
}

function addTestRoute(app: ServiceApp, options: MailServerOptions): void {
  const { mailServers, clock } = options;
  const route = createRoute({
    ...adminRoute("settings", options.guard),
    method: "post",
    path: "/api/admin/smtp/test",
    operationId: "adminTestMailServer",
    [FRESH_PROOF]: false,
    summary:
      "Send a test email immediately, optionally with unsaved settings, and return the server's responses",
    request: { body: jsonBody(testSchema, { ...example, to: "me@example.org" }) },
    responses: {
      200: jsonResponse("The result of each step", testResultSchema, {
        ok: true,
        answer: "connect: 220 smtp.example.org ESMTP\nsend: 250 2.0.0 Ok: queued",
        ms: 312,
      }),
    },
    errors: [...writeErrors, "conflict"],
  });
  app.openapi(route, async (c) => {
    const { to, ...patch } = c.req.valid("json");
    const { server, rules, message } = await mailServers.prepareTest(patch, { to, actor: c.var.actor });
    const begunMs = clock.monotonic();
    const steps = await checkSmtp(server, message, { timeoutMs: TEST_TIMEOUT_MS, rules });
    return c.json(toResult(steps, Math.round(clock.monotonic() - begunMs)), 200);
  });
}

/** Adds the routes below /api/admin/smtp. */
export function addMailServerRoutes(app: ServiceApp, options: MailServerOptions): void {
  addSettingRoutes(app, options);
  addTestRoute(app, options);
}
