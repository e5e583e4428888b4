/** Tokens for other programs: introspection, JWTs for an audience, and the keys to check them with. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from "jose";
import { type SignedIn, type TestApp, ADMIN_TOKEN, code, createTestApp } from "../app-fixture.ts";
import { read } from "../http/admin-requests.ts";

const SECOND = 1_000;
const DAY = 86_400 * SECOND;
const AUDIENCE = "https://shop.example.org";

let app: TestApp;
let ann: SignedIn;
let basic = "";

beforeEach(async () => {
  app = await createTestApp();
  ann = await app.signUp("ann");
  const created = await app.admin("POST", "/api/admin/clients", {
    id: "shop",
    name: "Shop",
    audiences: [AUDIENCE],
  });
  const { secret }: { secret: string } = await read(created, 201);
  basic = `Basic ${btoa(`shop:${secret}`)}`;
});

function introspect(
  token: string,
  headers: Readonly<Record<string, string>> = { authorization: basic },
): Promise<Response> {
  return app.fetch("/api/auth/introspect", {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams({ token }).toString(),
  });
}

describe("POST /api/auth/introspect", () => {
  it("tells a registered application whose an active token is", async () => {
    const response = await introspect(ann.accessToken);
    assert.equal(response.headers.get("cache-control"), "no-store");
    const nowSeconds = app.clock.now() / SECOND;
    assert.deepEqual(await read(response, 200), {
      active: true,
      sub: ann.user.id,
      username: "ann",
      client_id: "test",
      token_type: "Bearer",
      exp: nowSeconds + 900,
      iat: nowSeconds,
      auth_time: nowSeconds,
    });
  });

  it("takes the administrator token instead", async () => {
    const response = await introspect(ann.accessToken, { "x-admin-token": ADMIN_TOKEN });
    assert.equal((await read<{ active: boolean }>(response, 200)).active, true);
  });

  it('says exactly {"active":false} of everything else', async () => {
    const old = await app.signIn(ann.user);
    await app.send("POST", "/api/auth/revoke", { body: { token: old.accessToken } });
    const random = `acc_${Buffer.alloc(32).toString("base64url")}`;
    for (const token of [old.accessToken, ann.refreshToken, random, "x", "👍", "a".repeat(512)]) {
      const response = await introspect(token);
      assert.equal(response.status, 200);
      assert.equal(await response.text(), '{"active":false}', token);
    }
    app.clock.advance(900 * SECOND);
    assert.equal(await (await introspect(ann.accessToken)).text(), '{"active":false}');
  });

  it("refuses everybody else with 401, however broken the credentials are", async () => {
    const encoded = basic.slice("Basic ".length);
    const headers: readonly Readonly<Record<string, string>>[] = [
      {},
      { authorization: `Bearer ${ann.accessToken}` },
      ...[
        "Basic",
        "Basic ",
        "Basic A",
        "Basic AAAAA",
        "Basic =",
        "Basic YWI===",
        "Basic !!!!",
        `Basic ${encoded}A`,
        `Basic ${encoded} x`,
        `Basic ${btoa("shop")}`,
        `Basic ${btoa("shop:")}`,
        `Basic ${btoa(":")}`,
        `Basic ${btoa("shop:wrong")}`,
        `Basic ${btoa("\xff\xfe:\xff")}`,
        `Basic ${btoa("other:wrong")}`,
        `Basic ${btoa("__proto__:x")}`,
        `Basic ${"A".repeat(4_000)}`,
      ].map((authorization) => ({ authorization })),
      { "x-admin-token": "wrong" },
    ];
    for (const each of headers)
      assert.deepEqual(
        await code(await introspect(ann.accessToken, each)),
        [401, "unauthenticated"],
        JSON.stringify(each).slice(0, 80),
      );
  });

  it("refuses an application that was switched off, and its former secret", async () => {
    const rotated = await app.admin("POST", "/api/admin/clients/shop/rotate-secret");
    const { secret }: { secret: string } = await rotated.json();
    assert.deepEqual(await code(await introspect(ann.accessToken)), [401, "unauthenticated"]);
    basic = `Basic ${btoa(`shop:${secret}`)}`;
    assert.equal((await introspect(ann.accessToken)).status, 200);
    await app.admin("PATCH", "/api/admin/clients/shop", { enabled: false });
    assert.deepEqual(await code(await introspect(ann.accessToken)), [401, "unauthenticated"]);
  });

  it("takes a form and nothing else", async () => {
    const token = ann.accessToken;
    const form = new FormData();
    form.set("token", token);
    for (const [type, body] of [
      ["application/json", JSON.stringify({ token })],
      ["text/plain", `token=${token}`],
      [undefined, form],
    ] as const) {
      const headers = { authorization: basic, ...(type === undefined ? {} : { "content-type": type }) };
      const response = await app.fetch("/api/auth/introspect", { method: "POST", headers, body });
      assert.deepEqual(await code(response), [415, "unsupported_media_type"], type);
    }
  });

  it("refuses a form without a token, or with one that is too long", async () => {
    for (const token of ["", "a".repeat(513)])
      assert.deepEqual(await code(await introspect(token)), [422, "invalid"]);
  });
});

async function issue(audience = AUDIENCE): Promise<string> {
  const response = await app.send("POST", "/api/auth/token/jwt", {
    token: ann.accessToken,
    body: { audience },
    headers: { "x-auth-client": "shop" },
  });
  assert.equal(response.headers.get("cache-control"), "no-store");
  const body = await read<{ token: string; tokenType: string; expiresIn: number }>(response, 200);
  assert.deepEqual([body.tokenType, body.expiresIn], ["Bearer", 300]);
  return body.token;
}

async function loadKeys(): Promise<JSONWebKeySet> {
  const response = await app.fetch("/api/auth/jwks");
  assert.equal(response.headers.get("cache-control"), "public, max-age=300");
  return read<JSONWebKeySet>(response, 200);
}

async function check(token: string, audience = AUDIENCE): Promise<Record<string, unknown>> {
  const { payload } = await jwtVerify(token, createLocalJWKSet(await loadKeys()), {
    issuer: "http://localhost",
    audience,
    typ: "at+jwt",
    algorithms: ["EdDSA"],
    currentDate: new Date(app.clock.now()),
  });
  return payload;
}

describe("POST /api/auth/token/jwt and GET /api/auth/jwks", () => {
  it("gives none while no address of the service is known: the Host header does not name the issuer", async () => {
    app = await createTestApp({ publicUrl: "" });
    const { accessToken } = await app.signUp("ann");
    const body = { audience: AUDIENCE };
    const answered = await app.send("POST", "/api/auth/token/jwt", { token: accessToken, body });
    assert.deepEqual(await code(answered), [503, "unavailable"]);
  });

  it("gives a token that others can check: RFC 9068, EdDSA, five minutes", async () => {
    const token = await issue();
    const { keys } = await loadKeys();
    assert.deepEqual(decodeProtectedHeader(token), { alg: "EdDSA", typ: "at+jwt", kid: keys[0]?.kid });
    const [session] = await app.auth.sessions.list(ann.user.id);
    const seconds = app.clock.now() / SECOND;
    const { jti, ...claims } = await check(token);
    assert.match(String(jti), /^jwt_/u);
    assert.deepEqual(claims, {
      iss: "http://localhost",
      aud: AUDIENCE,
      sub: ann.user.id,
      iat: seconds,
      exp: seconds + 300,
      auth_time: seconds,
      client_id: "test",
      sid: session?.id,
      amr: ["pwd"],
      acr: "aal1",
      preferred_username: "ann",
    });
    app.clock.advance(300 * SECOND);
    await assert.rejects(check(token), { code: "ERR_JWT_EXPIRED" });
  });

  it("does not count for another audience, nor as a Bearer here", async () => {
    const token = await issue();
    await assert.rejects(check(token, "https://other.example.org"), {
      code: "ERR_JWT_CLAIM_VALIDATION_FAILED",
    });
    assert.equal((await app.send("GET", "/api/auth/validate", { token })).status, 401);
  });

  it("refuses an audience that no registered application has, or one that is switched off", async () => {
    const ask = (audience: string): Promise<Response> =>
      app.send("POST", "/api/auth/token/jwt", { token: ann.accessToken, body: { audience } });
    for (const audience of ["https://other.example.org", `${AUDIENCE}/`, "shop"])
      assert.deepEqual(await code(await ask(audience)), [403, "audience_not_allowed"]);
    await app.admin("PATCH", "/api/admin/clients/shop", { enabled: false });
    assert.deepEqual(await code(await ask(AUDIENCE)), [403, "audience_not_allowed"]);
  });

  it("says so when an administrator acts in the account", async () => {
    const opened = await app.admin("POST", `/api/admin/users/${ann.user.id}/impersonate`, {
      minutes: 10,
      reason: "test",
    });
    const { accessToken }: { accessToken: string } = await opened.json();
    ann = { ...ann, accessToken };
    const claims = await check(await issue());
    assert.deepEqual([claims.act, claims.amr], [{ sub: "token" }, ["impersonation"]]);
  });

  it("shows public halves alone, and keeps the private one sealed", async () => {
    const { keys } = await loadKeys();
    const [key] = keys;
    assert.deepEqual(Object.keys(key ?? {}).sort(), ["alg", "crv", "kid", "kty", "use", "x"]);
    assert.deepEqual([key?.kty, key?.crv, key?.alg, key?.use], ["OKP", "Ed25519", "EdDSA", "sig"]);
  });

  it("makes one key, also for first calls at the same time", async () => {
    const tokens = await Promise.all([issue(), issue(), issue(), issue()]);
    assert.equal(new Set(tokens.map((token) => decodeProtectedHeader(token).kid)).size, 1);
    assert.equal((await loadKeys()).keys.length, 1);
  });

  it("signs with a new key after 90 days and shows the old one for 30 more", async () => {
    const old = decodeProtectedHeader(await issue()).kid ?? "";
    app.clock.advance(90 * DAY - SECOND);
    ann = await app.signIn(ann.user);
    assert.equal(decodeProtectedHeader(await issue()).kid, old);
    const last = await issue();
    app.clock.advance(SECOND);
    const next = decodeProtectedHeader(await issue()).kid ?? "";
    assert.notEqual(next, old);
    await check(last);
    const kids = async (): Promise<string[]> => (await loadKeys()).keys.map(({ kid }) => kid ?? "").sort();
    assert.deepEqual(await kids(), [old, next].sort());
    app.clock.advance(30 * DAY - 1);
    await app.auth.sweep();
    assert.deepEqual(await kids(), [old, next].sort());
    app.clock.advance(1);
    assert.deepEqual(await kids(), [next]);
    await app.auth.sweep();
    assert.deepEqual(await kids(), [next]);
  });

  it("goes on when the clock jumps back", async () => {
    await issue();
    app.clock.jump(-3 * DAY);
    const claims = await check(await issue());
    assert.equal(claims.exp, app.clock.now() / SECOND + 300);
  });
});
