/** First drafts of legal pages, for administrators. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import type { ShopDeps } from "../base/deps.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute } from "../edge/create-route.ts";
import { toMailedAddresses } from "../site/page-urls.ts";
import { readSite } from "../site/settings.ts";
import { pageDraftsSchema } from "./answer-schema.ts";
import { draftLanguages, draftPages } from "./page-drafts.ts";

type Parts = Pick<ShopDeps, "store" | "publicUrl"> & { readonly admin: AdminGuard };

/** Adds the drafts of pages. */
export function addAdminPageRoutes(app: ServiceApp, { store, publicUrl, admin }: Parts): void {
  const drafts = createRoute({
    ...adminRoute("admin site", admin),
    method: "get",
    path: "/api/admin/site/pages/drafts",
    operationId: "adminListPageDrafts",
    summary:
      "Generate drafts of the legal notice and the withdrawal policy from the seller's details, without storing them",
    request: { query: z.object({ language: z.enum(draftLanguages).default("en") }) },
    responses: { 200: jsonResponse("The drafts. Unknown details are in brackets", pageDraftsSchema) },
    errors: ["invalid", "store_unavailable"],
  });
  app.openapi(drafts, async (c) => {
    const { language } = c.req.valid("query");
    const site = await store.read(readSite);
    const path = toMailedAddresses(site, publicUrl).withdrawal;
    const url = path.startsWith("/") ? `${publicUrl}${path}` : path;
    return c.json({ items: draftPages(site, { language, url }) }, 200);
  });
}
