/** The pages of who is signed in: what each does, and what it refuses. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { PASSWORD, type SignedIn, type TestApp, createTestApp } from "../app-fixture.ts";
import { addFactor } from "../http/people.ts";
import { realPng } from "../pictures.ts";
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

describe("security", () => {
  it("changes the password with the present one, and gives the browser a new session", async () => {
    const before = browser.cookies.get("trivet_session");
    const wrong = await browser.post("/account/security/password", {
      currentPassword: "not it",
      password: "another sentence of mine",
    });
    assert.equal(wrong.status, 401);
    assert.match(await wrong.text(), /id="field-currentPassword-fault"/u);
    const right = await browser.post("/account/security/password", {
      currentPassword: PASSWORD,
      password: "another sentence of mine",
    });
    assert.equal(locationOf(right), "/account/security?done=passwordChanged");
    assert.notEqual(browser.cookies.get("trivet_session"), before);
    assert.match(await read("/account/security?done=passwordChanged"), /Password changed/u);
    assert.equal((await app.auth.sessions.list(ann.user.id)).length, 1);
  });

  it("switches the second factor on with a QR code, shows recovery codes until they are put away, and off", async () => {
    assert.equal(
      locationOf(await browser.post("/account/security/second-factor/begin", {})),
      "/account/security/second-factor",
    );
    const html = await read("/account/security/second-factor");
    assert.match(html, /<svg class="qr" viewBox="0 0 \d+ \d+" role="img"/u);
    const secret = (/class="mono">([A-Z2-7 ]+)</u.exec(html)?.[1] ?? "").replaceAll(" ", "");
    const wrong = await browser.post("/account/security/second-factor", { code: "000000" });
    assert.equal(wrong.status, 400);
    const on = await browser.post("/account/security/second-factor", { code: app.totp(secret) });
    assert.equal(locationOf(on), "/account/security/recovery-codes");
    const codes = [...(await read("/account/security/recovery-codes")).matchAll(/<li>(\w{5}-\w{5})<\/li>/gu)];
    assert.equal(codes.length, 10);
    const [, first = ""] = codes[0] ?? [];
    assert.ok(![...browser.cookies.values()].some((value) => value.includes(first)));
    const file = await browser.post("/account/security/recovery-codes/download", {});
    assert.equal(file.headers.get("content-disposition"), 'attachment; filename="recovery-codes.txt"');
    assert.equal(file.headers.get("cache-control"), "no-store");
    assert.match(await file.text(), new RegExp(`ann\r\n\r\n${first}\r\n`, "u"));
    await browser.post("/account/security/recovery-codes/kept", {});
    assert.equal(
      locationOf(await browser.post("/account/security/recovery-codes/download", {})),
      "/account/security",
    );
    assert.equal(locationOf(await browser.get("/account/security/recovery-codes")), "/account/security");
    const other = createBrowser(app);
    await signIn(other, "ann", PASSWORD);
    const used = await other.post("/sign-in/second-factor", { method: "recovery", code: first });
    assert.equal(locationOf(used), "/account");
    assert.equal(
      locationOf(await browser.post("/account/security/remove-factor", {})),
      "/account/security?done=factorRemoved",
    );
  });

  it("asks for a proof after ten minutes, replaces the cookie, and comes back", async () => {
    app.clock.advance(11 * 60_000);
    const asked = await browser.post("/account/data/export", {});
    assert.equal(locationOf(asked), "/account/confirm?rd=%2Faccount%2Fdata");
    const before = browser.cookies.get("trivet_session") ?? "";
    const wrong = await browser.post("/account/confirm", { password: "wrong", rd: "/account/data" });
    assert.equal(wrong.status, 401);
    const proved = await browser.post("/account/confirm", { password: PASSWORD, rd: "/account/data" });
    assert.equal(locationOf(proved), "/account/data");
    assert.notEqual(browser.cookies.get("trivet_session"), before);
    app.clock.advance(31_000);
    const old = createBrowser(app);
    old.cookies.set("trivet_session", before);
    assert.equal(locationOf(await old.get("/account")), "/sign-in");
    assert.equal((await browser.post("/account/data/export", {})).status, 200);
  });

  it("says at its field that a code of the second step is wrong, and what to do", async () => {
    await addFactor(app, ann.accessToken);
    const refuse = async (factorCode: string): Promise<string> =>
      (await browser.post("/account/confirm", { password: PASSWORD, factorCode })).text();
    assert.ok((await refuse("000000")).includes('href="#field-factorCode">This code is incorrect. Wait'));
    assert.ok((await refuse("aaaaa-aaaaa")).includes('href="#field-factorCode">This recovery code'));
  });

  it("proves who has no password with a code from the mailbox", async () => {
    const { user } = await app.signUp("bob", { passwordHash: undefined });
    const tokens = await app.signIn(user);
    browser.cookies.set("trivet_session", tokens.refreshToken);
    app.clock.advance(11 * 60_000);
    assert.match(await read("/account"), /You haven’t set a password/u);
    assert.equal(
      locationOf(await browser.post("/account/confirm/send", { rd: "/account/security" })),
      "/account/confirm?rd=%2Faccount%2Fsecurity&done=codeSent",
    );
    const emailCode = await app.codeFor("bob@example.org");
    const proved = await browser.post("/account/confirm", { emailCode, rd: "/account/security" });
    assert.equal(locationOf(proved), "/account/security");
    const set = await browser.post("/account/security/password", { password: PASSWORD });
    assert.equal(locationOf(set), "/account/security?done=passwordChanged");
  });
});

describe("addresses", () => {
  it("are added, proved, made the primary one, and removed", async () => {
    const address = "ann@work.example";
    const fields = { address, login: "on" };
    assert.equal(
      locationOf(await browser.post("/account/emails/add", fields)),
      "/account/emails?done=codeSent",
    );
    const [, further] = await app.auth.emails.list(ann.user.id);
    const id = further?.id ?? "";
    assert.deepEqual(further?.purposes, ["login"]);
    const wrong = await browser.post("/account/emails/verify", { id, code: "00000000" });
    assert.equal(wrong.status, 400);
    assert.match(await wrong.text(), /id="field-code-fault"/u);
    const code = await app.codeFor(address);
    assert.equal(
      locationOf(await browser.post("/account/emails/verify", { id, code })),
      "/account/emails?done=emailVerified",
    );
    assert.equal(
      locationOf(await browser.post("/account/emails/primary", { id })),
      "/account/emails?done=primaryChanged",
    );
    const [primary, old] = await app.auth.emails.list(ann.user.id);
    assert.equal(primary?.address, address);
    assert.equal(
      locationOf(await browser.post("/account/emails/purposes", { id: old?.id ?? "", notify: "on" })),
      "/account/emails?done=saved",
    );
    assert.deepEqual((await app.auth.emails.list(ann.user.id))[1]?.purposes, ["notify"]);
    await browser.post("/account/emails/remove", { id: old?.id ?? "" });
    assert.equal((await app.auth.emails.list(ann.user.id)).length, 1);
  });

  it("keeps a typed address while the person proves who they are", async () => {
    app.clock.advance(11 * 60_000);
    const asked = await browser.post("/account/emails/add", { address: "ann@work.example" });
    assert.match(locationOf(asked), /^\/account\/confirm\?rd=%2Faccount%2Femails%3Fadd%3Dann%2540work/u);
    assert.match(await read("/account/emails?add=ann%40work.example"), /value="ann@work\.example"/u);
  });

  it("protects other accounts", async () => {
    const bob = await app.signUp("bob");
    const caller = {
      ...ann.user,
      clientId: "t",
      clientAddress: "",
      ipPrefix: "",
      userAgent: "",
      requestId: "",
    };
    const subject = await app.auth.sessions.find(bob.accessToken);
    assert.ok(subject);
    const { id } = await app.auth.emails.add(subject, {
      address: "bob@work.example",
      purposes: ["login"],
      caller,
    });
    assert.equal((await browser.post("/account/emails/remove", { id })).status, 422);
    assert.equal((await app.auth.emails.list(bob.user.id)).length, 2);
  });
});

describe("the profile", () => {
  const fields = {
    displayName: "Ann",
    bio: "Gardens\r\nand servers",
    visibility: "public",
    inDirectory: "on",
  };

  it("is saved, shown to others as its owner wants, and refuses what another tab changed", async () => {
    const version = /name="version" value="(\d+)"/u.exec(await read("/account/profile"))?.[1] ?? "";
    const more = { label0: "Code", url0: "https://example.org/ann", likePolicy: "anyone", version };
    const saved = await browser.post("/account/profile/save", { ...fields, ...more });
    assert.equal(locationOf(saved), "/account/profile?done=saved");
    const visitor = createBrowser(app);
    const shown = await (await visitor.get("/people/ann")).text();
    assert.match(shown, /<p class="prose">Gardens\nand servers<\/p>/u);
    assert.match(shown, /href="https:\/\/example\.org\/ann" rel="nofollow noopener ugc"/u);
    assert.match(await (await visitor.get("/people?q=an")).text(), /href="\/people\/ann"/u);
    const late = await browser.post("/account/profile/save", {
      ...fields,
      ...more,
      bio: "typed in another tab",
    });
    assert.equal(late.status, 422);
    const html = await late.text();
    assert.match(html, /changed this while you were editing/u);
    assert.match(html, /typed in another tab/u);
  });

  it("puts refusals at their fields", async () => {
    const html = await (
      await browser.post("/account/profile/save", { ...fields, website: "javascript:alert(1)", label0: "x" })
    ).text();
    assert.match(html, /id="field-website-fault"/u);
    assert.match(html, /href="#field-links">Enter a name of up to 40/u);
  });

  it("takes a picture, and only a picture", async () => {
    const send = async (
      bytes: Uint8Array<ArrayBuffer>,
      headers: Readonly<Record<string, string>> = {},
    ): Promise<Response> => {
      const body = new FormData();
      body.set("picture", new File([bytes], "ann.png", { type: "image/png" }));
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      return app.raw("/account/profile/picture", {
        method: "POST",
        body,
        headers: { cookie, accept: "text/html", "sec-fetch-site": "same-origin", ...headers },
      });
    };
    assert.equal(locationOf(await send(realPng)), "/account/profile?done=saved");
    for (const kib of [513, 700, 40_000]) {
      const bytes = new Uint8Array(kib * 1_024);
      bytes.set(realPng);
      const announced = String(bytes.length);
      for (const isAnnounced of [false, true]) {
        const sent = await send(bytes, isAnnounced ? { "content-length": announced } : {});
        const shown = sent.status === 303 ? await browser.get(locationOf(sent)) : sent;
        const told = (await shown.text()).includes(
          'href="#field-picture">This file is too large. The limit is 512 KiB',
        );
        assert.ok(told, `${kib} KiB`);
      }
    }
    const wrong = await send(new TextEncoder().encode("no picture"));
    assert.equal(wrong.status, 422);
    assert.match(await wrong.text(), /Choose a PNG, JPEG or WebP image/u);
    await browser.post("/account/profile/remove-picture", {});
    assert.equal((await app.auth.profiles.get(ann.user.id)).avatarHash, undefined);
  });

  it("sets language and time zone of the account, and the pages follow", async () => {
    await browser.post("/account/profile/account", {
      username: "ann",
      language: "de",
      timeZone: "Europe/Vienna",
    });
    assert.match(await read("/account"), /<html lang="de"/u);
    await browser.post("/language", { language: "zh", rd: "/account" });
    assert.match(await read("/account"), /<html lang="zh"/u);
  });

  it("takes likes of people and of strangers, and back", async () => {
    await browser.post("/account/profile/save", fields);
    const visitor = createBrowser(app, { from: "192.0.2.9" });
    await visitor.get("/people/ann");
    assert.equal(locationOf(await visitor.post("/people/ann/like", {})), "/people/ann");
    assert.match(await (await visitor.get("/people/ann")).text(), /Likes: 1/u);
    const own = await browser.post("/people/ann/like", {});
    assert.equal(own.status, 409);
    await app.signUp("bob");
    await signIn(visitor, "bob", PASSWORD);
    await visitor.post("/people/ann/like", {});
    assert.match(await (await visitor.get("/people/ann")).text(), /Unlike/u);
    await visitor.post("/people/ann/unlike", {});
    assert.match(await (await visitor.get("/people/ann")).text(), /Likes: 1/u);
    assert.equal((await visitor.get("/people/nobody")).status, 404);
  });
});
