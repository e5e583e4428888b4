/** Payment providers one by one, for administrators: /api/admin/site/providers/{word}. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { ifMatchHeader, jsonBody, jsonResponse, readIfMatch, writeErrors } from "../../kit/http/schemas.ts";
import { providerSlugSchema } from "../site/schema.ts";
import type { SiteAdmin } from "./settings-admin.ts";
import { type AdminGuard, adminRoute } from "../http/admin-guard.ts";
import { adminProviderSchema, providerFieldsSchema, toProviderFields } from "./views.ts";
import { createRoute } from "../http/create-route.ts";

const PATH = "/api/admin/site/providers/{word}";
const changeErrors = [...writeErrors, "not_found", "conflict", "version_conflict", "stale_version"] as const;

const example = {
  title: "Bank transfer",
  secret: "a long random text of your own",
  instructions: "IBAN …, name the order number",
  expiryMinutes: 10_080,
};

const params = z.object({
  word: providerSlugSchema
    .refine((slug) => !(slug in Object.prototype), "must be another word")
    .meta({ example: "bank" }),
});

/** Adds GET, PUT, PATCH and DELETE of one provider. */
export function addAdminProviderRoutes(
  app: ServiceApp,
  providers: SiteAdmin["providers"],
  guard: AdminGuard,
): void {
  const route = { ...adminRoute("admin site", guard), path: PATH };
  const response = jsonResponse("The provider; its secret is never shown", adminProviderSchema);

  const adminGetProvider = createRoute({
    ...route,
    method: "get",
    operationId: "adminGetProvider",
    summary: "A payment provider",
    request: { params },
    responses: { 200: response },
    errors: ["invalid", "not_found"],
  });
  app.openapi(adminGetProvider, async (c) => {
    const { provider, version } = await providers.read(c.req.valid("param").word);
    c.header("etag", `"${version}"`);
    return c.json(provider, 200);
  });

  const changes = [
    {
      method: "put",
      operationId: "adminPutProvider",
      summary: "Make or replace a payment provider; others and the stored secret stay",
      run: providers.put,
    },
    {
      method: "patch",
      operationId: "adminChangeProvider",
      summary: "Change some of a payment provider, such as to switch it on or off",
      run: providers.change,
    },
  ] as const;
  for (const { run, ...operation } of changes) {
    const changing = createRoute({
      ...route,
      ...operation,
      request: { params, headers: ifMatchHeader, body: jsonBody(providerFieldsSchema, example) },
      responses: { 200: response },
      errors: changeErrors,
    });
    app.openapi(changing, async (c) => {
      const by = { ifMatch: readIfMatch(c.req.header("if-match")), actor: c.var.actor };
      const fields = toProviderFields(c.req.valid("json"));
      const { provider, version } = await run(c.req.valid("param").word, fields, by);
      c.header("etag", `"${version}"`);
      return c.json(provider, 200);
    });
  }

  const removing = createRoute({
    ...route,
    method: "delete",
    operationId: "adminRemoveProvider",
    summary: "Remove a payment provider with its secret; its orders can be marked as paid by hand",
    request: { params, headers: ifMatchHeader },
    responses: { 204: { description: "Removed" } },
    errors: changeErrors,
  });
  app.openapi(removing, async (c) => {
    const by = { ifMatch: readIfMatch(c.req.header("if-match")), actor: c.var.actor };
    await providers.remove(c.req.valid("param").word, by);
    return c.body(null, 204);
  });
}
