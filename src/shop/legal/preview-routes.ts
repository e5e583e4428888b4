/** Previews of Markdown texts, for their authors. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse } from "../../kit/http/schemas.ts";
import { text } from "../../kit/text/schemas.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute } from "../edge/create-route.ts";
import { markdownPreviewSchema } from "./answer-schema.ts";
import { renderMarkdown } from "./markdown.ts";

const MAX_LENGTH = 100_000;

const previewSchema = z.strictObject({ text: text(MAX_LENGTH) }).openapi("MarkdownText");

/** Adds POST /api/admin/markdown. */
export function addMarkdownPreviewRoute(app: ServiceApp, { admin }: { readonly admin: AdminGuard }): void {
  const route = createRoute({
    ...adminRoute("admin site", admin),
    method: "post",
    path: "/api/admin/markdown",
    operationId: "adminPreviewMarkdown",
    "x-scope": "any",
    summary: "Render Markdown as buyers see it: HTML without scripts, styles and images",
    request: { body: jsonBody(previewSchema, { text: "Holds **0.3 l**" }) },
    responses: {
      200: jsonResponse("The HTML", markdownPreviewSchema, { html: "<p>Holds <strong>0.3 l</strong></p>\n" }),
    },
  });
  app.openapi(route, (c) => c.json({ html: renderMarkdown(c.req.valid("json").text) }, 200));
}
