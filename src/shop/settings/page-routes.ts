/** What helps to write legal pages, for administrators: how Markdown looks, and first drafts. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import type { ShopDeps } from "../deps.ts";
import { type AdminGuard, adminRoute } from "../http/admin-guard.ts";
import { createRoute } from "../http/create-route.ts";
import { readSite } from "../site/settings.ts";
import { draftLanguages, draftPages } from "./page-drafts.ts";
import { renderMarkdown } from "../legal/markdown.ts";
import { pageSchema } from "../legal/schema.ts";

type Parts = Pick<ShopDeps, "store" | "publicUrl"> & { readonly admin: AdminGuard };

const PATH = "/api/admin/site/pages";

const triedSchema = z.strictObject({ body: pageSchema.shape.body }).openapi("PagePreviewBody");
const previewSchema = z
  .object({ html: z.string().openapi({ description: "Safe to show: no scripts, styles or pictures" }) })
  .openapi("PagePreview");
const draftsSchema = z
  .object({ items: z.array(z.object({ slug: z.string(), title: z.string(), body: z.string() })) })
  .openapi("PageDrafts");

/** Adds the preview and the drafts of pages. */
export function addAdminPageRoutes(app: ServiceApp, { store, publicUrl, admin }: Parts): void {
  const preview = createRoute({
    ...adminRoute("admin site", admin),
    method: "post",
    path: `${PATH}/preview`,
    operationId: "adminPreviewPage",
    summary: "How Markdown of a page looks; nothing is kept",
    request: { body: jsonBody(triedSchema, { body: "**Who we are** …" }) },
    responses: { 200: jsonResponse("The page", previewSchema, { html: "<p><strong>…</strong></p>" }) },
    errors: writeErrors,
  });
  app.openapi(preview, (c) => c.json({ html: renderMarkdown(c.req.valid("json").body) }, 200));

  const drafts = createRoute({
    ...adminRoute("admin site", admin),
    method: "get",
    path: `${PATH}/drafts`,
    operationId: "adminListPageDrafts",
    summary: "First drafts of imprint and withdrawal, from the seller's details; nothing is kept",
    request: { query: z.object({ language: z.enum(draftLanguages).default("en") }) },
    responses: { 200: jsonResponse("Drafts; what is not known stands in brackets", draftsSchema) },
    errors: ["invalid", "store_unavailable"],
  });
  app.openapi(drafts, async (c) => {
    const { language } = c.req.valid("query");
    const site = await store.read(readSite);
    const path = site.eu.withdrawalUrl;
    const url = path.startsWith("/") ? `${publicUrl}${path}` : path;
    return c.json({ items: draftPages(site, { language, url }) }, 200);
  });
}
