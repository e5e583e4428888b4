/** Deleting accounts over /api/admin, and the administrator who must stay. */
import { toIsoTime } from "../../../src/kit/text/iso-time.ts";
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { authCollections } from "../../../src/auth/app/records.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import { type TestApp, code, createTestApp } from "../app-fixture.ts";
import { findInStore } from "../store-dump.ts";
import { isSignedIn, lastAudit, read } from "../http/admin-requests.ts";

interface User {
  id: string;
  username: string;
  email: string;
  emailVerified: boolean;
  status: string;
  role: string;
  passwordSet: boolean;
  version: number;
  purgeAfter?: number;
  setPasswordToken?: string;
  setPasswordUrl?: string;
}
interface UserPage {
  items: User[];
  nextCursor?: string;
}

const DAY_MS = 86_400_000;
let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

async function list(query: string): Promise<UserPage> {
  return read(await app.admin("GET", `/api/admin/users${query}`), 200);
}

describe("deleting an account", () => {
  it("ends its sessions at once and keeps it for 30 days", async () => {
    const { user, accessToken, refreshToken } = await app.signUp("ann");
    assert.equal((await app.admin("DELETE", `/api/admin/users/${user.id}`)).status, 204);
    assert.equal(await isSignedIn(app, accessToken), false);
    const refreshed = app.auth.sessions.refresh(refreshToken, {
      clientId: "t",
      clientAddress: "",
      ipPrefix: "",
      userAgent: "",
      requestId: "",
    });
    await assert.rejects(refreshed, { code: "refresh_invalid" });
    const after: User = await read(await app.admin("GET", `/api/admin/users/${user.id}`), 200);
    assert.deepEqual([after.status, after.purgeAfter], ["deleted", toIsoTime(app.clock.now() + 30 * DAY_MS)]);
    assert.deepEqual(await code(await app.admin("PATCH", `/api/admin/users/${user.id}`, { locale: "de" })), [
      409,
      "conflict",
    ]);
  });

  it("ends its sessions for good, also when it is restored at once", async () => {
    const { user, accessToken } = await app.signUp("ann");
    await app.admin("DELETE", `/api/admin/users/${user.id}`);
    assert.equal((await app.admin("POST", `/api/admin/users/${user.id}/restore`)).status, 200);
    assert.match((await app.mailsTo(user.email)).join(), /Your account was restored/u);
    assert.equal(await isSignedIn(app, accessToken), false);
  });

  it("with purge removes every record that names it but the audit", async () => {
    const { user } = await app.signUp("ann");
    const path = `/api/admin/users/${user.id}`;
    assert.deepEqual(await code(await app.admin("DELETE", `${path}?purge=yes`)), [422, "invalid"]);
    assert.equal((await app.admin("DELETE", `${path}?purge=true`)).status, 204);
    const left = await findInStore(app.store, [user.id, "ann@example.org"]);
    assert.deepEqual(
      left.filter((line) => !line.startsWith("audit ")),
      [],
    );
    assert.deepEqual(await code(await app.admin("GET", path)), [404, "not_found"]);
    assert.deepEqual(await code(await app.admin("DELETE", path)), [404, "not_found"]);
    assert.equal((await lastAudit(app)).action, "user.purge");
  });
});

describe("the last administrator", () => {
  it("keeps role, freedom and account", async () => {
    const { user, accessToken: token } = await app.signUp("boss", { role: "admin" });
    await app.signUp("gone", { role: "admin", status: "pending" });
    const path = `/api/admin/users/${user.id}`;
    const attempts = [
      app.send("PATCH", path, { body: { role: "user" }, token }),
      app.send("POST", `${path}/suspend`, { body: {}, token }),
      app.send("DELETE", path, { token }),
      app.send("DELETE", `${path}?purge=true`, { token }),
    ];
    for (const attempt of attempts) assert.deepEqual(await code(await attempt), [409, "last_admin"]);
  });

  it("is deleted if the holder of the administrator token confirms it, and the error names another role", async () => {
    const { user, accessToken } = await app.signUp("boss", { role: "admin" });
    const path = `/api/admin/users/${user.id}`;
    assert.equal((await app.admin("PATCH", path, { role: "user" })).status, 200);
    assert.match((await app.mailsTo("boss@example.org")).join("\n"), /changed the role of your account/u);
    assert.equal(await isSignedIn(app, accessToken), false);
    for (const action of ["suspend", "remove"]) {
      const next = await app.signUp(`boss-${action}`, { role: "admin" });
      const nextPath = `/api/admin/users/${next.user.id}`;
      const done =
        action === "suspend" ? app.admin("POST", `${nextPath}/suspend`, {}) : app.admin("DELETE", nextPath);
      assert.ok((await done).status < 300, action);
    }
  });

  for (const forceReruns of [false, true]) {
    it(`is one of two under parallel attempts on both${forceReruns ? ", when work runs again" : ""}`, async () => {
      app = await createTestApp({ store: createMemoryStore({ collections: authCollections, forceReruns }) });
      const one = await app.signUp("one", { role: "admin" });
      const two = await app.signUp("two", { role: "admin" });
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, i) => {
          const [target, other] = i % 2 === 0 ? [one, two] : [two, one];
          const path = `/api/admin/users/${target.user.id}`;
          const token = other.accessToken;
          if (i % 3 === 0) return app.send("PATCH", path, { body: { role: "user" }, token });
          if (i % 3 === 1) return app.send("DELETE", path, { token });
          return app.send("POST", `${path}/suspend`, { body: {}, token });
        }),
      );
      assert.ok(answers.some(({ status }) => status === 409));
      const left = (await list("?role=admin&status=active")).items;
      assert.equal(left.length, 1);
    });
  }
});
