/** The pages for who is not signed in: forms, refusals at their fields, and what a browser keeps. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { PASSWORD, type TestApp, createTestApp } from "../app-fixture.ts";
import { type Browser, createBrowser, locationOf, signIn } from "./browser.ts";

let app: TestApp;
let browser: Browser;
beforeEach(async () => {
  app = await createTestApp();
  browser = createBrowser(app);
});

/** The text of the fault at a field. */
function faultAt(html: string, field: string): string {
  return new RegExp(`id="field-${field}-fault">([^<]*)`, "u").exec(html)?.[1] ?? "";
}

describe("signing in on a page", () => {
  it("leads to the account, with a cookie that no script reads and no token in the page", async () => {
    await app.signUp("ann");
    const response = await signIn(browser, "ann", PASSWORD);
    assert.equal(locationOf(response), "/account");
    const cookie = response.headers.getSetCookie().find((line) => line.startsWith("trivet_session="));
    assert.match(cookie ?? "", /; Path=\/; HttpOnly; SameSite=Lax$/u);
    const page = await browser.get("/account");
    assert.equal(page.status, 200);
    assert.equal(page.headers.get("cache-control"), "no-store");
    const html = await page.text();
    assert.match(html, /Hello, ann/u);
    assert.ok(!html.includes(browser.cookies.get("trivet_session") ?? "?"));
  });

  it("names its cookies __Host- and marks them Secure where people come by https", async () => {
    app = await createTestApp({ publicUrl: "https://accounts.example" });
    await app.signUp("ann");
    const response = await signIn(createBrowser(app), "ann", PASSWORD);
    const lines = response.headers.getSetCookie();
    assert.ok(lines.length >= 2);
    for (const line of lines) assert.match(line, /^__Host-[^;]+;.*; Path=\/;.*Secure/u);
  });

  it("goes on to the page that asked for it, and to no other site", async () => {
    await app.signUp("ann");
    assert.equal(
      locationOf(await browser.get("/account/security?x=1")),
      "/sign-in?rd=%2Faccount%2Fsecurity%3Fx%3D1",
    );
    const html = await (await browser.get("/sign-in?rd=%2Faccount%2Fsecurity%3Fx%3D1")).text();
    assert.match(html, /name="rd" value="\/account\/security\?x=1"/u);
    for (const rd of [
      "https://evil.example/",
      "//evil.example/",
      "/\\evil.example",
      "/\t/evil.example",
      "/.//evil.example",
      "javascript:alert(1)",
    ]) {
      const other = createBrowser(app);
      await other.get(`/sign-in?rd=${encodeURIComponent(rd)}`);
      const sent = await other.post("/sign-in", { identifier: "ann", password: PASSWORD, rd });
      assert.equal(locationOf(sent), "/account", rd);
    }
    const sent = await browser.post("/sign-in", {
      identifier: "ann",
      password: PASSWORD,
      rd: "/account/security?x=1",
    });
    assert.equal(locationOf(sent), "/account/security?x=1");
    assert.equal(locationOf(await browser.get("/sign-in?rd=/account/emails")), "/account/emails");
  });

  it("answers a wrong password, an unknown name and a locked account alike, and keeps what was typed but passwords", async () => {
    await app.signUp("wilma");
    await browser.get("/sign-in");
    const toText = async (identifier: string): Promise<string> => {
      const response = await browser.post("/sign-in", { identifier, password: "a wrong password" });
      assert.equal(response.status, 401);
      return (await response.text()).replaceAll(identifier, "NAME");
    };
    const wrong = await toText("wilma");
    assert.equal(await toText("nobody"), wrong);
    for (let i = 0; i < 6; i++) await toText("wilma");
    assert.equal(await toText("wilma"), wrong);
    assert.match(faultAt(wrong, "password"), /Incorrect username or password/u);
    assert.match(wrong, /role="alert" tabindex="-1" autofocus/u);
    assert.match(wrong, /value="NAME"/u);
    assert.ok(!wrong.includes("a wrong password"));
  });

  it("says that an account is suspended only to who knows the password", async () => {
    const { user } = await app.signUp("ann");
    await app.admin("POST", `/api/admin/users/${user.id}/suspend`, {
      until: "2099-01-02T03:04:00Z",
      reason: "<b>Spam</b>",
    });
    await browser.get("/sign-in");
    const wrong = await browser.post("/sign-in", { identifier: "ann", password: "not this one" });
    assert.ok(!(await wrong.text()).includes("suspended"));
    const right = await browser.post("/sign-in", { identifier: "ann", password: PASSWORD });
    assert.equal(right.status, 403);
    assert.match(
      await right.text(),
      /This account is suspended until 2 Jan 2099, 03:04 \(UTC\)\..*Reason: “&lt;b&gt;Spam&lt;\/b&gt;”/u,
    );
  });

  it("shows the text of a name as text", async () => {
    await browser.get("/sign-in");
    const evil = `"><script>alert(1)</script>`;
    const html = await (await browser.post("/sign-in", { identifier: evil, password: "x" })).text();
    assert.ok(!html.includes("<script>alert"));
    assert.ok(html.includes("&lt;script&gt;alert(1)"));
  });

  it("says where its page is found again when it is shown with what is wrong, and is a page as any when it is opened", async () => {
    const link = /<link rel="self" href="([^"]*)"\/><script type="module" src="([^"]+)">/u;
    assert.doesNotMatch(await (await browser.get("/sign-in")).text(), link);
    const typed = { identifier: "ann", password: "x", rd: "/people?q=a&b" };
    const html = await (await browser.post("/sign-in", typed)).text();
    const [, address, script = ""] = link.exec(html) ?? [];
    assert.equal(address, "/sign-in?rd=%2Fpeople%3Fq%3Da%26b");
    const sent = await app.raw(script);
    assert.match(sent.headers.get("content-type") ?? "", /^text\/javascript/u);
    const strange = await browser.post("/sign-in", { ...typed, rd: "//evil.example" });
    assert.equal(link.exec(await strange.text())?.[1], "/sign-in");
  });

  it("replaces the session of before, so that a planted cookie opens nothing", async () => {
    await app.signUp("ann");
    const mallory = await app.signUp("mallory");
    browser.cookies.set("trivet_session", mallory.refreshToken);
    assert.equal(locationOf(await browser.get("/sign-in")), "/account");
    await browser.post("/sign-out", {});
    browser.cookies.set("trivet_session", "ref_planted");
    await signIn(browser, "ann", PASSWORD);
    assert.notEqual(browser.cookies.get("trivet_session"), "ref_planted");
  });

  it("says so when the browser keeps no cookies, before anything is opened", async () => {
    const { user } = await app.signUp("ann");
    const response = await signIn(createBrowser(app, { keepsCookies: false }), "ann", PASSWORD);
    assert.equal(response.status, 400);
    assert.match(await response.text(), /is blocking cookies/u);
    assert.equal((await app.auth.sessions.list(user.id)).length, 1);
  });

  it("ends with signing out", async () => {
    await app.signUp("ann");
    await signIn(browser, "ann", PASSWORD);
    const before = new Map(browser.cookies);
    assert.equal(locationOf(await browser.post("/sign-out", {})), "/signed-out");
    assert.equal((await browser.get("/signed-out")).status, 200);
    browser.cookies.set("trivet_session", before.get("trivet_session") ?? "");
    assert.equal(locationOf(await browser.get("/account")), "/sign-in");
  });
});

describe("the second step", () => {
  async function prepare(): Promise<string> {
    const { accessToken } = await app.signUp("ann");
    const begun: { secret: string } = await (
      await app.send("POST", "/api/auth/mfa/totp", { token: accessToken })
    ).json();
    const body = { code: app.totp(begun.secret) };
    await app.send("POST", "/api/auth/mfa/totp/confirm", { token: accessToken, body });
    app.clock.advance(60_000);
    return begun.secret;
  }

  it("is required after the password and then opens the session", async () => {
    const secret = await prepare();
    assert.equal(locationOf(await signIn(browser, "ann", PASSWORD)), "/sign-in/second-factor");
    assert.equal(browser.cookies.has("trivet_session"), false);
    const wrong = await browser.post("/sign-in/second-factor", { code: "000000" });
    assert.equal(wrong.status, 400);
    assert.match(faultAt(await wrong.text(), "code"), /Wait for the next code.*clock/u);
    const recovery = await browser.post("/sign-in/second-factor", {
      code: "aaaaa-aaaaa",
      method: "recovery",
    });
    assert.match(faultAt(await recovery.text(), "code"), /recovery code is incorrect/u);
    const right = await browser.post("/sign-in/second-factor", { code: app.totp(secret) });
    assert.equal(locationOf(right), "/account");
    assert.equal((await browser.get("/account")).status, 200);
  });

  it("begins again after the challenge has ended", async () => {
    const secret = await prepare();
    await signIn(browser, "ann", PASSWORD);
    app.clock.advance(11 * 60_000);
    const late = await browser.post("/sign-in/second-factor", { code: app.totp(secret) });
    assert.equal(locationOf(late), "/sign-in?done=expired");
    assert.match(await (await browser.get("/sign-in?done=expired")).text(), /timed out/u);
  });
});

describe("where a person wanted to go", () => {
  const RD = "/oauth/authorize?client_id=app&state=1";
  const BACK = `rd=${encodeURIComponent(RD)}`;
  /** Where the link to the sign-in of a page leads. */
  const backOf = async (path: string): Promise<string> =>
    /href="(\/sign-in\?[^"]*)"/u.exec(await (await browser.get(path)).text())?.[1] ?? "none";

  it("is kept by the pages beside the sign-in, and by links back from them", async () => {
    const html = await (await browser.get(`/sign-in?${BACK}`)).text();
    for (const path of ["/sign-in/code", "/sign-up", "/forgot"]) {
      assert.ok(html.includes(`href="${path}?${BACK}"`), path);
      assert.equal(await backOf(`${path}?${BACK}`), `/sign-in?${BACK}`);
    }
    assert.match(await (await browser.get("/sign-up?rd=/account")).text(), /href="\/sign-in"/u);
    await browser.post("/sign-in/code/send", { sendTo: "ann@example.org", rd: RD });
    assert.equal(await backOf("/sign-in/code"), `/sign-in?${BACK}`);
    await app.set("registration", { mode: "closed" });
    assert.equal(await backOf(`/sign-up?${BACK}`), `/sign-in?${BACK}`);
  });

  it("is kept while a new password is set by mail", async () => {
    await app.signUp("ann");
    await browser.get(`/forgot?${BACK}`);
    const sent = locationOf(await browser.post("/forgot", { email: "ann@example.org", rd: RD }));
    assert.equal(sent, `/forgot?done=linkSent&${BACK}`);
    assert.equal(await backOf(sent), `/sign-in?${BACK}`);
    const token = /rst_[\w-]+/u.exec((await app.mailsTo("ann@example.org"))[0] ?? "")?.[0] ?? "";
    const reset = await browser.post("/reset", { token, password: "another sentence of mine" });
    assert.equal(locationOf(reset), `/sign-in?done=passwordSet&${BACK}`);
  });

  it("is kept by the second step, begun again or ended by wrong codes", async () => {
    const { accessToken } = await app.signUp("ann");
    const options = { token: accessToken };
    const begun: { secret: string } = await (await app.send("POST", "/api/auth/mfa/totp", options)).json();
    const body = { code: app.totp(begun.secret) };
    await app.send("POST", "/api/auth/mfa/totp/confirm", { ...options, body });
    await browser.get("/sign-in");
    await browser.post("/sign-in", { identifier: "ann", password: PASSWORD, rd: RD });
    assert.equal(await backOf("/sign-in/second-factor"), `/sign-in?${BACK}`);
    for (let i = 0; i < 4; i++) await browser.post("/sign-in/second-factor", { code: `00000${i}` });
    const last = await browser.post("/sign-in/second-factor", { code: "000009" });
    const ended =
      last.status === 303 ? last : await browser.post("/sign-in/second-factor", { code: "000010" });
    assert.equal(locationOf(ended), `/sign-in?done=expired&${BACK}`);
  });
});
