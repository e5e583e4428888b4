/** The account as its owner sees and changes it. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { users } from "../../../src/auth/accounts/records.ts";
import { type SignedIn, type TestApp, code, createTestApp, PASSWORD } from "../app-fixture.ts";
import { read } from "../http/admin-requests.ts";
import { listEventKinds } from "../http/token-requests.ts";

const MINUTE = 60_000;

interface Me {
  readonly username: string;
  readonly role: string;
  readonly status: string;
  readonly emailVerified: boolean;
  readonly points: number;
  readonly locale: string;
  readonly timeZone: string;
  readonly version: number;
}

let app: TestApp;
let ann: SignedIn;

beforeEach(async () => {
  app = await createTestApp();
  ann = await app.signUp("ann");
});

const send = (
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> => app.send(method, `/api/auth/${path}`, { body, token: ann.accessToken, headers });

const change = (body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response> =>
  send("PATCH", "me", body, headers);

async function impersonate(): Promise<string> {
  const opened = await app.admin("POST", `/api/admin/users/${ann.user.id}/impersonate`, {
    minutes: 10,
    reason: "test",
  });
  const { accessToken }: { accessToken: string } = await opened.json();
  return accessToken;
}

describe("GET and PATCH /api/auth/me", () => {
  it("show and change language and time zone, with an entity tag that follows", async () => {
    const before = await send("GET", "me");
    const etag = before.headers.get("etag") ?? "";
    assert.equal(etag, '"1"');
    const after = await change({ locale: "de-AT", timeZone: "Europe/Vienna" }, { "if-match": etag });
    assert.equal(after.headers.get("etag"), '"2"');
    const me = await read<Me>(after, 200);
    assert.deepEqual([me.locale, me.timeZone, me.version], ["de-AT", "Europe/Vienna", 2]);
    assert.deepEqual(await code(await change({ locale: "en" }, { "if-match": etag })), [
      412,
      "version_conflict",
    ]);
    assert.deepEqual(await code(await change({ locale: "en" }, { "if-match": "2" })), [400, "bad_request"]);
    assert.equal((await change({ locale: "en" }, { "if-match": "*" })).status, 200);
  });

  it("keep the tag when only a sign-in or a wrong code came between", async () => {
    await app.send("POST", "/api/auth/login", { body: { identifier: "ann", password: PASSWORD } });
    assert.equal((await send("GET", "me")).headers.get("etag"), '"1"');
  });

  it("refuse zones and languages that there are not", async () => {
    for (const body of [{ timeZone: "Mars/Olympus" }, { timeZone: "" }, { locale: "x" }, { locale: "en_US" }])
      assert.deepEqual(await code(await change(body)), [422, "invalid"], JSON.stringify(body));
  });

  it("take another username soon after a sign-in, for the profile too", async () => {
    const { user } = await app.signUp("bob");
    for (const [username, status, problem] of [
      ["Bob", 409, "username_taken"],
      ["admin", 409, "username_taken"],
      ["-ann", 422, "invalid"],
    ] as const)
      assert.deepEqual(await code(await change({ username })), [status, problem], username);
    assert.equal((await read<Me>(await change({ username: "Anna" }), 200)).username, "Anna");
    const validation = await send("GET", "validate");
    assert.equal(validation.headers.get("x-auth-username"), "Anna");
    // The name that was given up is free.
    const second = await app.signIn(user);
    const taken = await app.send("PATCH", "/api/auth/me", {
      token: second.accessToken,
      body: { username: "ann" },
    });
    assert.equal(taken.status, 200);
    app.clock.advance(10 * MINUTE);
    assert.deepEqual(await code(await change({ username: "annie" })), [403, "reauth_required"]);
  });

  it("let no administrator in the account change the name, or accept terms for its owner", async () => {
    await app.set("registration", { termsVersion: "2" });
    const token = await impersonate();
    for (const body of [{ username: "annie" }, { username: "ANN" }, { termsVersion: "2" }])
      assert.deepEqual(await code(await app.send("PATCH", "/api/auth/me", { token, body })), [
        403,
        "forbidden",
      ]);
    assert.deepEqual(await code(await change({ termsVersion: "1" })), [422, "terms_required"]);
    assert.equal((await change({ termsVersion: "2" })).status, 200);
  });

  it("change nothing for userId, role, status, emailVerified or points in any body", async () => {
    const bob = await app.signUp("bob", { emailVerifiedAt: undefined });
    ann = bob;
    const stolen = {
      userId: "usr_other",
      id: "usr_other",
      role: "admin",
      status: "suspended",
      emailVerified: true,
      emailVerifiedAt: 1,
      points: 1_000,
      tokenEpoch: 99,
      aal: 2,
    };
    const document = (await app.document()) as {
      paths: Record<
        string,
        Record<string, { requestBody?: { content: Record<string, { example?: object }> } }>
      >;
    };
    let sent = 0;
    for (const [path, methods] of Object.entries(document.paths)) {
      if (!path.startsWith("/api/auth/") || /logout|\/me\/restore/u.test(path)) continue;
      for (const [method, { requestBody }] of Object.entries(methods)) {
        const example = requestBody?.content["application/json"]?.example;
        if (example === undefined) continue;
        sent += 1;
        const target = path.replace("/api/auth/", "").replaceAll(/\{\w+\}/gu, "none");
        await send(method.toUpperCase(), target, { ...example, ...stolen });
        await send(method.toUpperCase(), target, stolen);
      }
    }
    assert.ok(sent > 15, `${sent} routes with a body`);
    const user = await app.store.read((tx) => tx.get(users, bob.user.id));
    assert.ok(user);
    const { id, role, status, emailVerifiedAt, points } = user;
    assert.deepEqual(
      { id, role, status, emailVerifiedAt, points },
      { id: bob.user.id, role: "user", status: "active", emailVerifiedAt: undefined, points: 0 },
    );
  });
});

describe("GET /api/auth/security/events", () => {
  it("pages through an account's own events, the newest first", async () => {
    const bob = await app.signUp("bob");
    for (let count = 0; count < 5; count += 1) {
      app.clock.advance(1);
      await app.send("POST", "/api/auth/login", { body: { identifier: "ann", password: PASSWORD } });
    }
    const seen: number[] = [];
    let cursor = "";
    do {
      const response = await send("GET", `security/events?limit=2${cursor}`);
      const page = await read<{ items: { at: number; kind: string }[]; nextCursor?: string }>(response, 200);
      seen.push(...page.items.map(({ at }) => at));
      cursor = page.nextCursor === undefined ? "" : `&cursor=${page.nextCursor}`;
    } while (cursor !== "");
    assert.equal(seen.length, 5);
    assert.deepEqual(
      seen,
      [...seen].sort((a, b) => b - a),
    );
    assert.deepEqual(await listEventKinds(app, bob.accessToken), []);
    assert.deepEqual(await code(await send("GET", "security/events?cursor=x")), [400, "bad_request"]);
  });
});
