/** Finding accounts over /api/admin/users: pages, filters and sorts. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { toIsoTime } from "../../../src/kit/text/iso-time.ts";
import { putUser } from "../../../src/auth/accounts/accounts.ts";
import { type TestApp, code, createTestApp } from "../app-fixture.ts";
import { read } from "../http/admin-requests.ts";
import { logIn } from "../http/people.ts";

interface UserPage {
  items: { username: string }[];
  nextCursor?: string;
}

const DAY_MS = 86_400_000;
const actor = { name: "test", clientId: "test", requestId: "test" };
let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

async function list(query: string): Promise<UserPage> {
  return read(await app.admin("GET", `/api/admin/users${query}`), 200);
}

describe("the list of accounts", () => {
  it("gives the newest first, page by page, each account once", async () => {
    for (const name of ["a1", "b2", "c3", "d4", "e5"]) {
      await app.signUp(name);
      app.clock.advance(1_000);
    }
    const names: string[] = [];
    let page = await list("?limit=2");
    for (;;) {
      names.push(...page.items.map((user) => user.username));
      if (page.nextCursor === undefined) break;
      page = await list(`?limit=2&cursor=${page.nextCursor}`);
    }
    assert.deepEqual(names, ["e5", "d4", "c3", "b2", "a1"]);
  });

  it("filters by status, role and a part of the name or the address", async () => {
    await app.signUp("ann", { role: "admin" });
    await app.signUp("Bob", { status: "pending" });
    await app.signUp("carl", { email: "BOBBY@example.com" });
    const names = async (query: string): Promise<string[]> =>
      (await list(query)).items.map((user) => user.username).sort();
    assert.deepEqual(await names("?role=admin"), ["ann"]);
    assert.deepEqual(await names("?role=user&status=active"), ["carl"]);
    assert.deepEqual(await names("?status=pending"), ["Bob"]);
    assert.deepEqual(await names("?q=BOB"), ["Bob", "carl"]);
    assert.deepEqual(await names("?q=nobody"), []);
    assert.deepEqual(await code(await app.admin("GET", "/api/admin/users?role=god")), [422, "invalid"]);
  });

  it("filters by proof of the address, second factor, and spans of registration and last sign-in", async () => {
    const start = app.clock.now();
    const ann = await app.signUp("ann", { emailVerifiedAt: undefined });
    app.clock.advance(DAY_MS);
    await app.signUp("bob");
    await logIn(app, "bob");
    app.clock.advance(DAY_MS);
    await app.signUp("carl");
    await logIn(app, "carl");
    await app.store.transact((tx) =>
      putUser(
        tx,
        {
          ...ann.user,
          mfa: { totp: { sealedSecret: "sealed", confirmedAt: start }, recovery: [], failures: 0 },
        },
        { edited: false },
      ),
    );
    const names = async (query: string): Promise<string> =>
      (await list(query)).items.map((user) => user.username).join(" ");
    const day = (days: number): string => encodeURIComponent(toIsoTime(start + days * DAY_MS));
    assert.equal(await names("?emailVerified=false"), "ann");
    assert.equal(await names("?emailVerified=true"), "carl bob");
    assert.equal(await names("?secondFactor=true"), "ann");
    assert.equal(await names("?secondFactor=false&sort=oldest"), "bob carl");
    assert.equal(await names(`?createdFrom=${day(1)}`), "carl bob");
    assert.equal(await names(`?createdTo=${day(1)}&status=active`), "ann");
    assert.equal(await names(`?createdFrom=${day(1)}&createdTo=${day(2)}&sort=username`), "bob");
    assert.equal(await names(`?signedInFrom=${day(1)}&signedInTo=${day(2)}`), "bob");
    assert.equal(await names("?neverSignedIn=true"), "ann");
    assert.equal(await names("?neverSignedIn=false"), "carl bob");
    assert.deepEqual(await code(await app.admin("GET", "/api/admin/users?createdTo=today")), [
      422,
      "invalid",
    ]);
  });

  it("filters by a group", async () => {
    await app.admin("POST", "/api/admin/groups", { id: "family", title: "Family" });
    for (const [name, more] of [
      ["ann", {}],
      ["bob", {}],
      ["carl", { role: "admin" as const }],
    ] as const) {
      const { user } = await app.signUp(name, more);
      if (name !== "bob")
        await app.auth.groups.setMember("family", { userId: user.id, isMember: true, actor });
    }
    const names = async (query: string): Promise<string> =>
      (await list(`?group=family${query}`)).items.map((user) => user.username).join(" ");
    assert.equal(await names(""), "carl ann");
    assert.equal(await names("&role=admin"), "carl");
    assert.equal(await names("&sort=username"), "ann carl");
    const none = await app.admin("GET", "/api/admin/users?group=no-such-group");
    assert.deepEqual(await read(none, 200), { items: [] });
  });

  it("sorts by age, name and last sign-in, page by page", async () => {
    for (const name of ["carl", "ann", "bob", "dora"]) {
      await app.signUp(name);
      app.clock.advance(1_000);
    }
    for (const name of ["bob", "carl", "ann"]) {
      await logIn(app, name);
      app.clock.advance(1_000);
    }
    const all = async (sort: string): Promise<string> => {
      const names: string[] = [];
      let page = await list(`?limit=2&sort=${sort}`);
      for (;;) {
        names.push(...page.items.map((user) => user.username));
        if (page.nextCursor === undefined) return names.join(" ");
        page = await list(`?limit=2&sort=${sort}&cursor=${page.nextCursor}`);
      }
    };
    assert.equal(await all("newest"), "dora bob ann carl");
    assert.equal(await all("oldest"), "carl ann bob dora");
    assert.equal(await all("username"), "ann bob carl dora");
    assert.equal(await all("lastSignIn"), "ann carl bob");
    const { nextCursor } = await list("?limit=2&sort=username");
    const stray = await app.admin("GET", `/api/admin/users?sort=oldest&cursor=${nextCursor}`);
    assert.deepEqual(await code(stray), [400, "bad_request"]);
  });

  it("pages through a search without missing or repeating anyone", async () => {
    for (let i = 0; i < 30; i += 1) await app.signUp(`${i % 3 === 0 ? "fox" : "hen"}${i}`);
    const names: string[] = [];
    let cursor = "";
    for (let pages = 0; pages < 20; pages += 1) {
      const page = await list(`?q=fox&limit=3${cursor}`);
      names.push(...page.items.map((user) => user.username));
      if (page.nextCursor === undefined) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    assert.equal(names.length, 10);
    assert.equal(new Set(names).size, 10);
  });

  it("looks at 2,000 accounts a request and goes on from there", async () => {
    const lines = Array.from({ length: 2_100 }, (_, i) =>
      JSON.stringify({ username: `u${i}`, email: `u${i}@example.org`, createdAt: i + 1 }),
    );
    await app.auth.userImport.run(new TextEncoder().encode(lines.join("\n")), {
      dryRun: false,
      actor: { name: "test", clientId: "test", requestId: "test" },
    });
    const first = await list("?q=u0@");
    assert.deepEqual(first.items, []);
    assert.ok(first.nextCursor);
    const second = await list(`?q=u0@&cursor=${first.nextCursor}`);
    assert.deepEqual(
      second.items.map((user) => user.username),
      ["u0"],
    );
  });
});
