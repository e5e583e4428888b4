/** OpenID Connect with a third-party client: discovery, code flow, userinfo, refresh and sign-out. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type JSONWebKeySet, createLocalJWKSet, jwtVerify } from "jose";
import * as client from "openid-client";
import { PASSWORD, type TestApp, createTestApp } from "../app-fixture.ts";
import { type Browser, createBrowser, signIn } from "../pages/browser.ts";
import { readOnward } from "./onward.ts";

const ISSUER = "http://localhost";
const REDIRECT = "https://notes.example.org/callback";
const AFTER = "https://notes.example.org/bye";
const FORM = "application/x-www-form-urlencoded";

let center: TestApp;
let browser: Browser;

const toPath = (url: URL | string): string => new URL(url).pathname + new URL(url).search;
const locationOf = (response: Response): string => response.headers.get("location") ?? "";

/** Registers an application and configures the client for it by discovery. */
async function register(
  fields: Record<string, string | boolean | string[]> = {},
  authenticate: (secret: string) => client.ClientAuth = client.ClientSecretBasic,
): Promise<client.Configuration> {
  const made = await center.admin("POST", "/api/admin/clients", {
    id: "notes",
    name: "Notes",
    redirectUris: [REDIRECT],
    postLogoutRedirectUris: [AFTER],
    ...fields,
  });
  assert.equal(made.status, 201);
  const { secret } = await made.json();
  const metadata = {
    // The tests' clock shows another time.
    [client.clockSkew]: Math.floor((center.clock.now() - Date.now()) / 1_000),
    id_token_signed_response_alg: String(fields["idTokenAlgorithm"] ?? "RS256"),
  };
  const method = authenticate(secret);
  return client.discovery(new URL(ISSUER), "notes", metadata, method, {
    execute: [client.allowInsecureRequests],
    [client.customFetch]: (url, { body, ...init }) =>
      center.fetch(toPath(url), body instanceof URLSearchParams ? { ...init, body: body.toString() } : init),
  });
}

interface Flow {
  readonly checks: { pkceCodeVerifier?: string; expectedNonce: string; expectedState: string };
  readonly url: URL;
}

async function begin(
  config: client.Configuration,
  { pkce = true, more = {} }: { pkce?: boolean; more?: Record<string, string> } = {},
): Promise<Flow> {
  const verifier = client.randomPKCECodeVerifier();
  const challenge = {
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  };
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT,
    scope: "openid profile email groups",
    state: "s-1",
    nonce: "n-1",
    ...(pkce ? challenge : {}),
  });
  for (const [name, value] of Object.entries(more)) url.searchParams.set(name, value);
  const checks = { expectedNonce: "n-1", expectedState: "s-1" };
  return { url, checks: pkce ? { ...checks, pkceCodeVerifier: verifier } : checks };
}

/** From the application through the center and back, in a browser that is signed in there. */
async function enter(config: client.Configuration, options: Parameters<typeof begin>[1] = {}) {
  const { url, checks } = await begin(config, options);
  const onward = new URL(readOnward(await browser.get(toPath(url))));
  return client.authorizationCodeGrant(config, onward, checks);
}

beforeEach(async () => {
  center = await createTestApp();
  await center.admin("POST", "/api/admin/groups", { id: "family", title: "Family" });
  const { user } = await center.signUp("ann");
  await center.admin("PUT", `/api/admin/groups/family/members/${user.id}`, {});
  browser = createBrowser(center);
  await signIn(browser, "ann", PASSWORD);
});

describe("OpenID Connect", () => {
  it("signs in a person whose name, address and groups the application asks for", async () => {
    const config = await register();
    const tokens = await enter(config);
    const { sub, ...claims } = tokens.claims() ?? assert.fail("No ID token");
    const { aud, nonce, name, email, email_verified: isVerified, groups, auth_time: at } = claims;
    const seen: unknown[] = [aud, nonce, name, email, isVerified, groups, typeof at];
    assert.deepEqual(seen, ["notes", "n-1", "ann", "ann@example.org", true, ["family"], "number"]);
    assert.equal(tokens.scope, "openid profile email groups");
    const said = await client.fetchUserInfo(config, tokens.access_token, sub);
    assert.deepEqual(
      [said.preferred_username, said.email_verified, said["groups"]],
      ["ann", true, ["family"]],
    );
    const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "");
    assert.equal(renewed.claims()?.sub, sub);
    await assert.rejects(client.fetchUserInfo(config, "acc_wrong", sub), { status: 401 });
  });

  for (const idTokenAlgorithm of ["RS256", "ES256", "EdDSA"])
    it(`signs ID tokens by ${idTokenAlgorithm}, which the client checks`, async () => {
      const config = await register({ idTokenAlgorithm, claimsInIdToken: true });
      client.enableNonRepudiationChecks(config);
      const tokens = await enter(config);
      assert.equal(tokens.claims()?.["preferred_username"], "ann");
    });

  it("has its metadata between host and path too, where the issuer has a path", async () => {
    const issuer = "https://example.org/auth";
    const below = await createTestApp({ publicUrl: issuer, basePath: "/auth" });
    const ask = async (path: string): Promise<[number, unknown, string | null]> => {
      const answer = await below.raw(path, { headers: { origin: "https://spa.example" } });
      const { issuer: named }: { issuer?: string } = await answer.json();
      return [answer.status, named, answer.headers.get("access-control-allow-origin")];
    };
    const headers = [200, issuer, "*"];
    assert.deepEqual(await ask("/.well-known/oauth-authorization-server"), headers);
    assert.deepEqual(await ask("/../.well-known/oauth-authorization-server/auth"), headers);
    assert.deepEqual(await ask("/.well-known/openid-configuration"), headers);
  });

  it("gives access tokens that services check by the key set, and that end with the session here", async () => {
    const audience = "https://api.example.org";
    const config = await register({ accessTokenFormat: "jwt", audiences: [audience] });
    const tokens = await enter(config);
    const keys: JSONWebKeySet = await (await center.fetch("/api/auth/jwks")).json();
    // 128 bits of security (NIST SP 800-57).
    for (const { kty, n = "" } of keys.keys)
      if (kty === "RSA") assert.equal(Buffer.from(n, "base64url").byteLength * 8, 3_072);
    const { payload, protectedHeader } = await jwtVerify(tokens.access_token, createLocalJWKSet(keys), {
      issuer: ISSUER,
      audience,
      typ: "at+jwt",
      currentDate: new Date(center.clock.now()),
      requiredClaims: ["sub", "client_id", "iat", "exp", "jti", "auth_time", "acr", "amr"],
    });
    const sub = tokens.claims()?.sub ?? "";
    assert.deepEqual(
      [protectedHeader.alg, payload.sub, payload["client_id"], payload["scope"], payload.aud],
      ["RS256", sub, "notes", "openid profile email groups", [ISSUER, audience]],
    );
    assert.equal((await client.fetchUserInfo(config, tokens.access_token, sub)).sub, sub);
    const said = await client.tokenIntrospection(config, tokens.access_token);
    assert.deepEqual(
      [said.active, said.sub, said.scope, said.exp, said.aud],
      [true, sub, payload["scope"], payload.exp, payload.aud],
    );
    // No other token of the center does, and no ID token of the application.
    await assert.rejects(client.fetchUserInfo(config, tokens.id_token ?? "", sub), { status: 401 });
    const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "");
    assert.equal((await client.fetchUserInfo(config, renewed.access_token, sub)).sub, sub);
    await browser.post("/sign-out", {});
    for (const { access_token: token } of [tokens, renewed]) {
      await assert.rejects(client.fetchUserInfo(config, token, sub), { status: 401 });
      assert.deepEqual(await client.tokenIntrospection(config, token), { active: false });
    }
  });

  it("takes the secret in the body, and no secret of a public application", async () => {
    const posted = await register({}, client.ClientSecretPost);
    assert.ok((await enter(posted)).id_token !== undefined, "an ID token came");
    await center.admin("PATCH", "/api/admin/clients/notes", { clientType: "public" });
    await assert.rejects(enter(posted), { error: "invalid_client" });
    await center.admin("DELETE", "/api/admin/clients/notes");
    const open = await register({ clientType: "public", requirePkce: false }, () => client.None());
    assert.ok((await enter(open)).id_token !== undefined, "an ID token came");
    const { url } = await begin(open, { pkce: false });
    assert.match(readOnward(await browser.get(toPath(url))), /error=invalid_request/u);
  });

  it("goes without PKCE where an administrator allows it, and then takes no verifier", async () => {
    const config = await register({ requirePkce: false });
    assert.ok((await enter(config, { pkce: false })).id_token !== undefined, "an ID token came");
    const { url, checks } = await begin(config, { pkce: false });
    const onward = new URL(readOnward(await browser.get(toPath(url))));
    await assert.rejects(
      client.authorizationCodeGrant(config, onward, { ...checks, pkceCodeVerifier: "v".repeat(43) }),
      { error: "invalid_grant" },
    );
  });

  it("does not prompt with prompt=none, and prompts again with prompt=login and max_age", async () => {
    const config = await register();
    assert.ok((await enter(config, { more: { prompt: "none" } })).id_token !== undefined, "an ID token came");
    for (const more of [{ prompt: "login" }, { max_age: "60" }] as Record<string, string>[]) {
      center.clock.advance(120_000);
      const asked = await browser.get(toPath((await begin(config, { more })).url));
      assert.equal(asked.status, 303);
      assert.match(locationOf(asked), /^\/account\/confirm\?rd=%2Foauth%2Fauthorize/u);
      const page = await (await browser.get(locationOf(asked))).text();
      assert.ok(page.includes("Notes asks you to verify it’s you."));
    }
    const silent = toPath((await begin(config, { more: { prompt: "none", max_age: "60" } })).url);
    assert.match(readOnward(await browser.get(silent)), /error=login_required/u);
    const chosen = await browser.get(
      toPath((await begin(config, { more: { prompt: "select_account" } })).url),
    );
    assert.match(await chosen.text(), /Continue to Notes\?/u);
    browser = createBrowser(center);
    const { url } = await begin(config, { more: { prompt: "none" } });
    assert.match(readOnward(await browser.get(toPath(url))), /error=login_required.*state=s-1/u);
  });

  it("says what it cannot do, to the application", async () => {
    const config = await register();
    for (const [more, error] of [
      [{ response_type: "code id_token" }, "unsupported_response_type"],
      [{ response_mode: "fragment" }, "invalid_request"],
      [{ request: "x.y.z" }, "request_not_supported"],
      [{ request_uri: "https://notes.example.org/r" }, "request_uri_not_supported"],
      [{ prompt: "none login" }, "invalid_request"],
      [{ max_age: "soon" }, "invalid_request"],
    ] as const) {
      const onward = readOnward(await browser.get(toPath((await begin(config, { more })).url)));
      assert.equal(new URL(onward).searchParams.get("error"), error);
    }
  });

  it("takes the request of a form, which brings no cookie, and goes on with it", async () => {
    const config = await register();
    const { url } = await begin(config);
    const answer = await center.raw("/oauth/authorize", {
      method: "POST",
      headers: { "content-type": FORM },
      body: url.search.slice(1),
    });
    assert.deepEqual([answer.status, locationOf(answer)], [303, toPath(url)]);
  });

  it("ends what a code opened when the code comes again, but for the same request sent twice", async () => {
    const config = await register();
    const wrong = "w".repeat(43);
    for (const { later, sent, ends } of [
      { later: 0, sent: {}, ends: false },
      { later: 9_999, sent: {}, ends: false },
      { later: 10_000, sent: {}, ends: true },
      { later: 30_000, sent: {}, ends: true },
      { later: 300_000, sent: {}, ends: true },
      { later: 0, sent: { pkceCodeVerifier: wrong }, ends: true },
      { later: 300_000, sent: { pkceCodeVerifier: wrong }, ends: true },
      { later: 0, sent: { pkceCodeVerifier: undefined }, ends: true },
    ]) {
      const { url, checks } = await begin(config);
      const onward = new URL(readOnward(await browser.get(toPath(url))));
      const tokens = await client.authorizationCodeGrant(config, onward, checks);
      const sub = tokens.claims()?.sub ?? "";
      assert.equal((await client.fetchUserInfo(config, tokens.access_token, sub)).sub, sub);
      center.clock.advance(later);
      const again = client.authorizationCodeGrant(config, onward, { ...checks, ...sent });
      await assert.rejects(again, { error: "invalid_grant" });
      const known = client.fetchUserInfo(config, tokens.access_token, sub);
      if (ends) await assert.rejects(known, { status: 401 });
      else assert.equal((await known).sub, sub);
    }
  });

  it("keeps the browser and other applications signed in, however often an application signs in", async () => {
    const config = await register();
    const first = await enter(config);
    const made = await center.admin("POST", "/api/admin/clients", {
      id: "busy",
      name: "Busy",
      redirectUris: [REDIRECT],
      requirePkce: false,
    });
    const { secret } = await made.json();
    const url = toPath((await begin(config, { pkce: false, more: { client_id: "busy" } })).url);
    for (let turn = 0; turn < 60; turn += 1) {
      const code = new URL(readOnward(await browser.get(url))).searchParams.get("code") ?? "";
      const answer = await center.fetch("/oauth/token", {
        method: "POST",
        headers: { authorization: `Basic ${btoa(`busy:${secret}`)}`, "content-type": FORM },
        body: new URLSearchParams({
          grant_type: "authorization_code",
          code,
          redirect_uri: REDIRECT,
        }).toString(),
      });
      assert.equal(answer.status, 200);
    }
    assert.equal((await browser.get("/account")).status, 200);
    const sub = first.claims()?.sub ?? "";
    assert.equal((await client.fetchUserInfo(config, first.access_token, sub)).sub, sub);
    assert.equal((await center.auth.sessions.list(sub)).length, 50);
  });

  it("lets pages of every origin request endpoints that use no cookies", async () => {
    await register({ clientType: "public" });
    const headers = {
      origin: "https://spa.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization",
    };
    for (const path of ["/oauth/token", "/oauth/userinfo", "/.well-known/openid-configuration"]) {
      const preflight = await center.raw(path, { method: "OPTIONS", headers });
      assert.equal(preflight.status, 204);
      assert.equal(preflight.headers.get("access-control-allow-headers"), "authorization");
      const { headers: given } = await center.fetch(path, { headers });
      assert.deepEqual(
        [given.get("access-control-allow-origin"), given.get("access-control-allow-credentials")],
        ["*", null],
      );
    }
  });
});

describe("signing out from an application", () => {
  const toLogout = (config: client.Configuration, fields: Record<string, string>): string =>
    toPath(client.buildEndSessionUrl(config, { post_logout_redirect_uri: AFTER, state: "s 2", ...fields }));

  it("signs out at once who shows the ID token of this sign-in, and leads back", async () => {
    const config = await register();
    const { id_token: hint = "" } = await enter(config);
    center.clock.advance(2 * 3_600_000);
    const answer = await browser.get(toLogout(config, { id_token_hint: hint }));
    assert.equal(readOnward(answer), `${AFTER}?state=s%202`);
    assert.equal(locationOf(await browser.get("/account")), "/sign-in");
    assert.equal(readOnward(await browser.get(toLogout(config, {}))), `${AFTER}?state=s%202`);
  });

  it("prompts everyone else first", async () => {
    const config = await register();
    const { id_token: old = "" } = await enter(config);
    await browser.post("/sign-out", {});
    await signIn(browser, "ann", PASSWORD);
    for (const fields of [{}, { id_token_hint: old }] as Record<string, string>[]) {
      const page = await browser.get(toLogout(config, fields));
      assert.match(await page.text(), /action="\/oauth\/logout\/confirm"/u);
    }
    const fields = { post_logout_redirect_uri: AFTER, client_id: "notes" };
    assert.equal(readOnward(await browser.post("/oauth/logout/confirm", fields)), AFTER);
    assert.equal(locationOf(await browser.get("/account")), "/sign-in");
  });

  it("leads nowhere that is not registered, and takes no token of another", async () => {
    const config = await register();
    const { id_token: hint = "" } = await enter(config);
    const [head = "", body = ""] = hint.split(".");
    for (const fields of [
      { post_logout_redirect_uri: "https://evil.example/" },
      { post_logout_redirect_uri: `${AFTER}/` },
      { id_token_hint: `${head}.${body}.${"A".repeat(342)}` },
      { id_token_hint: hint, client_id: "other" },
    ] as Record<string, string>[]) {
      const answer = await browser.get(toLogout(config, fields));
      assert.deepEqual([answer.status, answer.headers.get("refresh")], [400, null]);
    }
    assert.equal((await browser.get("/account")).status, 200);
  });
});
