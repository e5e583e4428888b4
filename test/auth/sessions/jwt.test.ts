/** JWTs for an audience, and the keys to check them with. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import {
  SignJWT,
  createLocalJWKSet,
  decodeProtectedHeader,
  generateKeyPair,
  jwtVerify,
  type JSONWebKeySet,
} from "jose";
import { type SignedIn, type TestApp, code, createTestApp } from "../app-fixture.ts";
import { createJwts } from "../../../src/auth/sessions/jwt.ts";
import { StoreError } from "../../../src/store/store.ts";
import { createSigningKeys } from "../../../src/auth/signing-keys/signing-keys.ts";
import { lastAudit, read } from "../http/admin-requests.ts";

const SECOND = 1_000;
const DAY = 86_400 * SECOND;
const AUDIENCE = "https://shop.example.org";

let app: TestApp;
let ann: SignedIn;

beforeEach(async () => {
  app = await createTestApp();
  ann = await app.signUp("ann");
  await app.admin("POST", "/api/admin/clients", { id: "shop", name: "Shop", audiences: [AUDIENCE] });
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
    const { kid } = keys.find(({ alg }) => alg === "EdDSA") ?? {};
    assert.deepEqual(decodeProtectedHeader(token), { alg: "EdDSA", typ: "at+jwt", kid });
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
    const shown = keys.map(({ kid: _kid, ...key }) => [
      key["alg"],
      Object.keys(key).sort().join(" "),
      key["use"],
    ]);
    assert.deepEqual(
      shown.toSorted(([one = ""], [other = ""]) => (one < other ? -1 : 1)),
      [
        ["ES256", "alg crv kty use x y", "sig"],
        ["EdDSA", "alg crv kty use x", "sig"],
        ["RS256", "alg e kty n use", "sig"],
      ],
    );
  });

  it("creates one key of a kind, also for concurrent first calls", async () => {
    const tokens = await Promise.all([issue(), issue(), issue(), issue()]);
    assert.equal(new Set(tokens.map((token) => decodeProtectedHeader(token).kid)).size, 1);
    await Promise.all([loadKeys(), loadKeys()]);
    assert.equal((await loadKeys()).keys.length, 3);
  });

  it("publishes the next key before it signs, and once though two nodes make it", async () => {
    const { kid = "" } = decodeProtectedHeader(await issue());
    app.clock.advance(89 * DAY);
    ann = await app.signIn(ann.user);
    const other = createSigningKeys({ ...app.auth });
    await Promise.all([app.auth.signingKeys.complete(), other.complete()]);
    const next = (await loadKeys()).keys.filter(({ alg }) => alg === "EdDSA").map((key) => key.kid ?? "");
    assert.equal(next.length, 2);
    assert.equal(decodeProtectedHeader(await issue()).kid, kid);
    app.clock.advance(DAY);
    ann = await app.signIn(ann.user);
    const signing = decodeProtectedHeader(await issue()).kid ?? "";
    assert.ok(signing !== kid && next.includes(signing), "the key that was published before signs");
  });

  it("signs with new keys ten minutes after an administrator rotates, and forgets the old ones when told", async () => {
    const rotate = (body: object): Promise<Response> =>
      app.admin("POST", "/api/admin/signing-keys/rotate", body);
    const first = await issue();
    const { kid } = decodeProtectedHeader(first);
    assert.equal((await rotate({})).status, 200);
    assert.deepEqual(await code(await rotate({})), [409, "conflict"]);
    assert.equal(decodeProtectedHeader(await issue()).kid, kid);
    app.clock.advance(600 * SECOND);
    const second = await issue();
    assert.notEqual(decodeProtectedHeader(second).kid, kid);
    await check(second);
    assert.equal((await loadKeys()).keys.length, 4);
    assert.equal((await rotate({ withdraw: true })).status, 200);
    assert.equal((await lastAudit(app)).action, "signing-keys.rotate");
    for (const old of [first, second]) await assert.rejects(check(old), { code: "ERR_JWKS_NO_MATCHING_KEY" });
    await check(await issue());
    const { items }: { items: object[] } = await (await app.admin("GET", "/api/admin/signing-keys")).json();
    assert.equal(items.length, 3);
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
    const kids = async (): Promise<string[]> =>
      (await loadKeys()).keys
        .filter(({ alg }) => alg === "EdDSA")
        .map(({ kid }) => kid ?? "")
        .sort();
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

describe("reading own tokens, such as hints at the sign-out", () => {
  const issuer = "https://auth.example.org";

  it("takes old ones, and neither those of others nor those with a forgotten key", async () => {
    const [own, other] = await Promise.all([generateKeyPair("EdDSA"), generateKeyPair("EdDSA")]);
    let isAway = false;
    const jwts = createJwts({
      store: app.store,
      clock: app.clock,
      signingKeys: {
        getSigning: () => assert.fail("nothing is signed"),
        open: () => assert.fail("nothing is signed"),
        findPublic: async () => {
          if (isAway) throw new StoreError("store_unavailable", "The database is unavailable");
          return own.publicKey;
        },
      },
    });
    const sign = (key: CryptoKey, iss = issuer): Promise<string> =>
      new SignJWT({ sub: "usr_1", iss, exp: 1_000 })
        .setProtectedHeader({ alg: "EdDSA", typ: "JWT" })
        .sign(key);
    const read = (token: string) => jwts.read(token, { issuer, typ: "JWT" });
    const good = await sign(own.privateKey);
    assert.equal((await read(good))?.sub, "usr_1");
    for (const bad of [
      await sign(other.privateKey),
      await sign(own.privateKey, "https://evil.example"),
      "no",
    ])
      assert.equal(await read(bad), undefined);
    // A token that cannot be verified now is not one of someone else.
    isAway = true;
    await assert.rejects(read(good), StoreError);
  });
});
