/** Two-factor authentication for everyone, with a grace period; and for administrators. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { TOTP } from "otpauth";
import { type CreationOptions, createAuthenticator } from "../../support/authenticator.ts";
import { PASSWORD, type SignedIn, type TestApp, code, createTestApp } from "../app-fixture.ts";
import { read } from "../http/admin-requests.ts";
import { addFactor, logIn, post } from "../http/people.ts";
import { type Browser, createBrowser, locationOf, signIn } from "../pages/browser.ts";

const DAY = 86_400_000;
const REGISTRATION = "/api/admin/settings/registration";

let app: TestApp;
let ann: SignedIn;

beforeEach(async () => {
  app = await createTestApp();
  ann = await app.signUp("ann");
});

interface Registration {
  readonly requireTwoFactor: { readonly on: boolean; readonly graceDays: number; readonly since?: string };
}
const require = async (requireTwoFactor: object): Promise<Registration["requireTwoFactor"]> =>
  (await read<Registration>(await app.admin("PATCH", REGISTRATION, { requireTwoFactor }), 200))
    .requireTwoFactor;
const bannerOf = async (browser: Browser): Promise<string> =>
  /class="banner"[^]*?<span>([^<]*)/u.exec(await (await browser.get("/account")).text())?.[1] ?? "";

describe("the setting", () => {
  it("records when it was switched on, and ignores a date in the request", async () => {
    const since = new Date(app.clock.now()).toISOString().replace("Z", "+00:00");
    const first = await require({ on: true, since: "2001-01-01T00:00:00+00:00" });
    assert.deepEqual(first, { on: true, graceDays: 14, since });
    app.clock.advance(DAY);
    assert.deepEqual(await require({ graceDays: 3 }), { on: true, graceDays: 3, since });
    assert.deepEqual(await require({ on: false }), { on: false, graceDays: 3 });
    assert.notEqual((await require({ on: true })).since, since);
  });
});

describe("within the grace period", () => {
  it("people sign in as before, and pages say until when to set it up", async () => {
    await require({ on: true, graceDays: 10 });
    const browser = createBrowser(app);
    assert.equal(locationOf(await signIn(browser, "ann", PASSWORD)), "/account");
    assert.match(await bannerOf(browser), /by \d+ \w+ \d{4}\. After that/u);
    await addFactor(app, ann.accessToken);
    assert.equal(await bannerOf(browser), "");
  });

  it("an account that is younger than the setting has as many days", async () => {
    await require({ on: true, graceDays: 10 });
    app.clock.advance(9 * DAY);
    await app.signUp("bob");
    app.clock.advance(9 * DAY);
    assert.equal((await logIn(app, "bob")).status, 200);
    assert.equal((await logIn(app, "ann")).status, 403);
  });
});

describe("after it", () => {
  beforeEach(async () => {
    await require({ on: true, graceDays: 10 });
    app.clock.advance(10 * DAY);
  });

  const totp = (secret: string): string => new TOTP({ secret }).generate({ timestamp: app.clock.now() });

  it("a program gets instructions, and tokens for nothing else", async () => {
    const refused = await logIn(app, "ann");
    const problem: { code: string; detail: string } = await refused.json();
    assert.deepEqual([refused.status, problem.code], [403, "mfa_enrolment_required"]);
    assert.match(problem.detail, /\/account\/two-factor[^]*"enrol": true/u);

    const body = { identifier: "ann", password: PASSWORD, enrol: true };
    const tokens = await read<{ accessToken: string; refreshToken: string }>(
      await post(app, "login", body),
      200,
    );
    const { accessToken: token } = tokens;
    for (const [method, path] of [
      ["GET", "/api/auth/me"],
      ["GET", "/api/auth/validate"],
      ["GET", "/api/auth/sessions"],
      ["POST", "/api/auth/checkin"],
      ["PATCH", "/api/auth/profile"],
      ["POST", "/api/auth/mfa/recovery-codes"],
      ["DELETE", "/api/auth/mfa/totp"],
    ] as const) {
      const body = method === "PATCH" ? { body: { bio: "x" } } : {};
      const answer = await app.send(method, path, { token, ...body });
      assert.deepEqual(await code(answer), [403, "mfa_enrolment_required"], `${method} ${path}`);
    }
    const admin = await app.send("GET", "/api/admin/users", { token });
    assert.deepEqual(await code(admin), [401, "token_invalid"]);
    // A renewal opens nothing more.
    const renewed = await read<{ accessToken: string }>(
      await post(app, "refresh", { refreshToken: tokens.refreshToken }),
      200,
    );
    assert.equal((await app.send("GET", "/api/auth/me", { token: renewed.accessToken })).status, 403);

    await addFactor(app, renewed.accessToken);
    assert.equal((await app.send("GET", "/api/auth/me", { token: renewed.accessToken })).status, 200);
    const valid = await app.send("GET", "/api/auth/validate", { token: renewed.accessToken });
    assert.equal(Reflect.get(await valid.json(), "aal"), 2);
  });

  it("lets in with a code by mail no more than with a password", async () => {
    await post(app, "email/send-code", { email: "ann@example.org", purpose: "login" });
    const body = { email: "ann@example.org", code: await app.codeFor("ann@example.org") };
    assert.deepEqual(await code(await post(app, "login/code", body)), [403, "mfa_enrolment_required"]);
    // What was refused did not use the code up.
    assert.equal((await post(app, "login/code", { ...body, enrol: true })).status, 200);
  });

  it("does not touch who has a second factor", async () => {
    const bob = await app.signUp("bob");
    await addFactor(app, bob.accessToken);
    app.clock.advance(11 * DAY);
    const asked = await read<{ status: string }>(await logIn(app, "bob"), 200);
    assert.equal(asked.status, "mfa_required");
  });

  it("pages open nothing but the setting up, and then what the person wanted", async () => {
    const browser = createBrowser(app);
    await browser.get("/sign-in");
    const fields = { identifier: "ann", password: PASSWORD, rd: "/account/emails" };
    assert.equal(locationOf(await browser.post("/sign-in", fields)), "/account/emails");
    const enrolment = "/account/two-factor?rd=%2Faccount%2Femails";
    assert.equal(locationOf(await browser.get("/account/emails")), enrolment);
    for (const path of ["/account", "/account/profile", "/account/security/passkeys", "/device", "/sign-in"])
      assert.ok(locationOf(await browser.get(path)).startsWith("/account/two-factor"), path);
    for (const [path, form] of [
      ["/account/profile", { displayName: "X" }],
      ["/account/security/passkeys/remove", { id: "pky_1" }],
      ["/account/data/delete", {}],
    ] as const)
      assert.ok(
        (await browser.post(path, form)).headers.get("location")?.startsWith("/account/two-factor") ?? true,
        path,
      );
    const page = await browser.get(enrolment);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /requires two-factor authentication/u);

    const begun = locationOf(
      await browser.post("/account/security/second-factor/begin", { rd: "/account/emails" }),
    );
    const text = await (await browser.get(begun)).text();
    const secret = /class="mono">([A-Z2-7 ]+)</u.exec(text)?.[1]?.replaceAll(" ", "") ?? assert.fail(text);
    const wrong = await browser.post("/account/security/second-factor", {
      code: "000000",
      rd: "/account/emails",
    });
    assert.equal(wrong.status, 400);
    assert.match(await wrong.text(), /name="rd" value="\/account\/emails"/u);
    await browser.post("/account/security/second-factor", { code: totp(secret), rd: "/account/emails" });
    const kept = await browser.post("/account/security/recovery-codes/kept", {});
    assert.equal(locationOf(kept), "/account/emails");
    assert.equal((await browser.get("/account/emails")).status, 200);
  });

  it("a passkey will do, and who takes long proves again who they are", async () => {
    const browser = createBrowser(app);
    await signIn(browser, "ann", PASSWORD);
    app.clock.advance(11 * 60_000);
    const options = await browser.post("/account/security/passkeys/add/options", {});
    assert.equal(options.status, 403);
    await browser.post("/account/confirm", { password: PASSWORD });
    const begun: { challengeId: string; options: CreationOptions } = await (
      await browser.post("/account/security/passkeys/add/options", {})
    ).json();
    const response = JSON.stringify(createAuthenticator().create(begun.options));
    const added = await browser.post("/account/security/passkeys/add", {
      challengeId: begun.challengeId,
      response,
      rd: "/account/emails",
    });
    assert.match(locationOf(added), /^\/account\/emails/u);
    assert.equal((await browser.get("/account/emails")).status, 200);
    assert.equal(locationOf(await signIn(createBrowser(app), "ann", PASSWORD)), "/account");
  });

  it("a proxied site and an application see no user", async () => {
    await app.admin("POST", "/api/admin/clients", {
      id: "notes",
      name: "Notes",
      redirectUris: ["https://notes.example/cb"],
      protectedOrigins: ["https://notes.example"],
      requirePkce: false,
    });
    const browser = createBrowser(app);
    await signIn(browser, "ann", PASSWORD);
    const query = new URLSearchParams({
      client_id: "notes",
      redirect_uri: "https://notes.example/cb",
      response_type: "code",
    });
    const asked = await browser.get(`/oauth/authorize?${query.toString()}`);
    assert.match(locationOf(asked), /^\/account\/two-factor\?rd=%2Foauth%2Fauthorize/u);
    query.set("prompt", "none");
    const silent = await (await browser.get(`/oauth/authorize?${query.toString()}`)).text();
    assert.match(silent, /error=interaction_required/u);
    const enter = await browser.get("/sign-in/application?to=https%3A%2F%2Fnotes.example&state=x");
    assert.match(locationOf(enter), /^\/account\/two-factor/u);
  });
});

describe("administrators", () => {
  it("find who lacks a second factor, where a passkey is one", async () => {
    const bob = await app.signUp("bob");
    await app.signUp("cleo");
    await addFactor(app, ann.accessToken);
    const { challengeId, options } = await read<{ challengeId: string; options: CreationOptions }>(
      await app.send("POST", "/api/auth/me/passkeys/options", { token: bob.accessToken }),
      200,
    );
    const response = createAuthenticator().create(options);
    const body = { challengeId, response };
    await read(await app.send("POST", "/api/auth/me/passkeys", { token: bob.accessToken, body }), 201);
    const list = async (secondFactor: string): Promise<string[]> => {
      const answer = await app.admin("GET", `/api/admin/users?sort=username&secondFactor=${secondFactor}`);
      const { items } = await read<{ items: { username: string }[] }>(answer, 200);
      return items.map(({ username }) => username);
    };
    assert.deepEqual([await list("true"), await list("false")], [["ann", "bob"], ["cleo"]]);
  });

  for (const [publicUrl, status] of [
    ["https://auth.example.org", 403],
    ["http://192.168.1.4:8082", 403],
    ["http://localhost:8082", 200],
    ["http://127.0.0.1:8082", 200],
    ["http://[::1]:8082", 200],
  ] as const)
    it(`${status === 200 ? "may do without" : "need one"} at ${publicUrl}, and the token never does`, async () => {
      const center = await createTestApp({ publicUrl });
      const { accessToken: token } = await center.signUp("boss", { role: "admin" });
      const asked = await center.send("GET", "/api/admin/users", { token });
      assert.equal(asked.status, status);
      assert.equal((await center.admin("GET", "/api/admin/users")).status, 200);
      if (status === 200) return;
      assert.match(Reflect.get(await asked.json(), "detail"), /\/account\/two-factor/u);
      await addFactor(center, token);
      assert.equal((await center.send("GET", "/api/admin/users", { token })).status, 200);
    });

  it("need none where an administrator decided so", async () => {
    const center = await createTestApp({ publicUrl: "https://auth.example.org" });
    await center.set("registration", { adminSecondFactor: "off" });
    const { accessToken: token } = await center.signUp("boss", { role: "admin" });
    assert.equal((await center.send("GET", "/api/admin/users", { token })).status, 200);
  });
});
