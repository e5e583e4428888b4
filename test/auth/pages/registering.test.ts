/** The pages of who has no account yet, or has forgotten the password. */
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
    assert.match(faultAt(html, "code"), /incorrect, expired/u);
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
    assert.match(
      await (await browser.post("/sign-up", fields)).text(),
      /You can’t create an account right now/u,
    );
    await app.set("registration", { mode: "invite" });
    assert.match(
      await (await browser.get("/sign-up?invite=abc")).text(),
      /name="inviteCode"[^>]*value="abc"/u,
    );
    const html = await (await browser.post("/sign-up", { ...fields, inviteCode: "wrong" })).text();
    assert.match(faultAt(html, "inviteCode"), /incorrect, expired, already used/u);
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
    assert.match(faultAt(await again.text(), "token"), /invalid, expired or already used/u);
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
