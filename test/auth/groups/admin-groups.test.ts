/** Groups over /api/admin/groups: making them, who is in them, and what an account's token says of it. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { ADMIN_TOKEN, type SignedIn, type TestApp, code, createTestApp } from "../app-fixture.ts";
import { lastAudit, read } from "../http/admin-requests.ts";

interface Group {
  id: string;
  title: string;
  members: number;
  version: number;
}

let app: TestApp;
let ann: SignedIn;

beforeEach(async () => {
  app = await createTestApp();
  ann = await app.signUp("ann");
});

async function create(id: string): Promise<Group> {
  return read(await app.admin("POST", "/api/admin/groups", { id, title: `The ${id}` }), 201);
}

const member = (method: "PUT" | "DELETE", group: string, user: SignedIn = ann): Promise<Response> =>
  app.admin(method, `/api/admin/groups/${group}/members/${user.user.id}`);

async function groupsOf({ accessToken }: SignedIn): Promise<[string[], string | null]> {
  const response = await app.send("GET", "/api/auth/validate", { token: accessToken });
  const { user }: { user: { groups: string[] } } = await read(response.clone(), 200);
  return [user.groups, response.headers.get("x-auth-groups")];
}

describe("groups", () => {
  it("are made, listed by id, given another title, and removed", async () => {
    for (const id of ["family", "admins"]) await create(id);
    const listed: { items: Group[] } = await read(await app.admin("GET", "/api/admin/groups"), 200);
    assert.deepEqual(
      listed.items.map(({ id, members }) => [id, members]),
      [
        ["admins", 0],
        ["family", 0],
      ],
    );
    const rename = (tag: string): Promise<Response> =>
      app.send("PATCH", "/api/admin/groups/family", {
        body: { title: "All of us" },
        headers: { "x-admin-token": ADMIN_TOKEN, "if-match": tag },
      });
    const renamed: Group = await read(await rename('"1"'), 200);
    assert.deepEqual([renamed.title, renamed.version], ["All of us", 2]);
    assert.deepEqual((await lastAudit(app)).changes, ['title: "The family" → "All of us"']);
    assert.deepEqual(await code(await rename('"1"')), [412, "version_conflict"]);
    assert.equal((await app.admin("DELETE", "/api/admin/groups/admins")).status, 204);
    assert.deepEqual(await code(await app.admin("GET", "/api/admin/groups/admins")), [404, "not_found"]);
    assert.deepEqual(await code(await app.admin("DELETE", "/api/admin/groups/admins")), [404, "not_found"]);
  });

  it("have ids that fit into a list with commas", async () => {
    await create("family");
    const make = async (id: string): Promise<[number, string]> =>
      code(await app.admin("POST", "/api/admin/groups", { id, title: "A group" }));
    assert.deepEqual(await make("family"), [409, "already_exists"]);
    for (const id of ["", "a,b", "Family", "é", "a b"]) assert.deepEqual(await make(id), [422, "invalid"]);
  });

  it("come with the token from the next request on, and are shown to their member", async () => {
    await create("family");
    await create("crew");
    assert.deepEqual(await groupsOf(ann), [[], ""]);
    for (const group of ["family", "crew", "family"]) assert.equal((await member("PUT", group)).status, 204);
    assert.deepEqual(await groupsOf(ann), [["crew", "family"], "crew,family"]);
    const me: { groups: string[] } = await read(
      await app.send("GET", "/api/auth/me", { token: ann.accessToken }),
      200,
    );
    assert.deepEqual(me.groups, ["crew", "family"]);
    const { items }: { items: { username: string }[] } = await read(
      await app.admin("GET", "/api/admin/groups/family/members"),
      200,
    );
    assert.deepEqual(
      items.map(({ username }) => username),
      ["ann"],
    );
    assert.equal((await member("DELETE", "family")).status, 204);
    assert.equal((await lastAudit(app)).action, "group.remove-member");
    assert.deepEqual(await groupsOf(ann), [["crew"], "crew"]);
    assert.deepEqual(await code(await member("PUT", "nobody")), [404, "not_found"]);
  });

  it("lose all members when they go, so that one of the same name begins empty", async () => {
    await create("family");
    const bob = await app.signUp("bob");
    for (const each of [ann, bob]) await member("PUT", "family", each);
    assert.equal((await app.admin("DELETE", "/api/admin/groups/family")).status, 204);
    assert.deepEqual(await groupsOf(bob), [[], ""]);
    assert.equal((await create("family")).members, 0);
  });

  it("lose an account that is removed", async () => {
    await create("family");
    await member("PUT", "family");
    await app.admin("DELETE", `/api/admin/users/${ann.user.id}?purge=true`);
    const group: Group = await read(await app.admin("GET", "/api/admin/groups/family"), 200);
    assert.equal(group.members, 0);
  });

  it("are 50 for an account", async () => {
    for (let number = 0; number <= 50; number += 1) await create(`g${number}`);
    for (let number = 0; number < 50; number += 1) await member("PUT", `g${number}`);
    assert.deepEqual(await code(await member("PUT", "g50")), [409, "conflict"]);
    await member("DELETE", "g7");
    assert.equal((await member("PUT", "g50")).status, 204);
  });

  it("stay while an application names them", async () => {
    await create("family");
    const client = { id: "notes", name: "Notes", allowedGroups: ["family"] };
    await read(await app.admin("POST", "/api/admin/clients", client), 201);
    const refused = await app.admin("DELETE", "/api/admin/groups/family");
    assert.match(await refused.clone().text(), /\\"notes\\" uses this group/u);
    assert.deepEqual(await code(refused), [409, "conflict"]);
    await app.admin("PATCH", "/api/admin/clients/notes", { allowedGroups: [] });
    assert.equal((await app.admin("DELETE", "/api/admin/groups/family")).status, 204);
  });

  it("are for administrators who proved lately who they are", async () => {
    await create("family");
    const boss = await app.signUp("boss", { role: "admin" });
    const path = `/api/admin/groups/family/members/${ann.user.id}`;
    const add = (token: string | undefined): Promise<Response> => app.send("PUT", path, { token });
    assert.deepEqual(await code(await add(undefined)), [401, "unauthenticated"]);
    assert.deepEqual(await code(await add(ann.accessToken)), [403, "forbidden"]);
    app.clock.advance(11 * 60_000);
    assert.deepEqual(await code(await add(boss.accessToken)), [403, "reauth_required"]);
  });
});
