/** Email previews for administrators. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { pageSchema } from "../../kit/http/paging.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { languages } from "../../kit/text/languages.ts";
import { type AdminMiddleware, adminRoute } from "../edge/admin-views.ts";
import type { MailPreviews } from "./previews.ts";
import { createRoute } from "../edge/create-route.ts";
import { mailPreviewSchema } from "./preview-schema.ts";

interface Parts {
  readonly mailPreviews: MailPreviews;
  readonly admin: AdminMiddleware;
}

const query = z.object({
  language: z.enum(languages).optional().openapi({ description: "Default: the language of the site" }),
});
const kindSchema = z
  .string()
  .regex(/^[a-z-]{1,60}$/u)
  .openapi({ example: "reset-link" });
const previewSchema = z.object({ ...mailPreviewSchema.shape, kind: kindSchema }).openapi("MailPreview");

/** Mails have inline styles, which our own pages may not have; nothing else of them is let in. */
const MAIL_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'";

/** Adds the routes below /api/admin/mail-previews. */
export function addAdminMailRoutes(app: ServiceApp, { mailPreviews, admin }: Parts): void {
  const adminListMailPreviews = createRoute({
    ...adminRoute("outbox", admin),
    method: "get",
    path: "/api/admin/mail-previews",
    operationId: "adminListMailPreviews",
    summary: "List the email templates with their subjects",
    request: { query },
    responses: {
      200: jsonResponse(
        "The email templates",
        pageSchema(previewSchema.pick({ kind: true, subject: true })),
        {
          items: [{ kind: "reset-link", subject: "Trivet: Choose a new password" }],
        },
      ),
    },
    errors: ["invalid"],
  });
  app.openapi(adminListMailPreviews, async (c) =>
    c.json({ items: await mailPreviews.list(c.req.valid("query").language) }, 200),
  );

  const adminGetMailPreview = createRoute({
    ...adminRoute("outbox", admin),
    method: "get",
    path: "/api/admin/mail-previews/{kind}",
    operationId: "adminGetMailPreview",
    summary: "Preview an email with sample values",
    request: { query, params: z.object({ kind: kindSchema }) },
    responses: { 200: jsonResponse("The email", previewSchema) },
    errors: ["invalid", "not_found"],
  });
  app.openapi(adminGetMailPreview, async (c) =>
    c.json(await mailPreviews.get(c.req.valid("param").kind, c.req.valid("query").language), 200),
  );

  const adminShowMailPreview = createRoute({
    ...adminRoute("outbox", admin),
    method: "get",
    path: "/api/admin/mail-previews/{kind}/page",
    operationId: "adminShowMailPreview",
    summary: "Preview the HTML of an email with sample values, for an iframe",
    request: { query, params: z.object({ kind: kindSchema }) },
    responses: { 200: { description: "The page", content: { "text/html": { schema: z.string() } } } },
    errors: ["invalid", "not_found"],
  });
  app.openapi(adminShowMailPreview, async (c) => {
    const { html } = await mailPreviews.get(c.req.valid("param").kind, c.req.valid("query").language);
    return c.html(html, 200, { "content-security-policy": MAIL_POLICY });
  });
}
