/**
 * Applications with key pairs (private_key_jwt) and without a user (client_credentials), by the modules of the OpenID
 * Foundation's plans oidcc-test-plan, fapi1-advanced-final-test-plan and fapi2-security-profile-final-test-plan that
 * are about those. Each test has its module's name; docs/notes/openid-conformance.md lists those that do not apply, and why.
 */
import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";
import { exportJWK, generateKeyPair } from "jose";
import * as oauth from "oauth4webapi";
import { type Party, type Suite, ISSUER, openSuite } from "./suite.ts";

type Claims = Record<string, oauth.JsonValue | undefined>;

let suite: Suite;
let party: Party;
/** What a module changes of the assertion. */
let change: (claims: Claims) => void;

before(async () => {
  suite = await openSuite();
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  party = await suite.register("signer", {
    fields: {
      tokenEndpointAuthMethod: "private_key_jwt",
      jwks: { keys: [{ ...(await exportJWK(publicKey)), kid: "k1", alg: "ES256" }] },
      machineScopes: ["users:read"],
    },
    authenticate: () =>
      oauth.PrivateKeyJwt(
        { key: privateKey, kid: "k1" },
        { [oauth.modifyAssertion]: (_header, claims) => change(claims) },
      ),
  });
});
beforeEach(() => {
  change = () => undefined;
});

const nowSeconds = (): number => Math.floor(suite.center.clock.now() / 1_000);
const enter = async () => party.enter(await suite.openBrowser());

async function refusesAtTokenEndpoint(): Promise<void> {
  const { callback } = await suite.travel(await suite.openBrowser(), party.toRequest());
  await assert.rejects(party.redeem(callback ?? assert.fail("No answer")), { error: "invalid_client" });
}

/** How assertions are made worse; the same at both endpoints. */
const wrong: Readonly<Record<string, (claims: Claims) => void>> = {
  "wrong-aud": (claims) => (claims["aud"] = "https://elsewhere.example"),
  "wrong-iss": (claims) => (claims["iss"] = "someone-else"),
  "wrong-sub": (claims) => (claims["sub"] = "someone-else"),
};

describe("private_key_jwt at the token endpoint", () => {
  it("oidcc-ensure-client-assertion-with-iss-aud-succeeds", async () => {
    change = (claims) => assert.equal(claims["aud"], ISSUER);
    const tokens = await enter();
    assert.equal((await party.readUserinfo(tokens)).sub, tokens.claims.sub);
  });

  it("fapi1-advanced-final-ensure-client-assertion-in-token-endpoint", async () => {
    const { callback } = await suite.travel(await suite.openBrowser(), party.toRequest());
    const response = await suite.center.fetch("/oauth/token", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code: callback?.searchParams.get("code") ?? assert.fail("No code"),
        client_id: party.id,
      }).toString(),
    });
    const { error }: { error: string } = await response.json();
    assert.deepEqual([response.status, error], [401, "invalid_client"]);
  });

  it("fapi1-advanced-final-ensure-client-assertion-with-exp-is-5-minutes-in-past-fails", async () => {
    change = (claims) => (claims["exp"] = nowSeconds() - 300);
    await refusesAtTokenEndpoint();
  });

  it("fapi1-advanced-final-ensure-client-assertion-with-no-sub-fails", async () => {
    change = (claims) => delete claims["sub"];
    await refusesAtTokenEndpoint();
  });

  for (const [name, worsen] of Object.entries(wrong))
    it(`fapi1-advanced-final-ensure-client-assertion-with-${name}-fails`, async () => {
      change = worsen;
      await refusesAtTokenEndpoint();
    });

  it("fapi1-advanced-final-test-array-as-audience-for-client-JWT-assertion (refused)", async () => {
    // Another audience could show the assertion here: draft-ietf-oauth-rfc7523bis wants one.
    change = (claims) => (claims["aud"] = [ISSUER, "https://elsewhere.example"]);
    await refusesAtTokenEndpoint();
  });
});

describe("private_key_jwt at the endpoint of pushed requests", () => {
  for (const [name, path] of [
    [
      "fapi1-advanced-final-par-test-pushed-authorization-url-as-audience-for-client-JWT-assertion",
      "/oauth/par",
    ],
    ["fapi1-advanced-final-par-token-endpoint-url-as-audience-for-client-JWT-assertion", "/oauth/token"],
  ] as const)
    it(name, async () => {
      change = (claims) => (claims["aud"] = ISSUER + path);
      assert.match(await party.push(), /^urn:ietf:params:oauth:request_uri:/u);
    });

  for (const [name, worsen] of Object.entries(wrong))
    it(`fapi1-advanced-final-par-ensure-client-assertion-with-${name}-fails`, async () => {
      change = worsen;
      await assert.rejects(party.push(), { error: "invalid_client" });
    });

  const inFuture = (seconds: number) => (claims: Claims) => {
    const at = nowSeconds() + seconds;
    Object.assign(claims, { iat: at, nbf: at, exp: at + 60 });
  };

  it("fapi2-security-profile-final-par-ensure-jwt-client-assertions-nbf-8-seconds-in-the-future-is-accepted", async () => {
    change = inFuture(8);
    assert.match(await party.push(), /^urn:ietf:params:oauth:request_uri:/u);
  });

  it("fapi2-security-profile-final-par-ensure-jwt-client-assertions-nbf-over-60-seconds-in-the-future-fails", async () => {
    change = inFuture(65);
    await assert.rejects(party.push(), { error: "invalid_client" });
  });
});

describe("client_credentials", () => {
  const administer = (authorization: string) =>
    suite.center.fetch("/api/admin/users", { headers: { authorization } });

  it("fapi2-security-profile-final-happy-flow", async () => {
    const tokens = await party.grant("users:read");
    assert.deepEqual(
      [tokens.scope, tokens.refresh_token, tokens.id_token],
      ["users:read", undefined, undefined],
    );
    assert.equal((await administer(`Bearer ${tokens.access_token}`)).status, 200);
    await assert.rejects(party.grant("audit:read"), { error: "invalid_scope" });
  });

  it("fapi2-security-profile-final-access-token-type-header-case-sensitivity", async () => {
    const { access_token: token } = await party.grant("users:read");
    assert.equal((await administer(`bEaReR ${token}`)).status, 200);
  });
});
