/**
 * Consent: when people are prompted before an application gets anything, what is remembered, and how it is withdrawn.
 */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { PASSWORD, type SignedIn, type TestApp, createTestApp, testCaller } from "../app-fixture.ts";
import { type Browser, createBrowser, locationOf, signIn } from "../pages/browser.ts";
import { readOnward } from "./onward.ts";

const REDIRECT = "https://notes.example.org/callback";
const VERIFIER = "v".repeat(43);
const APPLICATIONS = "/account/applications";

let app: TestApp;
let ann: SignedIn;
let browser: Browser;
let secret: string;
let challenge: string;

async function register(fields: Record<string, unknown> = {}): Promise<void> {
  const made = await app.admin("POST", "/api/admin/clients", {
    id: "notes",
    name: "Notes",
    redirectUris: [REDIRECT],
    consent: "once",
    ...fields,
  });
  assert.equal(made.status, 201);
  ({ secret } = await made.json());
}

function toQuery(more: Record<string, string> = {}): Record<string, string> {
  return {
    response_type: "code",
    client_id: "notes",
    redirect_uri: REDIRECT,
    state: "s-1",
    code_challenge: challenge,
    code_challenge_method: "S256",
    scope: "openid profile",
    ...more,
  };
}

const toPath = (more?: Record<string, string>): string =>
  `/oauth/authorize?${new URLSearchParams(toQuery(more)).toString()}`;

/** Parameters of the application's redirect URI. */
const told = (response: Response): URLSearchParams => new URL(readOnward(response)).searchParams;

async function isAsked(more?: Record<string, string>): Promise<boolean> {
  const page = await browser.get(toPath(more));
  assert.equal(page.status, 200);
  return /Notes wants to access your account/u.test(await page.text());
}

const answer = (word: string, more?: Record<string, string>): Promise<Response> =>
  browser.post("/oauth/authorize/answer", { ...toQuery(more), answer: word });

async function allow(more?: Record<string, string>): Promise<string> {
  const code = told(await answer("allow", more)).get("code");
  assert.ok(code !== null, "a code came");
  return code;
}

async function token(fields: Record<string, string>): Promise<[number, Record<string, string>]> {
  const response = await app.fetch("/oauth/token", {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      authorization: `Basic ${btoa(`notes:${secret}`)}`,
    },
    body: new URLSearchParams(fields).toString(),
  });
  return [response.status, await response.json()];
}

const redeem = (code: string) =>
  token({ grant_type: "authorization_code", code, redirect_uri: REDIRECT, code_verifier: VERIFIER });

beforeEach(async () => {
  app = await createTestApp();
  ann = await app.signUp("ann");
  browser = createBrowser(app);
  await signIn(browser, "ann", PASSWORD);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(VERIFIER));
  challenge = Buffer.from(digest).toString("base64url");
});

describe("the question of consent", () => {
  it("says how long the access lasts, by the policy of the application", async () => {
    const read = async (more?: Record<string, string>): Promise<string> =>
      (/Access ends [^.]+\./u.exec(await (await browser.get(toPath(more))).text()) ?? [""])[0];
    await register();
    const usual = "Access ends 14 days after the last use, and after 30 days at the latest.";
    assert.equal(await read(), usual);
    const offline = "Access ends 30 days after the last use, and after 365 days at the latest.";
    assert.equal(await read({ scope: "openid offline_access" }), offline);
    const policy = { refreshTokenDays: 1, sessionDays: 7 };
    const changed = await app.admin("PATCH", "/api/admin/clients/notes", { policy });
    assert.equal(changed.status, 200, await changed.clone().text());
    assert.equal(await read(), "Access ends 1 day after the last use, and after 7 days at the latest.");
  });

  it("says which application gets what, whom it comes as, and where it leads", async () => {
    await register();
    const page = await browser.get(toPath({ scope: "openid email groups" }));
    const html = await page.text();
    for (const text of [
      /Notes wants to access your account/u,
      /\(ann\)/u,
      /notes\.example\.org/u,
      /Your email address/u,
    ])
      assert.match(html, text);
    assert.match(html, /The groups you belong to/u);
    assert.doesNotMatch(html, /Your name, username/u);
    assert.equal(page.headers.get("refresh"), null);
    // No scope means openid.
    const bare = await (await browser.get(toPath({ scope: "" }))).text();
    assert.match(bare, /Your user ID/u);
    for (const text of [/Your name, username/u, /Your email address/u, /The groups you belong to/u])
      assert.doesNotMatch(bare, text);
    const [status, tokens] = await redeem(await allow({ scope: "openid email groups" }));
    assert.deepEqual([status, tokens["scope"]], [200, "openid email groups"]);
  });

  it("is requested once, and again for additional scopes", async () => {
    await register();
    assert.equal(await isAsked(), true);
    await allow();
    assert.equal(await isAsked(), false);
    assert.equal(await isAsked({ scope: "openid" }), false);
    assert.equal(await isAsked({ scope: "openid email" }), true);
    await allow({ scope: "openid email" });
    assert.equal(await isAsked({ scope: "openid profile email" }), false);
    assert.equal(await isAsked({ prompt: "consent" }), true);
  });

  it("is requested as the application is registered: never, always, and with prompt=consent", async () => {
    await register({ consent: "never" });
    assert.equal(await isAsked(), false);
    assert.equal(await isAsked({ prompt: "consent" }), true);
    await allow({ prompt: "consent" });
    await app.admin("PATCH", "/api/admin/clients/notes", { consent: "always" });
    assert.equal(await isAsked(), true);
    await allow();
    assert.equal(await isAsked(), true);
  });

  it("is requested for a public program on the person's machine, even if it is trusted", async () => {
    for (const [redirect, isDue] of [
      ["http://127.0.0.1/callback", true],
      ["http://localhost:8400/callback", true],
      ["org.example.notes:/callback", true],
      [REDIRECT, false],
    ] as const) {
      await register({ consent: "never", clientType: "public", redirectUris: [redirect] });
      assert.equal(await isAsked({ redirect_uri: redirect }), isDue, redirect);
      await app.admin("PATCH", "/api/admin/clients/notes", { clientType: "confidential" });
      assert.equal(await isAsked({ redirect_uri: redirect }), false, redirect);
      await app.admin("DELETE", "/api/admin/clients/notes");
    }
  });

  it("leads back with access_denied from who says not now, and remembers nothing", async () => {
    await register();
    for (const word of ["deny", "", "yes"]) {
      const onward = told(await answer(word));
      assert.deepEqual(
        ["error", "state", "iss", "code"].map((name) => onward.get(name)),
        ["access_denied", "s-1", "http://localhost", null],
      );
    }
    assert.equal(await isAsked(), true);
  });

  it("is never requested with prompt=none, which gets consent_required", async () => {
    await register();
    const silent = () => browser.get(toPath({ prompt: "none" }));
    assert.equal(told(await silent()).get("error"), "consent_required");
    await allow();
    assert.ok(told(await silent()).get("code") !== null, "a code came");
    await app.admin("PATCH", "/api/admin/clients/notes", { consent: "always" });
    assert.equal(told(await silent()).get("error"), "consent_required");
  });

  it("comes again after a sign-in as another user, in place of an answer in the first one's name", async () => {
    await register();
    const html = await (await browser.get(toPath())).text();
    const form = /name="form" value="([^"]+\.[^"]+)"/u.exec(html)?.[1] ?? "";
    await app.signUp("bob");
    await browser.post("/sign-out", {});
    await signIn(browser, "bob", PASSWORD);
    const answered = await browser.post("/oauth/authorize/answer", { ...toQuery(), answer: "allow", form });
    const page = await (await browser.get(locationOf(answered))).text();
    assert.match(page, /You’re signed in as bob/u);
    assert.match(page, /signed in to a different account/u);
    await browser.post("/sign-out", {});
    const late = locationOf(await answer("allow"));
    assert.match(late, /^\/sign-in\?rd=%2Foauth%2Fauthorize%3Fresponse_type/u);
  });

  it("is not answered by an administrator who looks into the account", async () => {
    await register();
    const entered = await app.admin("POST", `/api/admin/users/${ann.user.id}/impersonate`, {
      minutes: 10,
      reason: "help",
    });
    const { refreshToken }: { refreshToken: string } = await entered.json();
    const other = createBrowser(app);
    await other.get("/sign-in");
    await other.post("/impersonate", { token: refreshToken });
    const refused = await other.post("/oauth/authorize/answer", { ...toQuery(), answer: "allow" });
    assert.equal(refused.status, 403);
    assert.match(await refused.text(), /You don’t have permission to do this/u);
    assert.equal(await isAsked(), true);
  });

  it("does not let an application inherit what one of the same id was allowed", async () => {
    await register();
    await allow();
    await app.admin("DELETE", "/api/admin/clients/notes");
    app.clock.advance(1_000);
    await register();
    assert.equal(await isAsked({ scope: "openid" }), true);
    await allow({ scope: "openid" });
    assert.equal(await isAsked({ scope: "openid profile" }), true);
  });
});

describe("what an account allowed", () => {
  it("is listed, recorded in the events, part of the export, and requested again once withdrawn", async () => {
    await register();
    await allow({ scope: "openid email" });
    const list = async (): Promise<string> => (await browser.get(APPLICATIONS)).text();
    assert.match(await list(), /Applications with access.*Notes.*Your email address.*Revoke access</su);
    assert.match(await (await browser.get("/account/activity")).text(), /Application access granted/u);
    const data = await (await browser.post("/account/data/export", {})).json();
    assert.deepEqual(data.allowedApplications[0].scopes, ["openid", "email"]);
    const withdrawn = await browser.post(`${APPLICATIONS}/withdraw`, { clientId: "notes" });
    assert.equal(locationOf(withdrawn), `${APPLICATIONS}?done=applicationWithdrawn`);
    assert.doesNotMatch(await list(), /Applications with access/u);
    assert.equal(await isAsked({ scope: "openid" }), true);
  });

  it("ends with everything that the application has, also what is on its way", async () => {
    await register();
    const [, tokens] = await redeem(await allow());
    const code = await allow();
    await browser.post(`${APPLICATIONS}/withdraw`, { clientId: "notes" });
    const used = await app.fetch("/oauth/userinfo", {
      headers: { authorization: `Bearer ${tokens["access_token"] ?? ""}` },
    });
    assert.equal(used.status, 401);
    const refresh = { grant_type: "refresh_token", refresh_token: tokens["refresh_token"] ?? "" };
    for (const [status, { error }] of [await token(refresh), await redeem(code)])
      assert.deepEqual([status, error], [400, "invalid_grant"]);
    // Of these two alone: the person is signed in here.
    assert.equal((await browser.get("/account")).status, 200);
  });

  it("is not withdrawn by an administrator who looks into the account", async () => {
    await register();
    await allow();
    const subject = (await app.auth.sessions.find(ann.accessToken)) ?? assert.fail("signed in");
    const looking = { ...subject, session: { ...subject.session, impersonatedBy: "token" } };
    const withdrawn = app.auth.consents.withdraw(looking, "notes", testCaller);
    await assert.rejects(withdrawn, { code: "forbidden" });
    assert.equal(await isAsked(), false);
  });
});
