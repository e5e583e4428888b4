/** Roles: what they permit in the auth center, what its services learn, and how they end. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { keepOwnClient } from "../../../src/auth/applications/own-clients.ts";
import { authCollections } from "../../../src/auth/app/records.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import { withTestKey } from "../../support/audited-store.ts";
import { createFixedClock } from "../../support/fixed-clock.ts";
import { type SignedIn, type TestApp, code, createTestApp } from "../app-fixture.ts";

interface Validation {
  readonly administers?: boolean;
  readonly adminScopes: readonly string[];
}

describe("roles", () => {
  let app: TestApp;
  let other: TestApp;
  let ann: SignedIn;
  let bob: SignedIn;

  beforeEach(async () => {
    const store = withTestKey(createMemoryStore({ collections: authCollections }));
    const clock = createFixedClock();
    [app, other] = [await createTestApp({ store, clock }), await createTestApp({ store, clock })];
    [ann, bob] = [await app.signUp("ann"), await app.signUp("bob")];
  });

  const give = (roles: readonly string[], { user } = ann): Promise<Response> =>
    app.admin("PUT", `/api/admin/users/${user.id}/roles`, { roles });
  const as = (who: SignedIn, method: string, path: string, body?: unknown, at = app): Promise<Response> =>
    at.send(method, path, { token: who.accessToken, body });
  const validate = async (who = ann, at = app): Promise<Validation> =>
    (await as(who, "GET", "/api/auth/validate", undefined, at)).json();
  async function createRole(name: string, scopes: readonly string[]): Promise<string> {
    const response = await app.admin("POST", "/api/admin/roles", { name, scopes });
    assert.equal(response.status, 201, await response.clone().text());
    const { id }: { id: string } = await response.json();
    return id;
  }

  it("open the routes of their scopes and no others, and the refusal names the scope", async () => {
    assert.deepEqual(await code(await as(ann, "GET", "/api/admin/users")), [403, "forbidden"]);
    await give([await createRole("Directory", ["users:read", "orders:read"])]);
    assert.equal((await as(ann, "GET", "/api/admin/users")).status, 200);
    const refused = await as(ann, "GET", "/api/admin/clients");
    assert.match(refused.headers.get("www-authenticate") ?? "", /scope="applications:read"/u);
    assert.deepEqual(await code(refused), [403, "insufficient_scope"]);
    const suspended = await as(ann, "POST", `/api/admin/users/${bob.user.id}/suspend`, {});
    assert.deepEqual(await code(suspended), [403, "insufficient_scope"]);
  });

  it("tell the services what they open; built-in ones cannot be changed", async () => {
    assert.deepEqual((await validate()).adminScopes, []);
    await give(["accountant"]);
    assert.deepEqual((await validate()).adminScopes, ["orders:read", "invoices:read"]);
    assert.equal((await validate()).administers, undefined);
    for (const [method, body] of [["PATCH", { name: "Books" }] as const, ["DELETE", undefined] as const]) {
      const response = await app.admin(method, "/api/admin/roles/accountant", body);
      assert.deepEqual(await code(response), [409, "conflict"]);
    }
  });

  it("end at the next call of another node: taken away, changed, deleted", async () => {
    const id = await createRole("Directory", ["users:read"]);
    const opens = async (): Promise<number> =>
      (await as(ann, "GET", "/api/admin/users", undefined, other)).status;
    await give([id]);
    assert.equal(await opens(), 200);
    await give([]);
    assert.equal(await opens(), 403);
    await give([id]);
    assert.equal(await opens(), 200);
    await app.admin("PATCH", `/api/admin/roles/${id}`, { scopes: ["audit:read"] });
    assert.equal(await opens(), 403);
    await app.admin("PATCH", `/api/admin/roles/${id}`, { scopes: ["users:read"] });
    assert.equal(await opens(), 200);
    assert.equal((await app.admin("DELETE", `/api/admin/roles/${id}`)).status, 204);
    assert.equal(await opens(), 403);
    assert.deepEqual((await validate(ann, other)).adminScopes, []);
  });

  it("come with groups, and go with the membership, the group's roles and the group", async () => {
    const id = await createRole("Directory", ["users:read"]);
    const member = (method: string) => app.admin(method, `/api/admin/groups/staff/members/${ann.user.id}`);
    const ofGroup = (roles: readonly string[]) =>
      app.admin("PUT", "/api/admin/groups/staff/roles", { roles });
    const opens = async (): Promise<number> =>
      (await as(ann, "GET", "/api/admin/users", undefined, other)).status;
    await app.admin("POST", "/api/admin/groups", { id: "staff", title: "Staff" });
    await member("PUT");
    assert.equal(await opens(), 403);
    assert.equal((await ofGroup([id, "support"])).status, 200);
    assert.equal(await opens(), 200);
    assert.deepEqual((await validate()).adminScopes, ["orders:read", "chat:write", "users:read"]);
    await member("DELETE");
    assert.equal(await opens(), 403);
    await member("PUT");
    assert.equal(await opens(), 200);
    await ofGroup([]);
    assert.equal(await opens(), 403);
    await ofGroup([id]);
    assert.equal((await app.admin("DELETE", "/api/admin/groups/staff")).status, 204);
    await app.admin("POST", "/api/admin/groups", { id: "staff", title: "Staff" });
    await member("PUT");
    assert.equal(await opens(), 403);
  });

  it("are given by administrators alone, who prove freshly who they are", async () => {
    await give([await createRole("Accounts", ["users:write"])]);
    const target = `/api/admin/users/${bob.user.id}`;
    const scopes = ["users:read"];
    for (const [method, path, body] of [
      ["PUT", `${target}/roles`, { roles: ["viewer"] }],
      ["PATCH", target, { role: "admin" }],
      ["POST", "/api/admin/roles", { name: "Own", scopes }],
      ["POST", "/api/admin/api-keys", { name: "Own", scopes }],
      ["GET", "/api/admin/api-keys", undefined],
      ["POST", "/api/admin/users", { username: "eve", email: "eve@example.org", role: "admin" }],
      ["POST", `${target}/impersonate`, { reason: "a look" }],
      ["GET", "/api/admin/users/export", undefined],
      ["PATCH", "/api/admin/settings/mail", { host: "mail.example.net" }],
    ] as const)
      assert.deepEqual(await code(await as(ann, method, path, body)), [403, "insufficient_scope"], path);
    const boss = await app.signUp("boss", { role: "admin" });
    assert.equal((await as(boss, "PUT", `${target}/roles`, { roles: ["viewer"] })).status, 200);
    app.clock.advance(11 * 60_000);
    const late = await as(boss, "PUT", `${target}/roles`, { roles: [] });
    assert.deepEqual(await code(late), [403, "reauth_required"]);
  });

  it("protect their holders from administrators who may only change accounts", async () => {
    await give([await createRole("Accounts", ["users:write"])]);
    const plain = await app.signUp("carl");
    const boss = await app.signUp("boss", { role: "admin" });
    await give(["viewer"], bob);
    await app.admin("POST", "/api/admin/groups", { id: "staff", title: "Staff" });
    await app.admin("PUT", "/api/admin/groups/staff/roles", { roles: ["viewer"] });
    await app.admin("POST", "/api/admin/groups", { id: "trivet-admins", title: "Administrators" });
    const { user } = plain;
    assert.equal((await as(ann, "POST", `/api/admin/users/${user.id}/revoke-sessions`)).status, 200);
    for (const [method, path, body] of [
      ...[bob, boss, ann].flatMap(
        ({ user: { id } }) =>
          [
            ["POST", `/api/admin/users/${id}/reset-link`, {}],
            ["POST", `/api/admin/users/${id}/reset-mfa`, undefined],
            ["PATCH", `/api/admin/users/${id}`, { email: "mine@example.org" }],
            ["DELETE", `/api/admin/users/${id}`, undefined],
          ] as const,
      ),
      ["PUT", `/api/admin/groups/staff/members/${user.id}`, undefined],
      ["PUT", `/api/admin/groups/trivet-admins/members/${user.id}`, undefined],
      ["DELETE", "/api/admin/groups/staff", undefined],
    ] as const)
      assert.deepEqual(await code(await as(ann, method, path, body)), [403, "insufficient_scope"], path);
  });

  it("keep their holders from more by way of applications", async () => {
    await give([await createRole("Applications", ["applications:write"])]);
    const machine = { id: "robot", name: "Robot", machineScopes: ["orders:write"] };
    const application = { id: "notes", name: "Notes" };
    assert.equal((await as(ann, "POST", "/api/admin/clients", application)).status, 201);
    assert.equal((await as(ann, "PATCH", "/api/admin/clients/notes", { name: "Notebook" })).status, 200);
    assert.equal((await app.admin("POST", "/api/admin/clients", machine)).status, 201);
    await keepOwnClient(app, {
      id: "shop",
      secret: "s",
      name: "Shop",
      redirectUris: [],
      postLogoutRedirectUris: [],
      logoutUrl: "",
    });
    const given = { machineScopes: ["applications:write"] };
    for (const [method, path, body] of [
      ["POST", "/api/admin/clients", { ...application, ...given, id: "other" }],
      ["PATCH", "/api/admin/clients/notes", given],
      ["PATCH", "/api/admin/clients/robot", { jwksUri: "https://robot.example/keys" }],
      ["POST", "/api/admin/clients/robot/secrets", undefined],
      ["POST", "/api/admin/clients/r%6Fbot/rotate-secret", undefined],
      ["DELETE", "/api/admin/clients/robot", undefined],
      ["PATCH", "/api/admin/clients/shop", { redirectUris: ["https://evil.example/cb"] }],
      ["POST", "/api/admin/clients/%73hop/secrets", undefined],
    ] as const)
      assert.deepEqual(await code(await as(ann, method, path, body)), [403, "insufficient_scope"], path);
  });

  it("leave one administrator, whatever it is called", async () => {
    const owner = await app.signUp("boss", { role: "admin" });
    await give(["owner"], owner);
    assert.equal((await validate(owner)).administers, true);
    const path = `/api/admin/users/${owner.user.id}`;
    const removed = await as(owner, "PUT", `${path}/roles`, { roles: ["viewer"] });
    assert.deepEqual(await code(removed), [409, "last_admin"]);
    assert.deepEqual(await code(await as(owner, "PATCH", path, { role: "user" })), [409, "last_admin"]);
    await give(["administrator"], bob);
    assert.equal((await as(owner, "PATCH", path, { role: "user" })).status, 200);
    const { roles }: { roles: string[] } = await (await app.admin("GET", path)).json();
    assert.deepEqual(roles, []);
  });

  it("ask for the second factor that administration needs", async () => {
    await give(["viewer", await createRole("Directory", ["users:read"])]);
    await app.set("registration", { adminSecondFactor: "required" });
    assert.deepEqual(await code(await as(ann, "GET", "/api/admin/users")), [403, "forbidden"]);
    const { administers, adminScopes } = await validate();
    assert.deepEqual([administers, adminScopes], [false, []]);
  });

  it("have names of their own, exist, and are 50 at most, however many are created at once", async () => {
    await createRole("Directory", ["users:read"]);
    const scopes = ["users:read"];
    for (const name of ["directory", "Owner", "VIEWER"]) {
      const response = await app.admin("POST", "/api/admin/roles", { name, scopes });
      assert.deepEqual(await code(response), [409, "already_exists"], name);
    }
    const wrong = await app.admin("POST", "/api/admin/roles", { name: "Wrong", scopes: ["everything"] });
    assert.deepEqual(await code(wrong), [422, "invalid"]);
    assert.deepEqual(await code(await give(["rol_nobody"])), [422, "invalid"]);
    await app.admin("POST", "/api/admin/groups", { id: "staff", title: "Staff" });
    const administrative = await app.admin("PUT", "/api/admin/groups/staff/roles", { roles: ["owner"] });
    assert.deepEqual(await code(administrative), [422, "invalid"]);
    for (let i = 0; i < 41; i += 1) await createRole(`Role ${i}`, scopes);
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, i) =>
        (i % 2 === 0 ? app : other).admin("POST", "/api/admin/roles", { name: `At once ${i}`, scopes }),
      ),
    );
    assert.equal(answers.filter(({ status }) => status === 201).length, 8);
    assert.equal(answers.filter(({ status }) => status === 409).length, 8);
  });
});
