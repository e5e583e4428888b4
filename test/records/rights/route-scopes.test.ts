/** Scopes of admin routes: each route of each service has one, and the check asks for it. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OpenAPIHono, createRoute } from "@hono/zod-openapi";
import { AppError } from "../../../src/kit/errors.ts";
import { toProblemResponse } from "../../../src/kit/http/problem.ts";
import { assertScope, createRouteScopes } from "../../../src/records/rights/route-scopes.ts";
import {
  type AdminScope,
  type ScopedService,
  isAdminScope,
  listScopes,
  opensAdminScope,
} from "../../../src/records/rights/scopes.ts";
import { listRoutes } from "../../hostile/route-cases.ts";
import { createAuthSubject, createMonitorSubject, createShopSubject } from "../../hostile/subjects.ts";

const subjects: readonly [ScopedService, () => ReturnType<typeof createAuthSubject>][] = [
  ["auth", createAuthSubject],
  ["monitor", createMonitorSubject],
  ["shop", createShopSubject],
];
const held = (...scopes: AdminScope[]): ReadonlySet<AdminScope> => new Set(scopes);

for (const [service, create] of subjects) {
  describe(`admin routes of ${service}`, async () => {
    const routes = (await listRoutes(await create())).filter(
      ({ template, schemes }) =>
        schemes.includes("adminToken") && (template.startsWith("/api/admin/") || template === "/metrics"),
    );
    const scopes = new Set<string>(listScopes(service));

    it("all have a scope of this service, and every scope opens a route", () => {
      for (const { name, scope = "none" } of routes)
        assert.ok(["administrator", "any"].includes(scope) || scopes.has(scope), `${name}: ${scope}`);
      const used = new Set(routes.map(({ scope }) => scope));
      // No scope writes the audit; orders create invoices.
      const unused = [...scopes].filter((scope) => !used.has(scope));
      assert.deepEqual(unused, { auth: ["audit:write"], monitor: [], shop: ["invoices:write"] }[service]);
    });

    it("reads need no write", () => {
      const known = ["GET /api/admin/products/{id}/shared-secret"];
      for (const { name, method, scope = "" } of routes)
        if (method === "GET" && scope.endsWith(":write")) assert.ok(known.includes(name), name);
    });
  });
}

describe("createRouteScopes", () => {
  const app = new OpenAPIHono();
  const responses = { 200: { description: "" } };
  const admin = { "x-access": "admin", security: [{ adminToken: [] }] };
  const scopes = createRouteScopes(app, { goods: "products" });
  app.use("*", async (c, next) => {
    const names = (c.req.header("x-held") ?? "").split(" ").filter(isAdminScope);
    scopes.assert(c, names.length === 0 ? "all" : new Set(names));
    await next();
  });
  app.onError((error) =>
    toProblemResponse(error instanceof AppError ? error : new AppError("internal", ""), "1"),
  );
  const add = (route: object): void => {
    app.openapi(
      createRoute({ method: "get", path: "/x", ...admin, tags: ["goods"], responses, ...route }),
      (c) => c.text("done"),
    );
  };
  // Literal paths first, as in the services: the first route that matches answers.
  add({ path: "/goods/export", method: "post", "x-scope": "products:read" });
  add({ path: "/goods/{id}" });
  add({ path: "/goods/{id}", method: "post" });
  add({ path: "/keys", "x-scope": "administrator" });
  add({ path: "/me", "x-scope": "any" });
  add({ path: "/new", tags: ["elsewhere"] });
  add({ path: "/typo", "x-scope": "goods:read" });

  const cases: readonly [string, string, AdminScope, number][] = [
    ["GET", "/goods/1", "products:read", 200],
    ["HEAD", "/goods/1", "products:read", 200],
    ["GET", "/goods/1", "products:write", 200],
    ["GET", "/goods/1", "orders:write", 403],
    ["POST", "/goods/1", "products:read", 403],
    ["POST", "/goods/1", "products:write", 200],
    ["POST", "/goods/export", "products:read", 200],
    ["GET", "/keys", "products:write", 403],
    ["GET", "/me", "orders:read", 200],
    ["GET", "/new", "products:write", 403],
    ["GET", "/typo", "products:write", 403],
    ["GET", "/nowhere", "products:write", 403],
  ];
  for (const [method, path, scope, status] of cases)
    it(`answers ${method} ${path} with ${scope}: ${status}`, async () => {
      const response = await app.request(path, { method, headers: { "x-held": scope } });
      assert.equal(response.status, status);
    });

  it("lets an administrator do everything", async () => {
    for (const path of ["/goods/1", "/keys", "/me", "/new", "/typo"])
      assert.equal((await app.request(path)).status, 200, path);
  });

  it("names the missing scope in the answer and in WWW-Authenticate (RFC 6750)", async () => {
    const response = await app.request("/goods/1", { method: "POST", headers: { "x-held": "orders:read" } });
    const problem: { code: string; scope: string; detail: string } = await response.json();
    assert.equal(problem.code, "insufficient_scope");
    assert.equal(problem.scope, "products:write");
    assert.match(problem.detail, /products:write/u);
    assert.equal(
      response.headers.get("www-authenticate"),
      'Bearer error="insufficient_scope", scope="products:write"',
    );
  });
});

describe("opensAdminScope", () => {
  it("lets write read, and read nothing else", () => {
    assert.ok(opensAdminScope(held("orders:write"), "orders:read"));
    assert.ok(!opensAdminScope(held("orders:read"), "orders:write"));
    assert.ok(!opensAdminScope(held("orders:write"), "products:read"));
    assert.throws(() => assertScope(held("orders:write"), "administrator"), AppError);
  });
});
