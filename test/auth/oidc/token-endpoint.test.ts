/** Codes and tokens of applications, as any OAuth client asks for them. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { parseValid } from "../../../src/clients/js/answers.ts";
import { PASSWORD, type SignedIn, type TestApp, createTestApp } from "../app-fixture.ts";
import { realPng } from "../pictures.ts";
import { type Browser, createBrowser, signIn } from "../pages/browser.ts";
import { readOnward } from "./onward.ts";

const APP = "https://notes.example.org";

let center: TestApp;
let secret: string;
let ann: SignedIn;
let browser: Browser;

describe("the token endpoint", () => {
  const REDIRECT = `${APP}/auth/callback`;
  const VERIFIER = "v".repeat(43);
  // SHA-256 of the verifier, base64url.
  let challenge = "";

  beforeEach(async () => {
    center = await createTestApp();
    const made = await center.admin("POST", "/api/admin/clients", {
      id: "notes",
      name: "Notes",
      redirectUris: [REDIRECT],
    });
    ({ secret } = await made.json());
    ann = await center.signUp("ann");
    browser = createBrowser(center);
    await signIn(browser, "ann", PASSWORD);
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(VERIFIER));
    challenge = Buffer.from(digest).toString("base64url");
  });

  async function authorize(fields: Record<string, string> = {}): Promise<Response> {
    const query = new URLSearchParams({
      response_type: "code",
      client_id: "notes",
      redirect_uri: REDIRECT,
      state: "s-1",
      code_challenge: challenge,
      code_challenge_method: "S256",
      ...fields,
    });
    return browser.get(`/oauth/authorize?${query.toString()}`);
  }

  async function getCode(): Promise<string> {
    return new URL(readOnward(await authorize())).searchParams.get("code") ?? "";
  }

  async function token(fields: Record<string, string>, basic = `notes:${secret}`): Promise<[number, string]> {
    const response = await center.fetch("/oauth/token", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", authorization: `Basic ${btoa(basic)}` },
      body: new URLSearchParams(fields).toString(),
    });
    assert.equal(response.headers.get("cache-control"), "no-store");
    const body: { error?: string; refresh_token?: string } = await response.json();
    return [response.status, body.error ?? body.refresh_token ?? ""];
  }
  const forCode = (code: string, more: Record<string, string> = {}): Record<string, string> => ({
    grant_type: "authorization_code",
    code,
    redirect_uri: REDIRECT,
    code_verifier: VERIFIER,
    ...more,
  });

  it("gives tokens for a code once, of 16 at the same time", async () => {
    const code = await getCode();
    const answers = await Promise.all(Array.from({ length: 16 }, () => token(forCode(code))));
    assert.deepEqual(
      answers.map(([status]) => status).toSorted((one, other) => one - other),
      [200, ...Array.from({ length: 15 }, () => 400)],
    );
  });

  it("refuses another verifier, address, application and secret, and lets who asked go on, five times", async () => {
    const other = await center.admin("POST", "/api/admin/clients", { id: "other", name: "Other" });
    const { secret: otherSecret }: { secret: string } = await other.json();
    for (const [more, basic] of [
      [{ code_verifier: "w".repeat(43) }, undefined],
      [{ redirect_uri: `${APP}/other` }, undefined],
      [{}, `other:${otherSecret}`],
    ] as const) {
      const code = await getCode();
      for (let time = 0; time < 4; time += 1)
        assert.deepEqual(await token(forCode(code, more), basic), [400, "invalid_grant"]);
      assert.equal((await token(forCode(code)))[0], 200);
      const guessed = await getCode();
      for (let time = 0; time < 5; time += 1)
        assert.deepEqual(await token(forCode(guessed, more), basic), [400, "invalid_grant"]);
      assert.deepEqual(await token(forCode(guessed)), [400, "invalid_grant"], "used up");
    }
    assert.deepEqual(await token(forCode(await getCode()), "notes:wrong"), [401, "invalid_client"]);
    assert.deepEqual(await token({ grant_type: "password" }), [400, "unsupported_grant_type"]);
    assert.deepEqual(await token({ grant_type: "authorization_code" }), [400, "invalid_request"]);
    const late = await getCode();
    center.clock.advance(61_000);
    assert.deepEqual(await token(forCode(late)), [400, "invalid_grant"]);
  });

  it("takes a code with its verifier alone where PKCE began, and without one where it did not", async () => {
    const { code_verifier: _verifier, ...bare } = forCode(await getCode());
    assert.deepEqual(await token(bare), [400, "invalid_grant"]);
    await center.admin("PATCH", "/api/admin/clients/notes", { requirePkce: false });
    // Who takes the challenge out of the request does not get in with a verifier (RFC 9700 section 4.8.2).
    const query = { response_type: "code", client_id: "notes", redirect_uri: REDIRECT };
    const stripped = await browser.get(`/oauth/authorize?${new URLSearchParams(query).toString()}`);
    const code = new URL(readOnward(stripped)).searchParams.get("code") ?? "";
    assert.notEqual(code, "");
    assert.deepEqual(await token(forCode(code)), [400, "invalid_grant"]);
  });

  it("renews an application's tokens for it alone, and nothing else", async () => {
    const [, refresh] = await token(forCode(await getCode()));
    const plain = await center.send("POST", "/api/auth/refresh", { body: { refreshToken: refresh } });
    assert.equal(plain.status, 401);
    const renewal = { grant_type: "refresh_token", refresh_token: refresh };
    assert.equal((await token(renewal))[0], 200);
    assert.deepEqual(await token({ ...renewal, refresh_token: ann.refreshToken }), [400, "invalid_grant"]);
    assert.equal(
      (await center.send("POST", "/api/auth/refresh", { body: { refreshToken: ann.refreshToken } })).status,
      200,
    );
  });

  it("returns the URL of a public picture, and when the profile was changed", async () => {
    const ask = async (): Promise<{ picture?: string; updated_at?: number }> => {
      const location = readOnward(await authorize({ scope: "openid profile" }));
      const code = new URL(location).searchParams.get("code") ?? "";
      const granted = await center.fetch("/oauth/token", {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ ...forCode(code), client_id: "notes", client_secret: secret }).toString(),
      });
      const { access_token: accessToken }: { access_token: string } = await granted.json();
      return (await center.send("GET", "/oauth/userinfo", { token: accessToken })).json();
    };
    const joined = Math.floor(center.clock.now() / 1_000);
    const { picture: none, updated_at: first } = await ask();
    assert.deepEqual([none, first], [undefined, joined]);
    center.clock.advance(60_000);
    await center.auth.avatars.put(ann.user.id, { mediaType: "image/png", bytes: realPng });
    const toProfile = (visibility: "public" | "private") => ({ fields: { visibility }, version: undefined });
    await center.auth.profiles.patch(ann.user.id, toProfile("public"));
    const { picture = "", updated_at: at } = await ask();
    assert.equal(at, joined + 60);
    assert.ok(picture.startsWith("http://localhost/api/public/users/ann/avatar?v="), picture);
    const shown = await center.fetch(picture.slice("http://localhost".length));
    assert.equal(shown.headers.get("content-type"), "image/png");
    await center.auth.profiles.patch(ann.user.id, toProfile("private"));
    assert.equal((await ask()).picture, undefined);
  });

  it("takes an empty secret for none, which a public application alone has", async () => {
    assert.deepEqual(await token(forCode(await getCode()), "notes:"), [401, "invalid_client"]);
    await center.admin("PATCH", "/api/admin/clients/notes", { clientType: "public" });
    assert.equal((await token(forCode(await getCode()), "notes:"))[0], 200);
    assert.deepEqual(await token(forCode(await getCode())), [401, "invalid_client"]);
  });

  it("gives an application no say over the account's password", async () => {
    const code = await getCode();
    const tokens = await center.auth.grants.exchange(
      await center.auth.clients.get("notes"),
      { code, redirectUri: REDIRECT, verifier: VERIFIER },
      {
        clientId: "notes",
        clientAddress: "192.0.2.1",
        ipPrefix: "192.0.2.0/24",
        userAgent: "app",
        requestId: "r",
      },
    );
    assert.ok(typeof tokens !== "string");
    const answer = await center.send("DELETE", "/api/auth/me", { token: tokens.tokens.accessToken });
    assert.equal(answer.status, 403);
  });

  /** The access token that an application with these scopes gets. */
  async function accessTokenFor(scope: string): Promise<string> {
    const code = new URL(readOnward(await authorize(scope === "" ? {} : { scope }))).searchParams.get("code");
    const authorization = `Basic ${btoa(`notes:${secret}`)}`;
    const headers = { "content-type": "application/x-www-form-urlencoded", authorization };
    const body = new URLSearchParams(forCode(code ?? "")).toString();
    const response = await center.fetch("/oauth/token", { method: "POST", headers, body });
    const { access_token: accessToken }: { access_token: string } = await response.json();
    return accessToken;
  }

  /** The application asks whose token it is. */
  function validateForClient(held: string): Promise<Response> {
    const authorization = `Basic ${btoa(`notes:${secret}`)}`;
    const headers = { "content-type": "application/x-www-form-urlencoded", authorization };
    return center.fetch("/api/auth/validate", { method: "POST", headers, body: `token=${held}` });
  }

  it("gives tokens that open of an account what their scopes name, and change nothing in it", async () => {
    const narrow = await accessTokenFor("openid profile");
    const wide = await accessTokenFor("openid profile email");
    const bare = await accessTokenFor("");
    const statuses = async (method: string, path: string): Promise<number[]> =>
      Promise.all(
        [narrow, wide, bare].map(async (held) => (await center.send(method, path, { token: held })).status),
      );
    assert.deepEqual(await statuses("GET", "/oauth/userinfo"), [200, 200, 200]);
    for (const [method, path] of [
      // These open for the resource "auth": test/hostile/application-tokens.test.ts.
      ["GET", "/api/auth/profile"],
      ["GET", "/api/auth/emails"],
      ["GET", "/api/auth/me"],
      ["GET", "/api/auth/checkin"],
      ["GET", "/api/auth/sessions"],
      ["DELETE", "/api/auth/sessions"],
      ["GET", "/api/auth/security/events"],
      ["PATCH", "/api/auth/profile"],
      ["PATCH", "/api/auth/me"],
      ["POST", "/api/auth/emails"],
      ["DELETE", "/api/auth/applications/notes"],
      ["POST", "/api/auth/me/passkeys/options"],
      ["PUT", "/api/public/users/bob/like"],
      ["POST", "/api/public/users/bob/like"],
      ["DELETE", "/api/public/users/bob/like"],
    ] as const)
      assert.deepEqual(await statuses(method, path), [403, 403, 403], `${method} ${path}`);
    assert.equal((await center.send("GET", "/api/auth/sessions", { token: ann.accessToken })).status, 200);
  });

  it("gives tokens of which validation and introspection tell what their scopes name", async () => {
    const names = { username: "ann", displayName: "ann" };
    const groups = { role: "user", groups: [] };
    const { id } = ann.user;
    for (const [scope, opened] of [
      ["openid", {}],
      ["openid profile", names],
      ["openid email", { emailVerified: true }],
      ["openid groups", groups],
      ["", {}],
    ] as const) {
      const held = await accessTokenFor(scope);
      const answer = await validateForClient(held);
      const told = await answer.json();
      assert.deepEqual(told.user, { id, ...opened }, scope);
      assert.notEqual(parseValid(told), undefined);
      const hasNames = "username" in opened;
      const header = (name: string): string | null => answer.headers.get(`x-auth-${name}`);
      assert.deepEqual(["username", "display-name", "email", "email-verified", "role"].map(header), [
        ...(hasNames ? ["ann", "ann"] : ["", ""]),
        ...("emailVerified" in opened ? ["ann@example.org", "1"] : ["", "0"]),
        "role" in opened ? "user" : "",
      ]);
      const said = await center.fetch("/api/auth/introspect", {
        method: "POST",
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          authorization: `Basic ${btoa(`notes:${secret}`)}`,
        },
        body: new URLSearchParams({ token: held }).toString(),
      });
      const { username }: { username?: string } = await said.json();
      assert.equal(username, hasNames ? "ann" : undefined);
    }
  });

  it("does not say by validation that a person administers, unless asked for groups", async () => {
    await center.admin("PATCH", `/api/admin/users/${ann.user.id}`, { role: "admin" });
    browser = createBrowser(center);
    await signIn(browser, "ann", PASSWORD);
    for (const [scope, administers] of [
      ["openid profile", undefined],
      ["openid groups", true],
    ] as const) {
      const answer = await validateForClient(await accessTokenFor(scope));
      const told: { administers?: boolean } = await answer.json();
      assert.equal(told.administers, administers);
    }
  });

  interface Refusal {
    readonly reason: string;
    readonly sent: string;
    readonly times: number;
    readonly username?: string;
    readonly at: string;
  }
  async function listRefusals(id: string): Promise<Refusal[]> {
    const answer = await center.admin("GET", `/api/admin/clients/${id}/refusals`);
    assert.equal(answer.status, 200);
    const { items }: { items: Refusal[] } = await answer.json();
    return items;
  }
  const toReasons = (items: readonly Refusal[]): string[] => items.map(({ reason }) => reason);

  it("says to administrators why an application was refused", async () => {
    await authorize({ redirect_uri: `${REDIRECT}/` });
    await authorize({ redirect_uri: `${REDIRECT}/` });
    await authorize({ code_challenge: "" });
    await authorize({ client_id: "grafana" });
    const [seen] = await listRefusals("unknown");
    assert.deepEqual([seen?.reason, seen?.sent], ["unknown_client", "grafana"]);
    const first = await listRefusals("notes");
    const [redirect] = first.filter(({ reason }) => reason === "redirect_uri");
    assert.deepEqual([redirect?.sent, redirect?.times], [`${REDIRECT}/`, 2]);
    assert.deepEqual(toReasons(first).toSorted(), ["pkce_missing", "redirect_uri"]);

    await authorize({ scope: "openid roles" });
    await token(forCode(await getCode()), "notes:wrong");
    await token(forCode(await getCode(), { code_verifier: "w".repeat(43) }));
    await token(forCode(await getCode(), { redirect_uri: `${APP}/other` }));
    const code = await getCode();
    await token(forCode(code));
    await token(forCode(code));
    const late = await getCode();
    center.clock.advance(61_000);
    await token(forCode(late));
    await center.admin("POST", "/api/admin/groups", { id: "family", title: "Family" });
    await center.admin("PATCH", "/api/admin/clients/notes", { allowedGroups: ["family"] });
    await authorize();
    const items = await listRefusals("notes");
    assert.deepEqual(toReasons(items).toSorted(), [
      "code_expired",
      "code_other_address",
      "code_used",
      "group",
      "pkce_missing",
      "redirect_uri",
      "scope_unknown",
      "verifier_wrong",
      "wrong_secret",
    ]);
    const of = (reason: string): Refusal | undefined => items.find((item) => item.reason === reason);
    assert.equal(of("group")?.username, "ann");
    assert.equal(of("scope_unknown")?.sent, "roles");
    assert.equal(of("code_other_address")?.sent, `${APP}/other`);
    assert.equal(of("wrong_secret")?.sent, "client_secret_basic");
    const kept = JSON.stringify(items);
    for (const hidden of [secret, code, late, VERIFIER]) assert.ok(!kept.includes(hidden), hidden);
  });
});
