/** Fresh proof: every write of administrators asks for it, unless its route says that it is harmless. */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { type TestApp, createTestApp } from "../app-fixture.ts";
import { type Route, listRoutes, takesJson, toPath } from "../../hostile/route-cases.ts";
import { createAuthSubject } from "../../hostile/subjects.ts";

/** Writes that reveal nothing and grant nothing. */
const harmless: readonly string[] = [
  "POST /api/admin/users/{id}/points",
  "POST /api/admin/upstreams/{id}/test",
  "POST /api/admin/outbox/{id}/retry",
];
/** Reads that show secrets. */
const secretReads: readonly string[] = ["GET /api/admin/users/export", "GET /api/admin/outbox"];

const subject = await createAuthSubject();
const routes = (await listRoutes(subject)).filter(
  ({ schemes, template }) => schemes.includes("adminToken") && template.startsWith("/api/admin/"),
);

describe("fresh proof", () => {
  let app: TestApp;
  let token = "";
  before(async () => {
    app = await createTestApp();
    ({ accessToken: token } = await app.signUp("boss", { role: "admin" }));
    app.clock.advance(11 * 60_000);
  });

  async function isAsked(route: Route): Promise<boolean> {
    const headers = new Headers({ authorization: `Bearer ${token}` });
    if (route.mediaType !== undefined) headers.set("content-type", route.mediaType);
    const body = takesJson(route) ? { body: JSON.stringify(route.example) } : {};
    const response = await app.raw(toPath(subject, route), { method: route.method, headers, ...body });
    const { code = "" }: { code?: string } = await response.json().catch(() => ({}));
    return response.status === 403 && code === "reauth_required";
  }

  it("is a matter of some 50 writes", () => {
    assert.ok(routes.filter(({ method }) => method !== "GET").length >= 50);
    const known = routes.map(({ name }) => name);
    for (const name of [...harmless, ...secretReads]) assert.ok(known.includes(name), name);
  });

  for (const route of routes) {
    const isNeeded =
      route.method === "GET" ? secretReads.includes(route.name) : !harmless.includes(route.name);
    it(`is ${isNeeded ? "" : "not "}asked for by ${route.name}`, async () => {
      assert.equal(await isAsked(route), isNeeded);
    });
  }

  it("lets the same person go on, and the administrator token always", async () => {
    const boss = await app.signIn((await app.signUp("boss2", { role: "admin" })).user);
    const fields = { id: "notes", name: "Notes" };
    const made = await app.send("POST", "/api/admin/clients", { token: boss.accessToken, body: fields });
    assert.equal(made.status, 201);
    assert.equal((await app.admin("POST", "/api/admin/clients/notes/rotate-secret")).status, 200);
  });
});
