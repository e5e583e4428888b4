/** The site's settings for administrators: /api/admin/site. */
import type { ServiceApp } from "../../kit/http/app.ts";
import { ifMatchHeader, jsonBody, jsonResponse, readIfMatch, writeErrors } from "../../kit/http/schemas.ts";
import type { SiteAdmin } from "./settings-admin.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { addAdminProviderRoutes } from "./provider-routes.ts";
import { adminSiteSchema, sitePatchSchema } from "./answer-schema.ts";
import { toSiteAnswer, toSitePatch } from "./views.ts";
import { createRoute } from "../edge/create-route.ts";

const example = {
  name: "Corner shop",
  currency: "EUR",
  paymentProviders: [
    { word: "acme", title: "Card", secret: "a long random text of your own", payUrlTemplate: "" },
  ],
  version: 3,
};

const changes = [
  { method: "patch", operationId: "adminChangeSite", summary: "Change some settings of the site" },
  {
    method: "put",
    operationId: "adminReplaceSite",
    summary: "Same as PATCH: omitted fields keep their values",
  },
] as const;

/** Adds /api/admin/site and the routes below it. */
export function addAdminSiteRoutes(
  app: ServiceApp,
  { siteAdmin, admin }: { readonly siteAdmin: SiteAdmin; readonly admin: AdminGuard },
): void {
  const route = { ...adminRoute("admin site", admin), path: "/api/admin/site" as const };
  const response = jsonResponse("The settings, without secrets", adminSiteSchema);

  const adminGetSite = createRoute({
    ...route,
    method: "get",
    operationId: "adminGetSite",
    // Every section needs currency, languages and time zone; no secret is shown.
    "x-scope": "any",
    summary: "Get the site settings",
    responses: { 200: response },
    errors: ["store_unavailable"],
  });
  app.openapi(adminGetSite, async (c) => {
    const view = await siteAdmin.read();
    c.header("etag", `"${view.version}"`);
    return c.json(toSiteAnswer(view), 200);
  });

  for (const operation of changes) {
    const changing = createRoute({
      ...route,
      ...operation,
      request: { headers: ifMatchHeader, body: jsonBody(sitePatchSchema, example) },
      responses: { 200: response },
      errors: [...writeErrors, "conflict", "version_conflict", "stale_version"],
    });
    app.openapi(changing, async (c) => {
      const { version, ...patch } = c.req.valid("json");
      const ifMatch = readIfMatch(c.req.header("if-match"));
      const view = await siteAdmin.change(toSitePatch(patch), { version, ifMatch, actor: c.var.actor });
      c.header("etag", `"${view.version}"`);
      return c.json(toSiteAnswer(view), 200);
    });
  }
  addAdminProviderRoutes(app, siteAdmin.providers, admin);
}
