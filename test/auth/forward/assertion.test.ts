/** The signed header beside the plain ones: what it says, whom it is for, and how long. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type JWTPayload, createLocalJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import { type SignedIn, type TestApp, createTestApp } from "../app-fixture.ts";
import { read } from "../http/admin-requests.ts";
import { CENTER, type ProxiedSite, createSite, enter, openCenter } from "./proxied-site.ts";

const NOTES = "https://notes.example";
const WIKI = "https://wiki.example";
const forwarded = { "x-forwarded-proto": "https", "x-forwarded-host": "notes.example", accept: "*/*" };

let app: TestApp;
let ann: SignedIn;
let site: ProxiedSite;

beforeEach(async () => {
  app = await createTestApp({ publicUrl: CENTER });
  ann = await app.signUp("ann", { displayName: "Zoë 王" });
  await app.admin("POST", "/api/admin/groups", { id: "family", title: "Family" });
  for (const [id, origin] of [
    ["notes", NOTES],
    ["wiki", WIKI],
  ])
    await read(
      await app.admin("POST", "/api/admin/clients", { id, name: id, protectedOrigins: [origin] }),
      201,
    );
  site = createSite(app, { origin: NOTES });
  await enter({ center: await openCenter(app, ann), site }, "/");
});

async function ask(at = site, headers: Record<string, string> = {}): Promise<Headers> {
  const answer = await at.ask("/", { "sec-fetch-mode": "cors", ...headers });
  assert.equal(answer.status, 204);
  return answer.headers;
}

const tokenOf = async (at = site): Promise<string> => (await ask(at)).get("x-auth-assertion") ?? "";

/** As an application checks it, by the published keys. */
async function check(token: string, audience = "notes", typ = "auth-assertion+jwt"): Promise<JWTPayload> {
  const keys = createLocalJWKSet(await read(await app.raw("/api/auth/jwks"), 200));
  const currentDate = new Date(app.clock.now());
  return (await jwtVerify(token, keys, { issuer: CENTER, audience, typ, currentDate })).payload;
}

describe("X-Auth-Assertion", () => {
  it("says what the plain headers say, signed for the application for a minute", async () => {
    await app.admin("PUT", `/api/admin/groups/family/members/${ann.user.id}`);
    const headers = await ask(site, { "x-auth-assertion": "forged" });
    const token = headers.get("x-auth-assertion") ?? "";
    const { iat = 0, exp, auth_time, ...claims } = await check(token);
    assert.deepEqual(claims, {
      iss: CENTER,
      sub: ann.user.id,
      aud: "notes",
      sid: headers.get("x-auth-session-id"),
      preferred_username: "ann",
      name: "Zoë 王",
      email: "ann@example.org",
      email_verified: true,
      role: "user",
      groups: ["family"],
      amr: ["pwd"],
      acr: "aal1",
    });
    assert.deepEqual([exp, typeof auth_time], [iat + 60, "number"]);
    assert.equal(decodeProtectedHeader(token).alg, "ES256");
  });

  it("is for one application, and is no ID token, access token or hint at the sign-out", async () => {
    const token = await tokenOf();
    await assert.rejects(check(token, "wiki"), /"aud"/u);
    await assert.rejects(check(token, "notes", "JWT"), /"typ"/u);
    for (const path of ["/api/auth/me", "/oauth/userinfo", "/api/auth/forward/notes"])
      assert.equal((await app.send("GET", path, { token, headers: forwarded })).status, 401, path);
    const query = new URLSearchParams({ id_token_hint: token }).toString();
    assert.equal((await app.raw(`/oauth/logout?${query}`, { headers: { accept: "*/*" } })).status, 400);
    app.clock.advance(61_000);
    await assert.rejects(check(token), /"exp"/u);
  });

  it("is signed once in 20 s, and again for another application or as soon as something changes", async () => {
    const first = await tokenOf();
    assert.equal(await tokenOf(), first);
    const wiki = createSite(app, { origin: WIKI });
    await enter({ center: await openCenter(app, ann), site: wiki }, "/");
    assert.notEqual(await tokenOf(wiki), first);
    app.clock.advance(19_000);
    assert.equal(await tokenOf(), first);
    app.clock.advance(1_000);
    const second = await tokenOf();
    assert.notEqual(second, first);
    await app.admin("PUT", `/api/admin/groups/family/members/${ann.user.id}`);
    const third = await tokenOf();
    assert.deepEqual((await check(third))["groups"], ["family"]);
    assert.equal(await tokenOf(), third);
  });

  it("names the administrator who acts in the account", async () => {
    const { accessToken } = await read<{ accessToken: string }>(
      await app.admin("POST", `/api/admin/users/${ann.user.id}/impersonate`, {
        minutes: 10,
        reason: "Asked for help",
      }),
      200,
    );
    const headers = { authorization: `Bearer ${accessToken}` };
    const other = createSite(app, { origin: NOTES });
    const answer = await ask(other, headers);
    assert.deepEqual((await check(answer.get("x-auth-assertion") ?? ""))["act"], { sub: "token" });
    assert.equal(answer.get("x-auth-impersonated-by"), "token");
  });

  it("does not come with a refusal", async () => {
    const other = createSite(app, { origin: NOTES });
    assert.equal((await other.ask("/", { "sec-fetch-mode": "cors" })).headers.get("x-auth-assertion"), null);
  });
});
