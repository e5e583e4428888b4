/** What an account tells its owner: what is unsafe and new, devices and applications, and who else is in it. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { PASSWORD, type SignedIn, type TestApp, createTestApp } from "../app-fixture.ts";
import { addFactor, post } from "../http/people.ts";
import { type Browser, createBrowser, locationOf, signIn } from "./browser.ts";

let app: TestApp;
let browser: Browser;
let ann: SignedIn;
beforeEach(async () => {
  app = await createTestApp();
  browser = createBrowser(app);
  ann = await app.signUp("ann");
  await signIn(browser, "ann", PASSWORD);
});

async function read(path: string): Promise<string> {
  const response = await browser.get(path);
  assert.equal(response.status, 200, path);
  return response.text();
}

describe("the overview", () => {
  it("says what is unsafe, where the account is signed in, and takes the check-in", async () => {
    const html = await read("/account");
    assert.match(html, /Two-factor authentication is off/u);
    assert.match(html, /Firefox on Linux/u);
    assert.match(html, /This device/u);
    const done = await browser.post("/account/check-in", { rd: "/account" });
    assert.equal(locationOf(done), "/account?done=checkedIn");
    assert.match(await read("/account?done=checkedIn"), /You’ve checked in\..*|Streak: 1 days, 10 points/u);
    const calendar = await read("/account/check-in");
    assert.match(calendar, /class="is-done is-today">\d+<small>\+10/u);
    assert.match(calendar, /earn 10 points per check-in\. Days until the 20-point bonus: 6\./u);
    assert.equal(
      locationOf(await browser.post("/account/check-in", {})),
      "/account/check-in?done=checkedInBefore",
    );
  });

  it("calls devices in the language of the page", async () => {
    for (const path of ["/account/sessions", "/account/activity"])
      assert.match(await read(path), /Firefox on Linux/u);
    await browser.post("/language", { language: "de", rd: "/account" });
    for (const path of ["/account", "/account/sessions", "/account/activity"])
      assert.match(await read(path), /Firefox unter Linux/u);
  });

  it("tells by which factors somebody signed in", async () => {
    const factors = async (): Promise<(string | undefined)[]> =>
      Array.from(
        (await read("/account/activity")).matchAll(
          /<li>(?:Signed in|Identity verified) <[^]*?muted">([^<·]*) · /gu,
        ),
        ([, told]) => told,
      );
    assert.deepEqual(await factors(), ["Password"]);
    const { recoveryCodes } = await addFactor(app, ann.accessToken);
    app.clock.advance(60_000);
    const secondFactor = { method: "recovery", code: recoveryCodes[0] };
    const proof = { password: PASSWORD, secondFactor };
    assert.equal((await post(app, "reauth", proof, { token: ann.accessToken })).status, 200);
    assert.deepEqual(await factors(), ["Password + Recovery code", "Password"]);
    const path = `/api/admin/users/${ann.user.id}/events?limit=5`;
    assert.match(
      await (await app.admin("GET", path)).text(),
      /"kind":"reauthenticated"[^}]*"amr":\["pwd","recovery","mfa"\]/u,
    );
  });

  it("marks what others did since the owner was here", async () => {
    const marks = async (): Promise<number> =>
      [...(await read("/account")).matchAll(/class="tag is-warn">New</gu)].length;
    assert.equal(await marks(), 0);
    const thief = createBrowser(app, { from: "203.0.113.9" });
    await signIn(thief, "ann", "a wrong guess");
    await signIn(thief, "ann", PASSWORD);
    assert.equal(await marks(), 2);
    await browser.post("/sign-out", {});
    app.clock.advance(60_000);
    await signIn(browser, "ann", PASSWORD);
    assert.equal(await marks(), 0, "the sign-in before was the thief's");
  });

  it("asks for terms that changed, and notes that they were accepted", async () => {
    assert.ok(!(await read("/account")).includes("terms have changed"));
    await app.set("registration", { termsVersion: "2", termsUrl: "https://example.org/terms" });
    assert.match(await read("/account"), /The terms have changed/u);
    const done = await browser.post("/account/accept-terms", {});
    assert.equal(locationOf(done), "/account?done=termsAccepted");
    assert.ok(!(await read("/account")).includes("terms have changed"));
  });

  it("returns a message by its name only", async () => {
    assert.ok(!(await read("/account?done=<b>x</b>")).includes("<b>x"));
  });
});

describe("devices and applications", () => {
  it("signs out one, and all others, and stays itself", async () => {
    const phone = createBrowser(app, { userAgent: "Mozilla/5.0 (iPhone) Safari/605.1" });
    await signIn(phone, "ann", PASSWORD);
    const html = await read("/account/sessions");
    assert.match(html, /Safari on iPhone/u);
    const ids = [...html.matchAll(/name="id" value="(ses_\w+)"/gu)].map(([, id = ""]) => id);
    assert.equal(ids.length, 2);
    const live = await app.auth.sessions.list(ann.user.id);
    const phoneId = live.find(({ label }) => label === "Safari on iPhone")?.id ?? "";
    const ended = await browser.post("/account/sessions/end", { id: phoneId });
    assert.equal(locationOf(ended), "/account/sessions?done=sessionEnded");
    assert.equal(locationOf(await phone.get("/account/emails")), "/sign-in?rd=%2Faccount%2Femails");
    await browser.post("/account/sessions/end-others", {});
    assert.equal((await app.auth.sessions.list(ann.user.id)).length, 1);
    await read("/account");
  });

  it("lists applications, but not itself, and signs one out", async () => {
    await app.send("GET", "/api/auth/me", { token: ann.accessToken, headers: { "x-auth-client": "photos" } });
    await app.auth.activity.flush();
    const html = await read("/account/applications");
    assert.match(html, /photos/u);
    assert.ok(!html.includes("account-center"));
    const ended = await browser.post("/account/applications/end", { clientId: "photos" });
    assert.equal(locationOf(ended), "/account/applications?done=applicationEnded");
    assert.equal(
      locationOf(await browser.post("/account/applications/end", { clientId: "photos" })),
      locationOf(ended),
    );
    assert.ok(!(await read("/account/applications")).includes("photos"));
  });

  it("calls applications by the names that administrators gave them", async () => {
    await app.admin("POST", "/api/admin/clients", { id: "photos", name: "Family <Photos>" });
    const body = { identifier: "ann", password: PASSWORD };
    await app.send("POST", "/api/auth/login", { body, headers: { "x-auth-client": "photos" } });
    for (const path of ["", "/sessions", "/activity", "/applications"])
      assert.match(await read(`/account${path}`), /Family &lt;Photos&gt;/u, path);
  });
});

describe("an administrator in an account", () => {
  async function impersonate(): Promise<string> {
    const asked = { minutes: 15, reason: "asked for help" };
    const response = await app.admin("POST", `/api/admin/users/${ann.user.id}/impersonate`, asked);
    const { refreshToken }: { refreshToken: string } = await response.json();
    return refreshToken;
  }

  it("sees on every page whose it is, may not do what only the owner may, and ends it", async () => {
    const other = createBrowser(app, { from: "203.0.113.9" });
    await other.get("/sign-in");
    assert.equal(locationOf(await other.post("/impersonate", { token: await impersonate() })), "/account");
    assert.ok(![...other.cookies.keys()].some((name) => name.includes("device")));
    for (const path of ["/account", "/account/profile", "/account/security", "/people"])
      assert.match(await (await other.get(path)).text(), /You’re impersonating ann until/u, path);
    const refused = await other.post("/account/security/password", {
      currentPassword: PASSWORD,
      password: "another sentence of mine",
    });
    assert.equal(refused.status, 403);
    assert.match(await refused.text(), /don’t have permission/u);
    assert.match(await read("/account/sessions"), /An administrator/u);
    assert.ok(!(await read("/account")).includes("You’re impersonating"));
    assert.equal(locationOf(await other.post("/sign-out", {})), "/signed-out");
    assert.ok(!(await read("/account/sessions")).includes("An administrator"));
  });

  it("gets in with no token of another kind, and not after the time", async () => {
    const other = createBrowser(app);
    await other.get("/sign-in");
    const late = await impersonate();
    app.clock.advance(15 * 60_000);
    for (const token of ["", "ref_x", ann.refreshToken, late])
      assert.equal(locationOf(await other.post("/impersonate", { token })), "/sign-in?done=expired");
    assert.equal(other.cookies.has("trivet_session"), false);
  });
});
