/** How an administrator who impersonates a user appears, and what they may do. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type SignedIn, type TestApp, ADMIN_TOKEN, code, createTestApp } from "../app-fixture.ts";
import { isSignedIn, read } from "../http/admin-requests.ts";

let app: TestApp;
let ann: SignedIn;
let token: string;

beforeEach(async () => {
  app = await createTestApp();
  ann = await app.signUp("ann");
  const body = { minutes: 10, reason: "test" };
  const opened = await app.admin("POST", `/api/admin/users/${ann.user.id}/impersonate`, body);
  ({ accessToken: token } = await read<{ accessToken: string }>(opened, 200));
});

describe("an administrator in an account", () => {
  it("is named to applications and to proxies", async () => {
    const introspected = await app.fetch("/api/auth/introspect", {
      method: "POST",
      headers: { "x-admin-token": ADMIN_TOKEN, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ token }),
    });
    assert.deepEqual((await read<{ act: object }>(introspected, 200)).act, { sub: "token" });
    const validated = await app.send("GET", "/api/auth/validate", { token });
    assert.equal(validated.headers.get("x-auth-impersonated-by"), "token");
  });

  it("reads, and changes nothing in the owner's name", async () => {
    for (const path of ["me", "profile", "sessions", "emails", "applications"])
      assert.equal((await app.send("GET", `/api/auth/${path}`, { token })).status, 200, path);
    const changes: [string, string, unknown?][] = [
      ["PATCH", "me", { locale: "de" }],
      ["PATCH", "profile", { bio: "not hers" }],
      ["PUT", "profile", { displayName: "Not hers" }],
      ["DELETE", "profile/avatar"],
      ["DELETE", "sessions"],
      ["DELETE", "applications/test"],
      ["POST", "emails", { email: "other@example.org" }],
      ["POST", "checkin"],
      ["POST", "logout?everywhere=true"],
    ];
    for (const [method, path, body] of changes) {
      const answer = await app.send(method, `/api/auth/${path}`, { token, body });
      assert.deepEqual(await code(answer), [403, "forbidden"], `${method} ${path}`);
    }
    assert.ok(await isSignedIn(app, ann.accessToken));
  });

  it("ends the own session", async () => {
    assert.equal((await app.send("POST", "/api/auth/logout", { token })).status, 204);
    assert.deepEqual([await isSignedIn(app, token), await isSignedIn(app, ann.accessToken)], [false, true]);
  });
});
