/**
 * Every admin route of the three services, tried with a key of each scope and by a person of each built-in role; what
 * must open is read from the scopes that the services' own documents name.
 */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { PASSWORD } from "../auth/app-fixture.ts";
import { createBrowser, signIn } from "../auth/pages/browser.ts";
import { ADMIN_TOKEN, createTestApp as createMonitorTest } from "../monitor/app-fixture.ts";
import { createTestShop } from "../shop/app-fixture.ts";
import { type OwnCenter, cookiesOf, openOwnCenter } from "../support/own-center.ts";
import { builtInRoles } from "../../src/auth/base/role-schema.ts";
import {
  type ScopedService,
  adminScopes,
  isAdminScope,
  listScopes,
  opensAdminScope,
} from "../../src/records/rights/scopes.ts";
import { type Route, listRoutes } from "./route-cases.ts";

type Fetch = (path: string, init?: RequestInit) => Promise<Response>;
interface Service {
  readonly name: ScopedService;
  readonly fetch: Fetch;
  readonly routes: readonly Route[];
}

const own = { "sec-fetch-site": "same-origin", origin: "http://localhost" };
/** Streams stay open; their guard is that of their neighbors. */
const STREAM = "GET /api/admin/chat/stream";

/** Nothing has such an id, so that what is let through does nothing. */
function toPath({ template }: Route): string {
  return template
    .replace(/users\/\{id\}/u, `users/usr_${"0".repeat(26)}`)
    .replace(/\{year\}/u, "2026")
    .replaceAll(/\{\w+\}/gu, "0".repeat(26));
}

function opens(held: "all" | readonly string[], { scope = "administrator" }: Route): boolean {
  if (held === "all" || scope === "any") return true;
  return isAdminScope(scope) && opensAdminScope(new Set(held.filter(isAdminScope)), scope);
}

/** Tries every route without a body; resolves with those whose answer is not the expected one. */
async function tryAll(
  { fetch, routes }: Service,
  held: "all" | readonly string[],
  headers: Readonly<Record<string, string>>,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const route of routes) {
    const { method, name, scope = "" } = route;
    const response = await fetch(toPath(route), { method, headers });
    const { code = "" }: { code?: string } = await response.json().catch(() => ({}));
    const isRefused = response.status === 403 && code === "insufficient_scope";
    const isStranger = response.status === 401 || (response.status === 403 && !isRefused);
    const expected = opens(held, route) ? "opens" : "refuses";
    const actual = isRefused ? "refuses" : isStranger ? `${response.status} ${code}` : "opens";
    if (actual !== expected) wrong.push(`${name} (${scope}) ${actual}`);
    if (isRefused && !response.headers.get("www-authenticate")?.includes(`scope="${scope}"`))
      wrong.push(`${name} does not name its scope`);
  }
  return wrong;
}

describe("admin routes", () => {
  let center: OwnCenter;
  let services: readonly Service[] = [];

  before(async () => {
    center = await openOwnCenter();
    const { clock } = center.auth;
    const publicUrl = "http://localhost";
    const monitor = await createMonitorTest({ clock, publicUrl, center: await center.connect("monitor") });
    const shop = await createTestShop({ clock, publicUrl, center: await center.connect("shop") });
    const list = async (name: ScopedService, fetch: Fetch): Promise<Service> => {
      const document = async (): Promise<unknown> => (await fetch("/openapi.json")).json();
      const all = await listRoutes({
        name,
        fetch,
        document,
        store: shop.store,
        collections: [],
        places: () => "",
        credentials: async () => ({}),
      });
      const routes = all.filter(
        (route) =>
          route.schemes.includes("adminToken") &&
          route.template.startsWith("/api/admin/") &&
          route.name !== STREAM &&
          // Signing out ends the session that the next route needs.
          route.name !== "DELETE /api/admin/auth",
      );
      return { name, fetch, routes };
    };
    services = [
      await list("auth", center.auth.raw),
      await list("monitor", monitor.raw),
      await list("shop", shop.raw),
    ];
  });
  after(() => center.close());

  it("are more than 250", () => {
    assert.ok(services.reduce((sum, { routes }) => sum + routes.length, 0) > 250);
  });

  for (const scope of adminScopes)
    it(`open what ${scope} names to a key, and nothing else`, async () => {
      const service = services.find(({ name }) => listScopes(name).includes(scope));
      assert.ok(service !== undefined);
      const response = await service.fetch("/api/admin/api-keys", {
        method: "POST",
        headers: { "x-admin-token": ADMIN_TOKEN, "content-type": "application/json" },
        body: JSON.stringify({ name: scope, scopes: [scope] }),
      });
      assert.equal(response.status, 201);
      const { key }: { key: string } = await response.json();
      assert.deepEqual(await tryAll(service, [scope], { authorization: `Bearer ${key}` }), []);
      for (const other of services.filter((each) => each !== service)) {
        const foreign = await other.fetch("/api/admin/doctor", {
          headers: { authorization: `Bearer ${key}` },
        });
        assert.equal(foreign.status, 401);
      }
    });

  it("open to keys while the auth center is unavailable, and closed to roles", async () => {
    const { user } = await center.auth.signUp("staff");
    await center.auth.admin("PUT", `/api/admin/users/${user.id}/roles`, { roles: ["viewer"] });
    const [, , shop] = services;
    assert.ok(shop !== undefined);
    const created = await shop.fetch("/api/admin/api-keys", {
      method: "POST",
      headers: { "x-admin-token": ADMIN_TOKEN, "content-type": "application/json" },
      body: JSON.stringify({ name: "Away", scopes: ["orders:read"] }),
    });
    const { key }: { key: string } = await created.json();
    const cookie = await enter(shop, "staff");
    const ask = async (headers: Readonly<Record<string, string>>): Promise<number> =>
      (await shop.fetch("/api/admin/orders", { headers })).status;
    assert.equal(await ask({ cookie, ...own }), 200);
    center.isUp = false;
    center.auth.clock.advance(10_000);
    assert.equal(await ask({ authorization: `Bearer ${key}` }), 200);
    assert.equal(await ask({ "x-admin-token": ADMIN_TOKEN }), 200);
    assert.equal(await ask({ cookie, ...own }), 503);
    center.isUp = true;
    center.auth.clock.advance(10_000);
  });

  /** The cookies of someone who signed in at a service by the center. */
  async function enter({ name, fetch }: Service, username: string): Promise<string> {
    const browser = createBrowser(center.auth);
    await signIn(browser, username, PASSWORD);
    if (name === "auth") return [...browser.cookies].map(([key, value]) => `${key}=${value}`).join("; ");
    const begun = await fetch("/sign-in?rd=%2Fadmin");
    const path = await center.passThrough(browser, begun);
    return cookiesOf(await fetch(path, { headers: { cookie: cookiesOf(begun) } }));
  }

  for (const [role, { scopes }] of builtInRoles)
    it(`open to the role ${role} what its scopes name, at every service`, async () => {
      const username = role.replace("-", "");
      const { user } = await center.auth.signUp(username);
      const path = `/api/admin/users/${user.id}/roles`;
      assert.equal((await center.auth.admin("PUT", path, { roles: [role] })).status, 200);
      for (const service of services) {
        const here =
          scopes === "all" ? "all" : scopes.filter((one) => listScopes(service.name).includes(one));
        const cookie = await enter(service, username);
        if (here.length > 0) assert.deepEqual(await tryAll(service, here, { cookie, ...own }), []);
        else {
          const refused = await service.fetch("/api/admin/doctor", { headers: { cookie, ...own } });
          assert.ok([401, 403].includes(refused.status), service.name);
        }
      }
      center.auth.clock.advance(10 * 60_000);
    });
});
