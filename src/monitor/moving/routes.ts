/** The route by which servers of another monitor come in. */
import type { MiddlewareHandler } from "hono";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { FRESH_PROOF } from "../../records/rights/fresh-proof.ts";
import { assertScope } from "../../records/rights/route-scopes.ts";
import type { PublicAddress } from "../base/public-url.ts";
import type { GuardEnv } from "../edge/admin-env.ts";
import { adminRoute, createRoute } from "../edge/create-route.ts";
import { toInstallLine } from "../install/routes.ts";
import { type MovingDeps, importServers } from "./moving.ts";
import { type ServerImportResult, serverImportResultSchema, serverImportSchema } from "./schema.ts";

export const SERVER_IMPORT_PATH = "/api/admin/servers/import";

const example = {
  format: "beszel",
  systems: [{ id: "4w9k2x7m1q8z3ab", name: "web-1", host: "10.0.0.5", port: "45876", status: "up" }],
  alerts: [{ id: "u7d2k9s4m1x8qab", system: "4w9k2x7m1q8z3ab", name: "CPU", value: 80, min: 10 }],
  trial: true,
} as const;

const exampleResult: ServerImportResult = {
  trial: true,
  servers: 1,
  rules: 1,
  systems: [{ name: "web-1", address: "10.0.0.5:45876", outcome: "server", notes: [] }],
  alerts: [{ name: "Beszel: CPU > 80 % for 10 min", outcome: "rule", servers: 1, notes: ["each_value"] }],
};

export function addServerImportRoute(
  app: ServiceApp,
  {
    guard,
    toUrl,
    address,
    ...deps
  }: MovingDeps & {
    readonly guard: MiddlewareHandler<GuardEnv>;
    /** Where machines reach this monitor over HTTP. */
    readonly toUrl: (requestUrl: string) => string;
    readonly address: PublicAddress;
  },
): void {
  const adminImportServers = createRoute({
    ...adminRoute("servers", guard),
    method: "post",
    path: SERVER_IMPORT_PATH,
    operationId: "adminImportServers",
    [FRESH_PROOF]: true,
    summary:
      "Import servers and alert rules from Beszel in one transaction. By default, only a dry run. Alert rules also require the scope alerts:write",
    request: { body: jsonBody(serverImportSchema, example) },
    responses: {
      200: jsonResponse("The result for each system and each rule", serverImportResultSchema, exampleResult),
    },
    errors: [...writeErrors, "conflict"],
  });
  app.openapi(adminImportServers, async (c) => {
    const input = c.req.valid("json");
    const { actor, principal } = c.var;
    if (input.alerts.length > 0) assertScope(principal.scopes, "alerts:write");
    const url = toUrl(c.req.url);
    c.header("cache-control", "no-store");
    return c.json(
      await importServers(deps, input, { actor, toCommand: (code) => toInstallLine(url, code, address) }),
      200,
    );
  });
}
