/**
 * Responses to applications, by the modules of the OpenID Foundation's plan oidcc-basic-certification-test-plan. Each
 * test has its module's name; docs/notes/openid-conformance.md lists those that do not apply, and why.
 */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import * as oauth from "oauth4webapi";
import { type Party, type Suite, openSuite } from "./suite.ts";

let suite: Suite;
let party: Party;
before(async () => {
  suite = await openSuite();
  party = await suite.register("suite");
});

const enter = async (...rest: [Record<string, string | undefined>?, Parameters<Party["redeem"]>[1]?]) =>
  party.enter(await suite.openBrowser(), ...rest);

/** base64url of the left half of SHA-256, as at_hash is made under RS256. */
async function toHalfHash(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Buffer.from(digest.slice(0, 16)).toString("base64url");
}

describe("oidcc-basic: tokens and claims", () => {
  it("oidcc-server", async () => {
    const tokens = await enter();
    assert.equal(tokens.token_type, "bearer");
    assert.ok((tokens.expires_in ?? 0) > 0, String(tokens.expires_in));
    const { claims } = tokens;
    assert.equal(claims.at_hash, await toHalfHash(tokens.access_token));
    assert.match(claims.sub, /^[\x20-\x7e]{1,255}$/u);
    assert.equal((await party.readUserinfo(tokens)).sub, claims.sub);
  });

  it("oidcc-idtoken-signature", async () => {
    const [head = ""] = ((await enter()).id_token ?? "").split(".");
    const { alg, kid } = JSON.parse(Buffer.from(head, "base64url").toString());
    assert.deepEqual([alg, typeof kid], ["RS256", "string"]);
  });

  it("oidcc-idtoken-unsigned (not served: cannot be registered)", async () => {
    assert.ok(
      suite.as.id_token_signing_alg_values_supported?.includes("none") === false,
      "none is announced",
    );
    const { status } = await suite.center.admin("PATCH", "/api/admin/clients/suite", {
      idTokenAlgorithm: "none",
    });
    assert.equal(status, 422);
  });

  it("oidcc-userinfo-get", async () => {
    const { access_token: token, claims } = await enter();
    const headers = { authorization: `Bearer ${token}` };
    const said = await (await suite.askUserinfo({ method: "GET", headers })).json();
    assert.equal(said.sub, claims.sub);
  });

  it("oidcc-userinfo-post-header", async () => {
    const { access_token: token, claims } = await enter();
    const headers = { authorization: `Bearer ${token}` };
    const said = await (await suite.askUserinfo({ method: "POST", headers })).json();
    assert.equal(said.sub, claims.sub);
  });

  it("oidcc-userinfo-post-body", async () => {
    const { access_token: token, claims } = await enter();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const said = await suite.askUserinfo({ method: "POST", headers, body: `access_token=${token}` });
    assert.equal((await said.json()).sub, claims.sub);
  });

  it("oidcc-ensure-request-without-nonce-succeeds-for-code-flow", async () => {
    const { claims } = await enter({ nonce: undefined }, { nonce: oauth.expectNoNonce });
    assert.equal(claims.nonce, undefined);
  });

  it("oidcc-scope-profile", async () => {
    const said = await party.readUserinfo(await enter({ scope: "openid profile" }));
    assert.deepEqual([said.name, said.preferred_username, said.email], ["Ann Lee", "ann", undefined]);
    assert.equal(typeof said.zoneinfo, "string");
  });

  it("oidcc-scope-email", async () => {
    const said = await party.readUserinfo(await enter({ scope: "openid email" }));
    assert.deepEqual([said.email, said.email_verified, said.name], ["ann@example.org", true, undefined]);
  });

  for (const scope of ["address", "phone"])
    it(`oidcc-scope-${scope} (not served: there is none of it to say)`, async () => {
      assert.ok(suite.as.scopes_supported?.includes(scope) === false, `${scope} is announced`);
      const tokens = await enter({ scope: `openid ${scope}` });
      assert.equal(tokens.scope, "openid");
      assert.deepEqual(Object.keys(await party.readUserinfo(tokens)), ["sub"]);
    });

  it("oidcc-scope-all", async () => {
    const tokens = await enter({ scope: "openid profile email address phone" });
    assert.deepEqual(tokens.scope?.split(" ").toSorted(), ["email", "openid", "profile"]);
    const said = await party.readUserinfo(tokens);
    assert.deepEqual([said.name, said.email], ["Ann Lee", "ann@example.org"]);
  });

  it("oidcc-alternate-happy-flow", async () => {
    const turned = new URL(party.toRequest({ scope: "email openid" }));
    turned.search = new URLSearchParams([...turned.searchParams].toReversed()).toString();
    const { callback } = await suite.travel(await suite.openBrowser(), turned);
    const tokens = await party.redeem(callback ?? assert.fail("No answer"));
    assert.equal((await party.readUserinfo(tokens)).email, "ann@example.org");
  });

  it("oidcc-claims-essential", async () => {
    // Claims are only requested by scopes, as the metadata says: the parameter must do no harm.
    assert.equal(suite.as.claims_parameter_supported, false);
    const tokens = await enter({ claims: JSON.stringify({ userinfo: { name: { essential: true } } }) });
    assert.equal((await party.readUserinfo(tokens)).sub, tokens.claims.sub);
    assert.equal(tokens.claims["name"], undefined);
  });
});

describe("oidcc-basic: codes, secrets and renewal", () => {
  it("oidcc-codereuse", async () => {
    const { callback } = await suite.travel(await suite.openBrowser(), party.toRequest());
    const back = callback ?? assert.fail("No answer");
    await party.redeem(back);
    await assert.rejects(party.redeem(back), { error: "invalid_grant" });
  });

  it("oidcc-codereuse-30seconds", async () => {
    const { callback } = await suite.travel(await suite.openBrowser(), party.toRequest());
    const back = callback ?? assert.fail("No answer");
    const tokens = await party.redeem(back);
    suite.center.clock.advance(30_000);
    await assert.rejects(party.redeem(back), { error: "invalid_grant" });
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    assert.equal((await suite.askUserinfo({ method: "GET", headers })).status, 401);
  });

  it("oidcc-server-client-secret-post", async () => {
    const posting = await suite.register("suite-post", { authenticate: oauth.ClientSecretPost });
    const tokens = await posting.enter(await suite.openBrowser());
    assert.equal((await posting.readUserinfo(tokens)).sub, tokens.claims.sub);
  });

  it("oidcc-ensure-request-with-valid-pkce-succeeds", async () => {
    const verifier = oauth.generateRandomCodeVerifier();
    const challenge = await oauth.calculatePKCECodeChallenge(verifier);
    const asked = { code_challenge: challenge, code_challenge_method: "S256" };
    assert.equal((await enter(asked, { verifier })).claims.aud, "suite");
    await assert.rejects(enter(asked, { verifier: oauth.generateRandomCodeVerifier() }), {
      error: "invalid_grant",
    });
  });

  it("oidcc-refresh-token", async () => {
    assert.ok(suite.as.scopes_supported?.includes("offline_access"), "offline_access is not announced");
    assert.ok(suite.as.grant_types_supported?.includes("refresh_token"), "refresh_token is not announced");
    const scope = "openid offline_access";
    const first = await enter({ scope, prompt: "consent" });
    assert.match(first.refresh_token ?? "", /^[\x20-\x7e]+$/u);
    suite.center.clock.advance(60_000);
    const renewed = await party.renew(first.refresh_token ?? "");
    const claims = oauth.getValidatedIdTokenClaims(renewed);
    const { iss, sub, aud, auth_time: at, iat } = first.claims;
    assert.deepEqual([claims?.iss, claims?.sub, claims?.aud, claims?.auth_time], [iss, sub, aud, at]);
    assert.ok((claims?.iat ?? 0) >= iat + 60, "iat is not the time of the renewal");
    assert.notEqual(renewed.access_token, first.access_token);
    assert.equal((await party.readUserinfo({ ...first, ...renewed })).sub, sub);
    const second = await suite.register("suite-2");
    const browser = await suite.openBrowser();
    const nonce = oauth.generateRandomNonce();
    const others = await second.enter(browser, { scope, prompt: "consent", nonce }, { nonce });
    await assert.rejects(party.renew(others.refresh_token ?? ""), { error: "invalid_grant" });
  });
});
