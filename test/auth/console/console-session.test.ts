/** Who gets into the console of accounts, and what its cookies open. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { ADMIN_TOKEN, PASSWORD, type TestApp, code, createTestApp } from "../app-fixture.ts";
import { addFactor, totpCode } from "../http/people.ts";

const SESSION = "/api/console/session";
const STATS = "/api/admin/stats";
const own = { "sec-fetch-site": "same-origin" };
const consoles = [
  { service: "monitor" as const, url: "https://status.example.org", port: 8001 },
  { service: "auth" as const, url: undefined, port: 8002 },
];

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp({ consoles });
});

/** The cookie with which an answer sets a session, as a browser sends it back. */
function cookieOf(response: Response): string {
  return response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}

async function enter(): Promise<string> {
  const response = await app.send("POST", SESSION, { body: { token: ADMIN_TOKEN }, headers: own });
  assert.equal(response.status, 204);
  return cookieOf(response);
}

const ask = (cookie: string, headers: Readonly<Record<string, string>> = own): Promise<Response> =>
  app.send("GET", STATS, { headers: { cookie, ...headers } });

const show = async (cookie: string): Promise<unknown> =>
  (await app.send("GET", SESSION, { headers: { cookie, ...own } })).json();

describe("a session of the console", () => {
  it("begins with the administrator token, in a cookie that no script reads and no other site sends", async () => {
    const response = await app.send("POST", SESSION, { body: { token: ADMIN_TOKEN }, headers: own });
    const [cookie = ""] = response.headers.getSetCookie();
    assert.match(cookie, /^trivet_console=con_[\w-]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/u);
    assert.equal((await ask(cookieOf(response))).status, 200);
    const audit = await (await app.admin("GET", "/api/admin/audit")).json();
    assert.match(JSON.stringify(audit), /"actor":"session [\w-]{6}","action":"console\.sign-in"/u);
  });

  it("reports no user, the holder of the token, and the URLs of the other consoles", async () => {
    assert.deepEqual(await show(""), { status: "signed_out" });
    assert.deepEqual(await show(await enter()), {
      status: "signed_in",
      name: "",
      passwordSet: false,
      hasSecondFactor: false,
      isFresh: true,
      expiresAt: new Date(app.clock.now() + 43_200_000).toISOString().replace("Z", "+00:00"),
      consoles: [
        { service: "monitor", url: "https://status.example.org/admin" },
        { service: "auth", url: "http://localhost:8002/admin" },
      ],
    });
  });

  it("refuses wrong tokens, more of them for longer, and forms of other sites", async () => {
    const send = (token: string, headers: Readonly<Record<string, string>> = own): Promise<Response> =>
      app.send("POST", SESSION, { body: { token }, headers });
    assert.deepEqual(await code(await send(ADMIN_TOKEN, {})), [403, "origin_refused"]);
    assert.deepEqual(await code(await send(ADMIN_TOKEN, { "sec-fetch-site": "same-site" })), [
      403,
      "origin_refused",
    ]);
    for (let tries = 0; tries < 5; tries += 1)
      assert.deepEqual(await code(await send(`adm_wrong-${tries}`)), [401, "unauthenticated"]);
    assert.deepEqual(await code(await send("adm_wrong")), [429, "rate_limited"]);
  });

  it("ends after 12 hours, at a sign-out, and with all sessions", async () => {
    const first = await enter();
    const end = await app.send("DELETE", SESSION, { headers: { cookie: first, ...own } });
    assert.equal(end.status, 204);
    assert.deepEqual(await code(await ask(first)), [401, "unauthenticated"]);
    const second = await enter();
    app.clock.advance(1);
    assert.equal((await app.admin("POST", "/api/admin/sessions/revoke-all", { confirm: true })).status, 200);
    assert.deepEqual(await code(await ask(second)), [401, "unauthenticated"]);
    app.clock.advance(10);
    const third = await enter();
    app.clock.advance(43_200_000);
    assert.deepEqual(await code(await ask(third)), [401, "unauthenticated"]);
    await app.auth.sweep();
  });

  it("opens nothing to pages of other sites, whatever they ask", async () => {
    const cookie = await enter();
    for (const site of ["cross-site", "same-site"])
      assert.deepEqual(await code(await ask(cookie, { "sec-fetch-site": site })), [403, "origin_refused"]);
    const change = (headers: Readonly<Record<string, string>>): Promise<Response> =>
      app.send("POST", "/api/admin/invites", { body: {}, headers: { cookie, ...headers } });
    assert.deepEqual(await code(await change({})), [403, "origin_refused"]);
    assert.deepEqual(await code(await change({ origin: "https://evil.example" })), [403, "origin_refused"]);
    assert.equal((await change({ origin: "http://localhost" })).status, 201);
    assert.equal((await change(own)).status, 201);
  });
});

describe("a person at the console", () => {
  it("enters with the session of the account's pages, if they administer", async () => {
    const ann = await app.signUp("ann", { role: "admin" });
    const bob = await app.signUp("bob");
    const [annsCookie, bobsCookie] = [ann, bob].map(({ refreshToken }) => `trivet_session=${refreshToken}`);
    assert.equal((await ask(annsCookie ?? "")).status, 200);
    assert.deepEqual(await code(await ask(bobsCookie ?? "")), [403, "forbidden"]);
    assert.deepEqual(await show(bobsCookie ?? ""), { status: "refused", name: "bob", reason: "role" });
    assert.deepEqual(await code(await ask(annsCookie ?? "", { "sec-fetch-site": "cross-site" })), [
      403,
      "origin_refused",
    ]);
  });

  it("requires a fresh verification before accounts change, and sets another cookie for it", async () => {
    const ann = await app.signUp("ann", { role: "admin" });
    const bob = await app.signUp("bob");
    const cookie = `trivet_session=${ann.refreshToken}`;
    const suspend = (shown: string): Promise<Response> =>
      app.send("PATCH", `/api/admin/users/${bob.user.id}`, {
        body: { locale: "de" },
        headers: { cookie: shown, ...own },
      });
    const prove = (password: string, headers: Readonly<Record<string, string>> = own): Promise<Response> =>
      app.send("POST", `${SESSION}/proof`, { body: { password }, headers: { cookie, ...headers } });
    app.clock.advance(11 * 60_000);
    assert.deepEqual(await code(await suspend(cookie)), [403, "reauth_required"]);
    assert.deepEqual(await code(await prove(PASSWORD, {})), [403, "origin_refused"]);
    assert.deepEqual(await code(await prove("not the password")), [401, "invalid_credentials"]);
    const proved = await prove(PASSWORD);
    assert.equal(proved.status, 204);
    assert.notEqual(cookieOf(proved), cookie);
    assert.equal((await suspend(cookieOf(proved))).status, 200);
  });

  it("requires a fresh verification for sensitive actions, except with the token", async () => {
    const ann = await app.signUp("ann", { role: "admin" });
    const bob = await app.signUp("bob");
    const cookie = `trivet_session=${ann.refreshToken}`;
    const user = `/api/admin/users/${bob.user.id}`;
    await app.send("POST", "/api/auth/password/forgot", { body: { email: "bob@example.org" } });
    const outbox: { items: { id: string }[] } = await (await app.admin("GET", "/api/admin/outbox")).json();
    const requests = [
      ["GET", "/api/admin/users/export", undefined],
      ["PATCH", user, { role: "admin" }],
      ["PATCH", user, { role: "user" }],
      ["GET", "/api/admin/outbox", undefined],
      ["POST", `/api/admin/outbox/${outbox.items[0]?.id ?? ""}/reveal`, {}],
      ["POST", `${user}/impersonate`, { minutes: 5, reason: "Asked for help" }],
    ] as const;
    app.clock.advance(11 * 60_000);
    for (const [method, path, body] of requests) {
      const asked = await app.send(method, path, { body, headers: { cookie, ...own } });
      assert.deepEqual(await code(asked), [403, "reauth_required"], `${method} ${path}`);
    }
    for (const [method, path, body] of requests) {
      const { status } = await app.admin(method, path, body);
      assert.ok(status === 200 || status === 201, `${method} ${path} with the token: ${status}`);
    }
  });

  it("needs a second factor once one administrator has one, or as it is set", async () => {
    const ann = await app.signUp("ann", { role: "admin" });
    const bob = await app.signUp("bob", { role: "admin" });
    const annsCookie = `trivet_session=${ann.refreshToken}`;
    assert.equal((await ask(annsCookie)).status, 200);
    const { secret } = await addFactor(app, bob.accessToken);
    assert.deepEqual(await code(await ask(annsCookie)), [403, "forbidden"]);
    const missing = { status: "refused", name: "ann", reason: "second_factor_missing" };
    assert.deepEqual(await show(annsCookie), missing);
    assert.equal((await app.admin("GET", STATS)).status, 200, "the token is not asked for one");
    await app.set("registration", { adminSecondFactor: "off" });
    assert.equal((await ask(annsCookie)).status, 200);
    const body = { method: "totp", password: PASSWORD, code: totpCode(app, secret) };
    assert.ok((await app.send("DELETE", "/api/auth/mfa/totp", { token: bob.accessToken, body })).ok);
    await app.set("registration", { adminSecondFactor: "auto" });
    assert.equal((await ask(annsCookie)).status, 200, "nobody has one any more");
    await app.set("registration", { adminSecondFactor: "required" });
    assert.deepEqual(await show(annsCookie), missing);
    // Set up elsewhere: the session in which that happens administers at once.
    const factor = await addFactor(app, (await app.signIn(ann.user)).accessToken);
    assert.deepEqual(await show(annsCookie), { ...missing, reason: "second_factor" });
    const proof = { password: PASSWORD, code: totpCode(app, factor.secret) };
    const headers = { cookie: annsCookie, ...own };
    const proved = await app.send("POST", `${SESSION}/proof`, { body: proof, headers });
    assert.equal((await ask(cookieOf(proved))).status, 200, "whoever proves with it administers");
  });

  it("signs out of the account with the console", async () => {
    const ann = await app.signUp("ann", { role: "admin" });
    const cookie = `trivet_session=${ann.refreshToken}`;
    await app.send("DELETE", SESSION, { headers: { cookie, ...own } });
    assert.deepEqual(await show(cookie), { status: "signed_out" });
    const proof = await app.send("POST", `${SESSION}/proof`, {
      body: { password: PASSWORD },
      headers: { cookie, ...own },
    });
    assert.deepEqual(await code(proof), [401, "unauthenticated"]);
  });
});

describe("the console's page", () => {
  it("is for browsers, contains no personal data, and only allows scripts from this origin", async () => {
    await app.set("registration", { siteName: 'A <b>"&' });
    const page = await app.raw("/admin/users/usr_1", { headers: { accept: "text/html" } });
    assert.equal(page.status, 200);
    assert.match(await page.text(), /<title>A &lt;b&gt;&quot;&amp;<\/title>/u);
    assert.match(
      page.headers.get("content-security-policy") ?? "",
      /script-src 'self';.*frame-ancestors 'none'/u,
    );
    assert.equal(page.headers.get("cache-control"), "no-store");
    for (const accept of [undefined, "*/*"]) {
      const plain = await app.raw("/admin", accept === undefined ? {} : { headers: { accept } });
      assert.deepEqual([plain.status, plain.headers.get("content-type")], [200, "text/html; charset=UTF-8"]);
    }
    const program = await app.raw("/admin", { headers: { accept: "application/json" } });
    assert.deepEqual(await code(program), [404, "not_found"]);
  });
});
