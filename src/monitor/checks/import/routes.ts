/** The route by which checks of other programs come in. */
import type { MiddlewareHandler } from "hono";
import type { ServiceApp } from "../../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../../kit/http/schemas.ts";
import type { GuardEnv } from "../../edge/admin-env.ts";
import { adminRoute, createRoute } from "../../edge/create-route.ts";
import { type ImportDeps, importChecks } from "./import-checks.ts";
import { type ImportResult, importInputSchema, importResultSchema } from "./view-schema.ts";

/** Where a file is sent; its body is larger than others. */
export const IMPORT_PATH = "/api/admin/checks/import";
/** A file of 1 MiB as a text in JSON, in which quotes and line feeds take two characters. */
export const IMPORT_BODY_BYTES = 2_621_440;

const exampleText = JSON.stringify({
  version: "1.23.16",
  monitorList: [{ id: 1, type: "http", name: "Shop", url: "https://shop.example.org/" }],
});

const exampleResult: ImportResult = {
  trial: true,
  checks: 1,
  entries: [
    {
      name: "Shop",
      type: "http",
      outcome: "check",
      check: {
        name: "Shop",
        group: "",
        tags: [],
        kind: "http",
        target: "GET shop.example.org",
        paused: false,
        keepsToken: false,
      },
      notes: [],
    },
  ],
  leftOut: [],
};

export function addImportRoutes(
  app: ServiceApp,
  { guard, ...deps }: ImportDeps & { readonly guard: MiddlewareHandler<GuardEnv> },
): void {
  const adminImportChecks = createRoute({
    ...adminRoute("checks", guard),
    method: "post",
    path: IMPORT_PATH,
    operationId: "adminImportChecks",
    summary:
      "Import checks from Uptime Kuma, Gatus, or healthchecks.io in one transaction. By default, only a dry run",
    request: { body: jsonBody(importInputSchema, { format: "kuma", text: exampleText, trial: true }) },
    responses: { 200: jsonResponse("The result for each entry", importResultSchema, exampleResult) },
    errors: [...writeErrors, "conflict"],
  });
  app.openapi(adminImportChecks, async (c) => {
    const input = c.req.valid("json");
    return c.json(await importChecks(deps, { input, actor: c.var.actor }), 200);
  });
}
