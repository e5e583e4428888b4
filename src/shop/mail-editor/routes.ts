/** The words of mails for administrators: read, change, preview, try, and back to the first wording. */
import { z } from "@hono/zod-openapi";
import { AppError } from "../../kit/errors.ts";
import type { ServiceApp } from "../../kit/http/app.ts";
import { ifMatchHeader, jsonBody, jsonResponse, readIfMatch, writeErrors } from "../../kit/http/schemas.ts";
import { escapeHtml } from "../../kit/text/html.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute } from "../edge/create-route.ts";
import { mailLanguages, templateKindNames } from "../mails/template-kinds.ts";
import { templateFieldsSchema } from "../mails/template-schema.ts";
import { emailSchema } from "../orders/schema.ts";
import {
  type MailWords,
  mailPreviewSchema,
  mailTestedSchema,
  mailWordsListSchema,
  mailWordsSchema,
} from "./answer-schema.ts";
import type { MailEditor, MailWording, WordsName } from "./mail-editor.ts";
import { FRESH_PROOF } from "../../records/rights/fresh-proof.ts";

interface Parts {
  readonly mailEditor: MailEditor;
  readonly admin: AdminGuard;
}

const TAG = "admin mails";
const PATH = "/api/admin/mails";
const ITEM = `${PATH}/{kind}/{language}` as const;

const params = z.object({
  kind: z.string().min(1).max(60).openapi({ example: "order_placed" }),
  language: z.string().min(1).max(60).openapi({ example: "en" }),
});

/** The words that a path names. Throws `not_found` for a kind or a language that no mail has. */
function toName(path: z.infer<typeof params>): WordsName {
  const kind = templateKindNames.find((name) => name === path.kind);
  const language = mailLanguages.find((tag) => tag === path.language);
  if (kind !== undefined && language !== undefined) return { kind, language };
  throw new AppError(
    "not_found",
    `The email template "${path.kind}" does not exist in the language "${path.language}"`,
  );
}

const example = {
  subject: "Thank you for order {number}",
  text: "It costs {total}.\n\n{order}\n\n{payUntil}\n\n{instructions}\n\n{payLink}\n\n{orderLink}\n\n{legal}",
};
const fieldsSchema = z.strictObject(templateFieldsSchema.shape).openapi("MailWordsFields");
const triedSchema = z.strictObject(templateFieldsSchema.partial().shape).openapi("MailWordsTried");
const testSchema = z
  .strictObject({
    to: emailSchema
      .optional()
      .openapi({ description: "One of the email addresses in adminAddress. Default: the first one" }),
  })
  .openapi("MailTest");

/** Mails have inline styles, which our own pages may not have; nothing else of them is let in. */
const MAIL_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'";

function toView(wording: MailWording): MailWords {
  const { values, blocks, needed } = wording;
  return { ...wording, values: [...values], blocks: [...blocks], needed: [...needed] };
}

function addWords(app: ServiceApp, { mailEditor, admin }: Parts): void {
  const base = { ...adminRoute(TAG, admin), path: ITEM };
  const answer = jsonResponse("The email template", mailWordsSchema);
  const adminGetMailWords = createRoute({
    ...base,
    method: "get",
    operationId: "adminGetMailWords",
    summary: "Get an email template in a language, with its placeholders",
    request: { params },
    responses: { 200: answer },
  });
  app.openapi(adminGetMailWords, async (c) => {
    const wording = await mailEditor.get(toName(c.req.valid("param")));
    c.header("etag", `"${wording.version}"`);
    return c.json(toView(wording), 200);
  });

  const adminPutMailWords = createRoute({
    ...base,
    method: "put",
    operationId: "adminPutMailWords",
    summary: "Change an email template. Emails that are already waiting do not change",
    request: { params, headers: ifMatchHeader, body: jsonBody(fieldsSchema, example) },
    responses: { 200: answer },
    errors: [...writeErrors, "not_found", "stale_version"],
  });
  app.openapi(adminPutMailWords, async (c) => {
    const ifMatch = readIfMatch(c.req.header("if-match"));
    const by = { actor: c.var.actor, ifMatch };
    const wording = await mailEditor.put(toName(c.req.valid("param")), c.req.valid("json"), by);
    c.header("etag", `"${wording.version}"`);
    return c.json(toView(wording), 200);
  });

  const adminResetMailWords = createRoute({
    ...base,
    method: "delete",
    operationId: "adminResetMailWords",
    summary: "Reset an email template to its default text",
    request: { params },
    responses: { 204: { description: "The template was reset" } },
    errors: ["invalid", "not_found"],
  });
  app.openapi(adminResetMailWords, async (c) => {
    await mailEditor.reset(toName(c.req.valid("param")), c.var.actor);
    return c.body(null, 204);
  });
}

function addPreviews(app: ServiceApp, { mailEditor, admin }: Parts): void {
  const adminPreviewMail = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: `${ITEM}/preview`,
    operationId: "adminPreviewMail",
    "x-scope": "shop-settings:read",
    summary: "Preview an email with sample values, from the stored template or the one in the body",
    request: { params, body: jsonBody(triedSchema, { subject: "Thank you for order {number}" }) },
    responses: { 200: jsonResponse("The email", mailPreviewSchema) },
  });
  app.openapi(adminPreviewMail, async (c) => {
    const { html = "", ...mail } = await mailEditor.preview(
      toName(c.req.valid("param")),
      c.req.valid("json"),
    );
    return c.json({ ...mail, html }, 200);
  });

  const adminShowMail = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: `${ITEM}/page`,
    operationId: "adminShowMail",
    summary: "Preview the HTML of an email with sample values, for an iframe",
    request: { params },
    responses: { 200: { description: "The page", content: { "text/html": { schema: z.string() } } } },
  });
  app.openapi(adminShowMail, async (c) => {
    const { html, text } = await mailEditor.preview(toName(c.req.valid("param")));
    const page = html ?? `<!doctype html><title>Mail</title><pre>${escapeHtml(text)}</pre>`;
    return c.html(page, 200, { "content-security-policy": MAIL_POLICY });
  });

  const adminTestMail = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: `${ITEM}/test`,
    operationId: "adminTestMail",
    [FRESH_PROOF]: false,
    summary: "Send a test email with sample values to one of the email addresses of the shop",
    request: { params, body: jsonBody(testSchema, {}) },
    responses: { 202: jsonResponse("The email is queued", mailTestedSchema) },
    errors: [...writeErrors, "not_found", "conflict"],
  });
  app.openapi(adminTestMail, async (c) => {
    const { to } = c.req.valid("json");
    const recipient = await mailEditor.sendTest(toName(c.req.valid("param")), { to, actor: c.var.actor });
    return c.json({ to: recipient }, 202);
  });
}

/** Adds the routes below /api/admin/mails. */
export function addAdminMailRoutes(app: ServiceApp, parts: Parts): void {
  const adminListMailWords = createRoute({
    ...adminRoute(TAG, parts.admin),
    method: "get",
    path: PATH,
    operationId: "adminListMailWords",
    summary: "List the email templates in the languages of the site, with their subjects",
    responses: { 200: jsonResponse("The email templates", mailWordsListSchema) },
  });
  app.openapi(adminListMailWords, async (c) => {
    const all = await parts.mailEditor.list();
    const items = all.map(({ kind, language, subject, isChanged }) => ({
      kind,
      language,
      subject,
      isChanged,
    }));
    return c.json({ items }, 200);
  });
  addWords(app, parts);
  addPreviews(app, parts);
}
