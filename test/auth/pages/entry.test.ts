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
    assert.match(faultAt(wrong, "password"), /name or the password is wrong/u);
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
    assert.match(await response.text(), /did not keep our cookie/u);
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

  it("is asked for after the password and opens the session then", async () => {
    const secret = await prepare();
    assert.equal(locationOf(await signIn(browser, "ann", PASSWORD)), "/sign-in/second-factor");
    assert.equal(browser.cookies.has("trivet_session"), false);
    const wrong = await browser.post("/sign-in/second-factor", { code: "000000" });
    assert.equal(wrong.status, 400);
    assert.match(faultAt(await wrong.text(), "code"), /Wait for the next one.*clock/u);
    const recovery = await browser.post("/sign-in/second-factor", {
      code: "aaaaa-aaaaa",
      method: "recovery",
    });
    assert.match(faultAt(await recovery.text(), "code"), /recovery code is wrong/u);
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
    assert.match(await (await browser.get("/sign-in?done=expired")).text(), /took too long/u);
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

describe("registering on a page", () => {
  const fields = { username: "ann", email: "ann@example.org", password: PASSWORD };

  it("leads from the code back to the form, where a mistyped address is corrected", async () => {
    await app.set("registration", { mode: "invite" });
    const made = await app.admin("POST", "/api/admin/invites", { maxUses: 1 });
    const { code: inviteCode }: { code: string } = await made.json();
    await browser.get("/sign-up");
    const typo = { ...fields, email: "ann@exmaple.org", inviteCode, rd: "/account/profile" };
    await browser.post("/sign-up", typo);
    await browser.post("/verify/send", { sendTo: typo.email });
    const html = await (await browser.get("/verify")).text();
    const link = /href="(\/sign-up\?[^"]*)"/u.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const form = await (await browser.get(link)).text();
    for (const value of ["ann", typo.email, inviteCode, typo.rd])
      assert.ok(form.includes(`value="${value}"`), value);
    assert.match(form, /same password as before/u);
    assert.equal(locationOf(await browser.post("/sign-up", { ...typo, email: fields.email })), "/verify");
    const code = await app.codeFor(fields.email);
    assert.equal(locationOf(await browser.post("/verify", { email: fields.email, code })), typo.rd);
    assert.match(await (await browser.get("/account")).text(), /Hello, ann/u);
    assert.ok(
      (await (await browser.get("/verify?email=x@example.org")).text()).includes('href="/account/emails"'),
    );
  });

  it("sends a code, keeps the address when it expires, and opens the account with the next", async () => {
    await browser.get("/sign-up?rd=/account/profile");
    const sent = await browser.post("/sign-up", { ...fields, rd: "/account/profile" });
    assert.equal(locationOf(sent), "/verify");
    assert.match(await (await browser.get("/verify")).text(), /ann@example\.org/u);
    const expired = await app.codeFor(fields.email);
    app.clock.advance(11 * 60_000);
    const old = await browser.post("/verify", { email: fields.email, code: expired });
    assert.equal(old.status, 400);
    const html = await old.text();
    assert.match(faultAt(html, "code"), /wrong, expired/u);
    assert.match(html, /name="email" value="ann@example\.org"/u);
    assert.equal(
      locationOf(await browser.post("/verify/send", { sendTo: fields.email })),
      "/verify?done=codeSent",
    );
    const code = await app.codeFor(fields.email);
    const opened = await browser.post("/verify", {
      email: fields.email,
      code: `${code.slice(0, 4)} ${code.slice(4)}`,
    });
    assert.equal(locationOf(opened), "/account/profile");
    assert.equal((await browser.get("/account")).status, 200);
  });

  it("answers for an address that has an account as for any other", async () => {
    await app.signUp("bob", { email: "ann@example.org" });
    await browser.get("/sign-up");
    assert.equal(locationOf(await browser.post("/sign-up", fields)), "/verify");
  });

  it("uses nothing up when a mail's link is opened, and shows its code in the form", async () => {
    await browser.get("/sign-up");
    await browser.post("/sign-up", fields);
    const code = await app.codeFor(fields.email);
    const link = `/verify?email=ann%40example.org&code=${code}`;
    const scanner = createBrowser(app);
    for (let i = 0; i < 3; i++) assert.match(await (await scanner.get(link)).text(), new RegExp(code, "u"));
    assert.equal(locationOf(await browser.post("/verify", { email: fields.email, code })), "/account");
  });

  it("puts each refusal at its field", async () => {
    await app.signUp("bob");
    await browser.get("/sign-up");
    const refused = async (more: Record<string, string>): Promise<string> => {
      const response = await browser.post("/sign-up", { ...fields, ...more });
      assert.ok(response.status >= 400 && response.status < 500);
      return response.text();
    };
    assert.match(faultAt(await refused({ username: "bob" }), "username"), /is taken/u);
    assert.match(faultAt(await refused({ username: "-" }), "username"), /2 to 40 letters/u);
    assert.match(faultAt(await refused({ email: "nowhere" }), "email"), /such as ann@example\.org/u);
    assert.match(faultAt(await refused({ password: "short" }), "password"), /8 to 256/u);
    assert.match(faultAt(await refused({ password: "password1" }), "password"), /easy to guess/u);
    await app.set("registration", { termsVersion: "2", termsUrl: "https://example.org/terms" });
    assert.match(faultAt(await refused({}), "terms"), /Accept the terms/u);
    assert.equal(locationOf(await browser.post("/sign-up", { ...fields, terms: "on" })), "/verify");
  });

  it("follows the mode of registration", async () => {
    await app.set("registration", { mode: "closed" });
    assert.match(await (await browser.get("/sign-up")).text(), /Registration is closed/u);
    assert.match(await (await browser.post("/sign-up", fields)).text(), /Nobody can register here now/u);
    await app.set("registration", { mode: "invite" });
    assert.match(
      await (await browser.get("/sign-up?invite=abc")).text(),
      /name="inviteCode"[^>]*value="abc"/u,
    );
    const html = await (await browser.post("/sign-up", { ...fields, inviteCode: "wrong" })).text();
    assert.match(faultAt(html, "inviteCode"), /wrong, expired or used/u);
    await app.set("registration", { mode: "approval" });
    await browser.post("/sign-up", fields);
    const proved = await browser.post("/verify", {
      email: fields.email,
      code: await app.codeFor(fields.email),
    });
    assert.equal(locationOf(proved), "/sign-in?done=approval");
    assert.equal(browser.cookies.has("trivet_session"), false);
  });

  it("leads who has the right password and no proof to the code", async () => {
    await browser.get("/sign-up");
    await browser.post("/sign-up", fields);
    const other = createBrowser(app);
    const response = await signIn(other, fields.email, PASSWORD);
    assert.equal(locationOf(response), "/verify?done=unverified");
    assert.match(await (await other.get("/verify?done=unverified")).text(), /ann@example\.org/u);
  });
});

describe("a forgotten password", () => {
  it("is answered alike for every address, and replaced with the link", async () => {
    await app.signUp("ann");
    for (const email of ["ann@example.org", "nobody@example.org"]) {
      await browser.get("/forgot");
      assert.equal(locationOf(await browser.post("/forgot", { email })), "/forgot?done=linkSent");
    }
    const [mail = ""] = await app.mailsTo("ann@example.org");
    const token = /rst_[\w-]+/u.exec(mail)?.[0] ?? "";
    const shown = await (await browser.get(`/reset?token=${token}`)).text();
    assert.match(shown, new RegExp(`name="token" value="${token}"`, "u"));
    const short = await browser.post("/reset", { token, password: "short" });
    assert.match(faultAt(await short.text(), "password"), /8 to 256/u);
    const password = "another sentence of mine";
    assert.equal(locationOf(await browser.post("/reset", { token, password })), "/sign-in?done=passwordSet");
    app.clock.advance(5_001);
    const again = await browser.post("/reset", { token, password });
    assert.equal(again.status, 401);
    assert.match(faultAt(await again.text(), "token"), /wrong, expired or was used/u);
    assert.equal(locationOf(await signIn(browser, "ann", password)), "/account");
  });

  it("is mailed as a link to the page where the site's address is known, unless the settings name another", async () => {
    app = await createTestApp({ publicUrl: "https://accounts.example" });
    await app.signUp("ann");
    browser = createBrowser(app);
    await browser.get("/forgot");
    await browser.post("/forgot", { email: "ann@example.org" });
    assert.match(
      (await app.mailsTo("ann@example.org"))[0] ?? "",
      /https:\/\/accounts\.example\/reset\?token=rst_/u,
    );
    app.clock.advance(61_000);
    await app.set("registration", { resetUrl: "https://app.example/new?t={token}" });
    await browser.post("/forgot", { email: "ann@example.org" });
    assert.match((await app.mailsTo("ann@example.org"))[0] ?? "", /https:\/\/app\.example\/new\?t=rst_/u);
  });
});
