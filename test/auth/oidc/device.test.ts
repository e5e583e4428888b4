/** Signing in on a device with a code that is entered elsewhere, with a third-party client, and by hand. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import * as client from "openid-client";
import { PASSWORD, type SignedIn, type TestApp, createTestApp } from "../app-fixture.ts";
import { type Browser, createBrowser, locationOf, signIn } from "../pages/browser.ts";
import { START, createFixedClock } from "../../support/fixed-clock.ts";
import { dumpStore } from "../store-dump.ts";

const GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const FORM = "application/x-www-form-urlencoded";
const TV = "TVApp/2.1 (Linux)";

interface Codes {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly expires_in: number;
  readonly interval: number;
}

let app: TestApp;
let ann: SignedIn;
let browser: Browser;

async function register(fields: Record<string, unknown> = {}): Promise<Response> {
  return app.admin("POST", "/api/admin/clients", {
    id: "tv",
    name: "Television",
    clientType: "public",
    deviceFlow: true,
    ...fields,
  });
}

async function post(path: string, fields: Record<string, string>, from = "203.0.113.9"): Promise<Response> {
  return app.fetch(path, {
    method: "POST",
    from,
    headers: { "content-type": FORM, "user-agent": TV },
    body: new URLSearchParams({ client_id: "tv", ...fields }).toString(),
  });
}

async function begin(scope = "openid profile offline_access"): Promise<Codes> {
  const answer = await post("/oauth/device_authorization", { scope });
  assert.equal(answer.headers.get("cache-control"), "no-store");
  return answer.json();
}

async function poll(codes: Pick<Codes, "device_code">): Promise<[number, Record<string, string>]> {
  const answer = await post("/oauth/token", { grant_type: GRANT, device_code: codes.device_code });
  return [answer.status, await answer.json()];
}

/** The error that a device gets in place of tokens. */
async function told(codes: Pick<Codes, "device_code">): Promise<string> {
  const [status, { error = "" }] = await poll(codes);
  assert.equal(status, 400);
  return error;
}

const answer = (code: string, word: string): Promise<Response> =>
  browser.post("/device/answer", { user_code: code, answer: word });

beforeEach(async () => {
  app = await createTestApp();
  ann = await app.signUp("ann");
  browser = createBrowser(app);
  await signIn(browser, "ann", PASSWORD);
  assert.equal((await register()).status, 201);
});

describe("the device flow", () => {
  it("signs a device in with openid-client, which waits until a person allowed it", async () => {
    let questions = 0;
    let userCode = "";
    const config = await client.discovery(
      new URL("http://localhost"),
      "tv",
      { [client.clockSkew]: Math.floor((app.clock.now() - Date.now()) / 1_000) },
      client.None(),
      {
        execute: [client.allowInsecureRequests],
        [client.customFetch]: async (url, { body, ...init }) => {
          const { pathname } = new URL(url);
          const isQuestion =
            pathname === "/oauth/token" && body instanceof URLSearchParams && body.has("device_code");
          if (isQuestion) {
            app.clock.advance(5_000);
            questions += 1;
            if (questions === 2) await answer(userCode, "allow");
          }
          return app.fetch(
            pathname,
            body instanceof URLSearchParams ? { ...init, body: body.toString() } : init,
          );
        },
      },
    );
    const codes = await client.initiateDeviceAuthorization(config, { scope: "openid email offline_access" });
    userCode = codes.user_code;
    assert.deepEqual([codes.expires_in, codes.interval], [900, 5]);
    const tokens = await client.pollDeviceAuthorizationGrant(config, { ...codes, interval: 0 });
    assert.equal(questions, 2);
    assert.equal(tokens.claims()?.sub, ann.user.id);
    const said = await client.fetchUserInfo(config, tokens.access_token, ann.user.id);
    assert.equal(said.email, "ann@example.org");
    const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "");
    assert.equal(renewed.claims()?.sub, ann.user.id);
  });

  it("shows who asks, from where and for what, and takes the code in any spelling", async () => {
    const { user_code: code, ...codes } = await begin();
    assert.match(code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/u);
    assert.equal(codes.verification_uri, "http://localhost/device");
    assert.equal(codes.verification_uri_complete, `http://localhost/device?user_code=${code}`);
    const typed = ` ${code.toLowerCase().replace("-", " ")} `;
    const onward = locationOf(await browser.post("/device", { user_code: typed }));
    assert.equal(onward, `/device?user_code=${code}`);
    const html = await (await browser.get(onward)).text();
    for (const text of [
      "Television wants to access your account",
      code,
      "203.0.113.0/24",
      "Your name, username",
      "(ann)",
    ])
      assert.ok(html.includes(text), text);
    assert.equal(await told(codes), "authorization_pending");
    const stranger = createBrowser(app);
    assert.equal(locationOf(await stranger.get(onward)), `/sign-in?rd=${encodeURIComponent(onward)}`);
  });

  it("tells a device that asks too soon to slow down, by 5 s more each time", async () => {
    const codes = await begin();
    assert.equal(await told(codes), "authorization_pending");
    for (const [seconds, error] of [
      [5, "authorization_pending"],
      [4, "slow_down"],
      [6, "slow_down"],
      [14, "slow_down"],
      [20, "authorization_pending"],
    ] as const) {
      app.clock.advance(seconds * 1_000);
      assert.equal(await told(codes), error, String(seconds));
    }
  });

  it("gives none when all sessions ended after a node whose clock is ahead took the approval", async () => {
    const codes = await begin();
    const behind = await createTestApp({ store: app.store, clock: createFixedClock(START - 60_000) });
    await answer(codes.user_code, "allow");
    await behind.admin("POST", "/api/admin/sessions/revoke-all", { confirm: true });
    assert.equal(await told(codes), "invalid_grant");
  });

  it("gives tokens once, of 16 devices that ask with the same code at the same time", async () => {
    const codes = await begin();
    assert.equal(locationOf(await answer(codes.user_code, "allow")), "/device?done=deviceAllowed");
    const answers = await Promise.all(Array.from({ length: 16 }, () => poll(codes)));
    assert.deepEqual(
      answers
        .map(([status, { error }]) => (status === 200 ? "tokens" : (error ?? "")))
        .toSorted((one, other) => one.localeCompare(other)),
      [...Array.from({ length: 15 }, () => "invalid_grant"), "tokens"],
    );
  });

  it("is answered once, of 16 answers at the same time, and one that was refused stays that", async () => {
    const codes = await begin();
    const words = Array.from({ length: 16 }, () => answer(codes.user_code, "deny"));
    const answers = await Promise.all(words);
    assert.equal(answers.filter(({ status }) => status === 303).length, 1);
    assert.equal((await answer(codes.user_code, "allow")).status >= 400, true);
    assert.equal(await told(codes), "access_denied");
  });

  it("ends after 15 minutes, and is forgotten an hour later", async () => {
    const codes = await begin();
    app.clock.advance(901_000);
    assert.equal(await told(codes), "expired_token");
    const late = await browser.get(`/device?user_code=${codes.user_code}`);
    assert.match(await late.text(), /No device is waiting with this code/u);
    app.clock.advance(3_600_000);
    await app.auth.sweep();
    assert.equal(await told(codes), "invalid_grant");
  });

  it("takes no more than ten wrong codes of an account, and of an address", async () => {
    const { user_code: code } = await begin();
    for (let count = 0; count < 10; count += 1) {
      const wrong = await browser.get("/device?user_code=BBBB-BBBB");
      assert.match(await wrong.text(), /id="field-user_code-fault"/u);
    }
    const locked = await browser.get(`/device?user_code=${code}`);
    assert.equal(locked.status, 429);
    assert.match(await locked.text(), /Too many attempts/u);
    const bob = await app.signUp("bob");
    const other = createBrowser(app);
    await signIn(other, bob.user.username, PASSWORD);
    assert.equal((await other.get(`/device?user_code=${code}`)).status, 429);
    const away = createBrowser(app, { from: "198.51.100.7" });
    await signIn(away, bob.user.username, PASSWORD);
    assert.equal((await away.get(`/device?user_code=${code}`)).status, 200);
  });

  it("is for applications that an administrator allows it, and for who may use them", async () => {
    const refusal = async (response: Response): Promise<[number, string]> => {
      const body: { error: string } = await response.json();
      return [response.status, body.error];
    };
    const codes = await begin();
    await app.admin("PATCH", "/api/admin/clients/tv", { deviceFlow: false });
    assert.deepEqual(await refusal(await post("/oauth/device_authorization", {})), [
      400,
      "unauthorized_client",
    ]);
    assert.equal(await told(codes), "unauthorized_client");
    assert.deepEqual(await refusal(await post("/oauth/device_authorization", { client_id: "nobody" })), [
      401,
      "invalid_client",
    ]);
    await app.admin("POST", "/api/admin/groups", { id: "family", title: "Family" });
    await app.admin("PATCH", "/api/admin/clients/tv", { deviceFlow: true, allowedGroups: ["family"] });
    const refused = await browser.get(`/device?user_code=${codes.user_code}`);
    assert.equal(refused.status, 403);
    assert.match(await refused.text(), /You can’t use Television/u);
    assert.equal((await answer(codes.user_code, "allow")).status, 403);
    assert.equal(await told(codes), "authorization_pending");
  });

  it("asks for codes of its own application alone", async () => {
    await register({ id: "radio", name: "Radio" });
    const codes = await begin();
    await answer(codes.user_code, "allow");
    const stolen = await post("/oauth/token", {
      client_id: "radio",
      grant_type: GRANT,
      device_code: codes.device_code,
    });
    assert.deepEqual([stolen.status, (await stolen.json()).error], [400, "invalid_grant"]);
    assert.equal((await poll(codes))[0], 200);
  });

  it("lets a device stay in when the browser signs out, until it is withdrawn or the account says so", async () => {
    const isIn = async (tokens: Record<string, string>): Promise<boolean> =>
      (await app.fetch("/oauth/userinfo", { headers: { authorization: `Bearer ${tokens["access_token"]}` } }))
        .status === 200;
    const enter = async (): Promise<Record<string, string>> => {
      const codes = await begin();
      await answer(codes.user_code, "allow");
      return (await poll(codes))[1];
    };
    const first = await enter();
    await browser.post("/sign-out", {});
    assert.equal(await isIn(first), true);
    await signIn(browser, "ann", PASSWORD);
    await browser.post("/account/applications/withdraw", { clientId: "tv" });
    assert.equal(await isIn(first), false);
    const second = await enter();
    await browser.post("/account/sessions/end-others", {});
    assert.equal(await isIn(second), false);
    const third = await enter();
    await app.admin("POST", `/api/admin/users/${ann.user.id}/suspend`, { reason: "test" });
    assert.equal(await isIn(third), false);
  });

  it("issues no tokens for a consent from before all users were signed out, or one withdrawn meanwhile", async () => {
    const withdrawn = await begin();
    await answer(withdrawn.user_code, "allow");
    await browser.post("/account/applications/withdraw", { clientId: "tv" });
    assert.equal(await told(withdrawn), "access_denied");
    const signedOut = await begin();
    await answer(signedOut.user_code, "allow");
    await app.admin("POST", `/api/admin/users/${ann.user.id}/revoke-sessions`);
    assert.equal(await told(signedOut), "access_denied");
  });

  it("keeps neither code in the store", async () => {
    const codes = await begin();
    const dump = JSON.stringify(await dumpStore(app.store));
    for (const code of [codes.device_code, codes.user_code, codes.user_code.replace("-", "")])
      assert.ok(!dump.includes(code), code);
  });
});
