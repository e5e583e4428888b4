/** Mails of accounts: in whose language they are, what they look like, and that nothing is used up by opening their links. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { PASSWORD, type TestApp, createTestApp } from "../app-fixture.ts";
import { read } from "../http/admin-requests.ts";
import { post, register } from "../http/people.ts";
import { createBrowser, locationOf, signIn } from "../pages/browser.ts";

const URL_OF_PAGES = "https://accounts.example";
const ANN = "ann@example.org";

interface Preview {
  readonly kind: string;
  readonly language: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp({ publicUrl: URL_OF_PAGES });
});

const newest = async (address: string): Promise<string> => (await app.mailsTo(address))[0] ?? "";
const preview = async (kind: string, language = "en"): Promise<Preview> =>
  read(await app.admin("GET", `/api/admin/mail-previews/${kind}?language=${language}`), 200);

async function listKinds(): Promise<string[]> {
  const { items } = await read<{ items: Preview[] }>(await app.admin("GET", "/api/admin/mail-previews"), 200);
  return items.map(({ kind }) => kind);
}

describe("the language of a mail", () => {
  it("is the account's, whatever the request that caused it speaks", async () => {
    await app.signUp("ann", { locale: "zh-Hans" });
    const headers = { "accept-language": "de" };
    await post(app, "email/send-code", { email: ANN, purpose: "login" }, { headers });
    assert.match(await newest(ANN), /你的登录验证码/u);
    await post(app, "password/forgot", { email: ANN }, { headers });
    assert.match((await app.mailsTo(ANN)).join("\n"), /设置新密码/u);
  });

  it("is that of the request while there is no account, and becomes the account's", async () => {
    await register(app, "ann", { email: ANN }, { headers: { "accept-language": "fr, de-AT;q=0.9" } });
    assert.match(await newest(ANN), /E-Mail-Adresse bestätigen/u);
    const proof = { email: ANN, code: await app.codeFor(ANN) };
    const { accessToken: token } = await read<{ accessToken: string }>(
      await post(app, "email/verify", proof),
      200,
    );
    const { locale } = await read<{ locale: string }>(await app.send("GET", "/api/auth/me", { token }), 200);
    assert.equal(locale, "de");
  });

  it("is the site's by default, and that of the page where the person chose it", async () => {
    await app.set("registration", { language: "de" });
    await register(app, "bob", { email: "bob@example.org" });
    assert.match(await newest("bob@example.org"), /E-Mail-Adresse bestätigen/u);
    const browser = createBrowser(app);
    assert.match(await (await browser.get("/sign-in")).text(), /<html lang="de"/u);
    await browser.post("/language", { language: "zh", rd: "/sign-up" });
    await browser.post("/sign-up", { username: "ann", email: ANN, password: PASSWORD });
    assert.match(await newest(ANN), /验证你的邮箱地址/u);
  });
});

describe("each kind of mail", () => {
  it("says the same as text and as HTML, in every language, with nothing of others in either", async () => {
    const siteName = `<img src=x onerror=alert(1)> & "Sons"`;
    await app.set("registration", { siteName });
    for (const kind of await listKinds())
      for (const language of ["en", "zh", "de"]) {
        const what = `${kind} ${language}`;
        const { subject, text, html } = await preview(kind, language);
        assert.ok(subject.startsWith(`${siteName}: `), what);
        assert.ok(!/<(?:script|img|link|iframe)|https?:\/\/(?!accounts\.example\/)/u.test(html), what);
        assert.match(html, new RegExp(`^<!doctype html><html lang="${language}" dir="ltr">`, "u"), what);
        assert.ok(!/\{\w+\}/u.test(text + html.replace(/<style>.*<\/style>/u, "")), what);
        for (const line of text.split("\n").filter((each) => /^ {4}\S/u.test(each))) {
          const shown = line.trim().replaceAll("&", "&amp;");
          assert.ok(html.includes(shown), `${what}: ${line}`);
        }
        assert.equal(/ {4}https:/u.test(text), html.includes("<a href="), what);
        // A trial has nothing to do, and who was refused or suspended has nowhere to go.
        const isLeadingOn = !["test", "notice-refused", "notice-suspended"].includes(kind);
        assert.equal(html.includes("<a href="), isLeadingOn, what);
      }
  });

  it("has no button if the URL of the pages is unknown, and the owner's color if there is one", async () => {
    await app.admin("PATCH", "/api/admin/settings/branding", {
      accent: { light: "#5522aa", dark: "#ccaaff" },
    });
    assert.match((await preview("reset-link")).html, /bgcolor="#5522aa"/u);
    app = await createTestApp();
    for (const kind of await listKinds()) {
      const { text, html } = await preview(kind);
      assert.ok(!`${text}${html}`.includes("://"), kind);
    }
    assert.match((await preview("reset-link")).text, /^ {4}rst_sample/mu);
    assert.match((await preview("invite")).text, /^ {4}inv_sample$/mu);
  });

  it("is a page for a frame, which lets nothing in but its own styles", async () => {
    const response = await app.admin("GET", "/api/admin/mail-previews/reset-link/page?language=de");
    assert.match(response.headers.get("content-type") ?? "", /^text\/html/u);
    assert.match(
      response.headers.get("content-security-policy") ?? "",
      /^default-src 'none'; style-src 'unsafe-inline'; sandbox/u,
    );
    assert.equal(await response.text(), (await preview("reset-link", "de")).html);
  });

  it("is shown to administrators alone, by the names of the list", async () => {
    const kinds = await listKinds();
    assert.ok(kinds.length > 20);
    for (const kind of ["notice-suspended", "notice-restored", "notice-approved", "waiting-accounts"])
      assert.ok(kinds.includes(kind), kind);
    for (const path of ["", "/reset-link", "/reset-link/page"])
      assert.equal((await app.send("GET", `/api/admin/mail-previews${path}`)).status, 401);
    assert.equal((await app.admin("GET", "/api/admin/mail-previews/nothing")).status, 404);
    assert.equal((await app.admin("GET", "/api/admin/mail-previews/test?language=fr")).status, 422);
    assert.deepEqual(await app.mailsTo(ANN), []);
  });
});

describe("a program that opens every link of a mail", () => {
  /** Opens the newest mail's link as scanners do; resolves with its path. */
  async function scan(address: string): Promise<string> {
    const link = / {4}https:\/\/accounts\.example(\S+)/u.exec(await newest(address))?.[1] ?? assert.fail();
    for (const method of ["HEAD", "GET", "GET"]) {
      const response = await app.raw(link, { method, headers: { accept: "text/html" } });
      assert.ok([200, 303].includes(response.status), `${method} ${link}`);
    }
    return link;
  }
  const fieldsOf = (link: string): { email: string; code: string; token: string } => {
    const { searchParams } = new URL(link, URL_OF_PAGES);
    const value = (name: string): string => searchParams.get(name) ?? "";
    return { email: value("email"), code: value("code"), token: value("token") };
  };

  it("uses up no code of a registration, a sign-in or an address, and no link for a password", async () => {
    const browser = createBrowser(app);
    await browser.get("/sign-up");
    await browser.post("/sign-up", { username: "ann", email: ANN, password: PASSWORD });
    const proof = await scan(ANN);
    assert.match(await (await browser.get(proof)).text(), new RegExp(`value="${fieldsOf(proof).code}"`, "u"));
    assert.equal(locationOf(await browser.post("/verify", fieldsOf(proof))), "/account");

    const further = "ann@home.example";
    await browser.post("/account/emails/add", { address: further });
    const added = await scan(further);
    const html = await (await browser.get(added)).text();
    assert.match(html, new RegExp(`value="${fieldsOf(added).code}"`, "u"));
    const id = /name="id" value="(eml_[^"]+)"/u.exec(html)?.[1] ?? "";
    const done = await browser.post("/account/emails/verify", { id, ...fieldsOf(added) });
    assert.equal(locationOf(done), "/account/emails?done=emailVerified");

    const other = createBrowser(app);
    await other.get("/sign-in/code?rd=/account/profile");
    const sent = await other.post("/sign-in/code/send", { sendTo: ANN, rd: "/account/profile" });
    assert.equal(locationOf(sent), "/sign-in/code");
    const entry = await scan(ANN);
    assert.match(await (await other.get(entry)).text(), new RegExp(`value="${fieldsOf(entry).code}"`, "u"));
    assert.equal(locationOf(await other.post("/sign-in/code", fieldsOf(entry))), "/account/profile");

    await createBrowser(app).post("/forgot", { email: ANN });
    const third = createBrowser(app);
    await third.get("/forgot");
    await third.post("/forgot", { email: ANN });
    const { token } = fieldsOf(await scan(ANN));
    const password = "another sentence of mine";
    assert.equal(locationOf(await third.post("/reset", { token, password })), "/sign-in?done=passwordSet");
    assert.equal(locationOf(await signIn(third, "ann", password)), "/account");
  });
});
