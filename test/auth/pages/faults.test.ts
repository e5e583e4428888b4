/** What a page says when something is away, and what happens to a form that is sent twice or from an old tab. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { authCollections } from "../../../src/auth/app/records.ts";
import type { MailOutcome } from "../../../src/kit/mail/mail.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import { StoreError, type Store } from "../../../src/store/store.ts";
import { PASSWORD, type TestApp, createTestApp } from "../app-fixture.ts";
import { type Browser, createBrowser, locationOf, signIn } from "./browser.ts";

const ANN = "ann@example.org";

/** A store that can be taken away: its writes, or all of it. */
function createFickleStore(): { store: Store; away: { reads: boolean; writes: boolean } } {
  const whole = createMemoryStore({ collections: authCollections });
  const away = { reads: false, writes: false };
  const refuse = (): never => {
    throw new StoreError("store_unavailable", "The disk is gone");
  };
  const store: Store = {
    ...whole,
    read: async (work) => (away.reads ? refuse() : whole.read(work)),
    transact: async (work) => (away.reads || away.writes ? refuse() : whole.transact(work)),
  };
  return { store, away };
}

describe("a store that takes no writes", () => {
  const personal = {
    "/account/check-in": {},
    "/account/profile/save": {
      displayName: "Ann B.",
      bio: "typed",
      visibility: "private",
      likePolicy: "off",
    },
    "/account/security/password": { currentPassword: PASSWORD, password: "another sentence of mine" },
    "/account/emails/add": { address: "typed@example.org" },
    "/account/data/delete": { confirmation: "ann" },
  };
  const open = {
    "/sign-in": { identifier: "typed", password: PASSWORD },
    "/sign-in/code/send": { sendTo: ANN },
    "/sign-up": { username: "typed", email: "new@example.org", password: PASSWORD },
    "/verify": { email: "new@example.org", code: "12345678" },
    "/forgot": { email: "typed@example.org" },
  };

  it("gives the form back with what was typed and a time to try again, and changes nothing", async () => {
    const { store, away } = createFickleStore();
    const app = await createTestApp({ store });
    await app.signUp("ann");
    const [owner, stranger] = [createBrowser(app), createBrowser(app)];
    await signIn(owner, "ann", PASSWORD);
    await stranger.get("/sign-in");
    away.writes = true;
    for (const [browser, forms] of [[owner, personal] as const, [stranger, open] as const])
      for (const [path, fields] of Object.entries(forms)) {
        const response = await browser.post(path, fields);
        const html = await response.text();
        assert.equal(response.status, 503, path);
        assert.equal(response.headers.get("retry-after"), "5", path);
        assert.equal(response.headers.get("cache-control"), "no-store", path);
        assert.match(html, /Changes can’t be saved right now/u, path);
        const isTyped = Object.values(fields).some((value) => value.startsWith("typed"));
        assert.ok(!isTyped || html.includes("typed"), path);
        assert.ok(!html.includes(PASSWORD), path);
      }
    away.writes = false;
    assert.equal((await owner.get("/account")).status, 200);
  });

  it("shows an error page when reads fail as well, and keeps the session", async () => {
    const { store, away } = createFickleStore();
    const app = await createTestApp({ store });
    await app.signUp("ann");
    const owner = createBrowser(app);
    await signIn(owner, "ann", PASSWORD);
    away.reads = true;
    for (const path of ["/account", "/account/emails", "/verify", "/people", "/people/ann"]) {
      const response = await owner.get(path);
      assert.equal(response.status, 503, path);
      assert.equal(response.headers.get("retry-after"), "5", path);
      assert.match(await response.text(), /Temporarily unavailable/u, path);
    }
    away.reads = false;
    assert.equal((await owner.get("/account")).status, 200);
  });
});

describe("a mail server that is away", () => {
  let app: TestApp;
  let outcome: MailOutcome = { status: "sent" };
  const waits = async (browser: Browser): Promise<boolean> => {
    await browser.get("/sign-in/code?rd=/account");
    await browser.post("/sign-in/code/send", { sendTo: ANN });
    const html = await (await browser.get("/sign-in/code")).text();
    assert.equal(
      /Emails can’t be sent/u.test(await (await browser.get("/forgot?done=linkSent")).text()),
      /Emails can’t be sent/u.test(html),
    );
    return html.includes("Emails can’t be sent");
  };

  it("is shown to visitors who wait for an email, as long as it lasts", async () => {
    app = await createTestApp({
      sender: { send: () => Promise.resolve(outcome), close: () => undefined },
    });
    await app.signUp("ann");
    const browser = createBrowser(app);
    assert.equal(await waits(browser), false);
    outcome = { status: "temporary", reason: "connection refused" };
    await app.auth.outbox.deliver();
    assert.equal(await waits(browser), true);
    outcome = { status: "sent" };
    app.clock.advance(61_000);
    await app.auth.outbox.deliver();
    assert.equal(await waits(browser), false);
  });

  it("shows the same where none is set", async () => {
    app = await createTestApp();
    assert.equal(await waits(createBrowser(app)), true);
  });
});

describe("a form", () => {
  let app: TestApp;
  let browser: Browser;
  beforeEach(async () => {
    app = await createTestApp();
    browser = createBrowser(app);
    await app.signUp("ann");
    await signIn(browser, "ann", PASSWORD);
  });

  it("of a tab in which another account was signed in changes nothing of this one", async () => {
    const html = await (await browser.get("/account/profile")).text();
    const form = /action="\/account\/profile\/save".*?name="form" value="([^"]+)"/u.exec(html)?.[1] ?? "";
    const fields = { displayName: "Ann", visibility: "public", likePolicy: "off" };
    await app.signUp("bob");
    await browser.post("/sign-out", {});
    await signIn(browser, "bob", PASSWORD);
    const response = await browser.post("/account/profile/save", { ...fields, form });
    assert.equal(locationOf(response), "/account/profile?done=otherAccount");
    assert.match(
      await (await browser.get("/account/profile?done=otherAccount")).text(),
      /different account/u,
    );
    await browser.post("/sign-out", {});
    await signIn(browser, "ann", PASSWORD);
    assert.equal(
      locationOf(await browser.post("/account/profile/save", { ...fields, form }, {})),
      "/account/profile?done=saved",
    );
  });

  it("that is sent twice, at once or as soon as it was answered, is done once and answered alike", async () => {
    const double = async (
      who: Browser,
      path: string,
      fields: Record<string, string> = {},
    ): Promise<string> => {
      // A browser that is clicked twice drops the first answer, and its cookies with it.
      const before = new Map(who.cookies);
      const first = who.post(path, fields);
      const [, second] = await Promise.all([first, who.post(path, fields)]);
      who.cookies.clear();
      for (const [name, value] of before) who.cookies.set(name, value);
      const third = await who.post(path, fields);
      const places = [await first, second, third].map(locationOf);
      assert.deepEqual(new Set(places).size, 1, `${path}: ${places.join(", ")}`);
      return places[0] ?? "";
    };
    const stranger = createBrowser(app);
    await stranger.get("/sign-in");
    const sent = { username: "new", email: "new@example.org", password: PASSWORD };
    assert.equal(await double(stranger, "/sign-up", sent), "/verify");
    assert.equal((await app.mailsTo(sent.email)).length, 1);
    const verification = { email: sent.email, code: await app.codeFor(sent.email) };
    assert.equal(await double(stranger, "/verify", verification), "/account");
    assert.equal((await stranger.get("/account")).status, 200);

    assert.match(await double(browser, "/account/check-in"), /done=checkedIn$/u);
    assert.match(await (await browser.get("/account/check-in")).text(), /<b>10<\/b>/u);
    await double(browser, "/account/emails/add", { address: "ann@home.example" });
    assert.equal((await app.mailsTo("ann@home.example")).length, 1);
    await browser.post("/account/security/second-factor/begin", {});
    const setUp = await (await browser.get("/account/security/second-factor")).text();
    const secret = /class="mono">([A-Z2-7 ]+)</u.exec(setUp)?.[1]?.replaceAll(" ", "") ?? "";
    const code = app.totp(secret);
    await double(browser, "/account/security/second-factor", { code });
    assert.equal((await browser.get("/account/security/recovery-codes")).status, 200);

    const wrong = await Promise.all(
      [0, 1].map(() => browser.post("/account/confirm", { password: "wrong", factorCode: code })),
    );
    assert.deepEqual(
      wrong.map(({ status }) => status),
      [401, 401],
    );
    app.clock.advance(30_000);
    assert.equal(
      await double(browser, "/account/confirm", { password: PASSWORD, factorCode: app.totp(secret) }),
      "/account",
    );
    const changed = { currentPassword: PASSWORD, password: "another sentence of mine" };
    assert.match(await double(browser, "/account/security/password", changed), /done=passwordChanged/u);

    await browser.post("/forgot", { email: ANN });
    const token = /rst_[\w-]+/u.exec((await app.mailsTo(ANN)).join("\n"))?.[0] ?? "";
    await double(stranger, "/reset", { token, password: "a third sentence of mine" });
    await browser.post("/sign-out", {});
    await signIn(browser, "ann", "a third sentence of mine");
    app.clock.advance(30_000);
    await double(browser, "/sign-in/second-factor", { code: app.totp(secret), method: "totp" });
    assert.equal((await browser.get("/account")).status, 200);
    assert.match(await double(browser, "/account/data/delete", { confirmation: "ann" }), /done=deleted/u);
  });

  it("is looked at again a little later, and where another browser sends it", async () => {
    await browser.post("/forgot", { email: ANN });
    const token = /rst_[\w-]+/u.exec((await app.mailsTo(ANN)).join("\n"))?.[0] ?? "";
    const fields = { token, password: "another sentence of mine" };
    assert.equal(locationOf(await browser.post("/reset", fields)), "/sign-in?done=passwordSet");
    const other = createBrowser(app);
    await other.get("/sign-in");
    assert.equal((await other.post("/reset", fields)).status, 401);
    app.clock.advance(5_001);
    assert.equal((await browser.post("/reset", fields)).status, 401);
  });
});
