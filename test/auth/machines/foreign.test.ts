/** Programs of others, unchanged: openid-client with a key of its own and with resources, and jose as a resource server. */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { createLocalJWKSet, exportJWK, generateKeyPair, jwtVerify } from "jose";
import * as client from "openid-client";
import { AUDIENCE, type Center, READ, openCenter } from "../../hostile/application-tokens.ts";
import { read } from "../http/admin-requests.ts";

const ISSUER = "http://localhost";

let center: Center;
before(async () => {
  center = await openCenter();
});

/** The center as the program reaches it. */
const fetchCenter: client.CustomFetch = (url, init) => {
  const { pathname, search } = new URL(url);
  const { method, headers, body } = init;
  return center.app.fetch(pathname + search, {
    method,
    headers,
    ...(body instanceof URLSearchParams || typeof body === "string" ? { body: String(body) } : {}),
  });
};

function discover(id: string, auth: client.ClientAuth): Promise<client.Configuration> {
  // The program goes by the time of day, the center by the test's clock.
  const skew = Math.round((center.app.clock.now() - Date.now()) / 1_000);
  return client.discovery(new URL(ISSUER), id, { [client.clockSkew]: skew }, auth, {
    [client.customFetch]: fetchCenter,
    execute: [client.allowInsecureRequests],
  });
}

describe("openid-client", () => {
  it("gets a machine's token with private_key_jwt, and asks about it", async () => {
    const { privateKey, publicKey } = await generateKeyPair("ES256");
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: "k1", alg: "ES256" }] };
    const fields = { id: "job", name: "Job", machineScopes: ["orders:read", "users:read"], jwks };
    const made = await center.app.admin("POST", "/api/admin/clients", {
      ...fields,
      tokenEndpointAuthMethod: "private_key_jwt",
    });
    await read(made, 201);
    const config = await discover("job", client.PrivateKeyJwt({ key: privateKey, kid: "k1" }));
    const tokens = await client.clientCredentialsGrant(config, { resource: "shop" });
    assert.deepEqual([tokens.scope, tokens.refresh_token], ["orders:read", undefined]);
    const told = await client.tokenIntrospection(config, tokens.access_token);
    assert.deepEqual([told.active, told.sub, told.scope], [true, "job", "orders:read"]);
    await client.tokenRevocation(config, tokens.access_token);
    assert.equal((await client.tokenIntrospection(config, tokens.access_token)).active, false);
  });

  it("narrows by resource at a renewal, and jose takes the JWT for its audience alone", async () => {
    const secret = atob(center.basic("jot").slice("Basic ".length)).slice("jot:".length);
    const config = await discover("jot", client.ClientSecretPost(secret));
    const first = await center.grant("jot", `openid ${READ}`, { resources: [AUDIENCE] });
    const renewed = await client.refreshTokenGrant(config, first.refresh_token, { resource: AUDIENCE });
    const keys = createLocalJWKSet(await (await center.app.fetch("/api/auth/jwks")).json());
    const currentDate = new Date(center.app.clock.now());
    const rules = { issuer: ISSUER, typ: "at+jwt", currentDate };
    const { payload } = await jwtVerify(renewed.access_token, keys, { ...rules, audience: AUDIENCE });
    assert.deepEqual([payload["scope"], payload["client_id"]], [`openid ${READ}`, "jot"]);
    await assert.rejects(
      jwtVerify(renewed.access_token, keys, { ...rules, audience: "https://other.example" }),
      {
        code: "ERR_JWT_CLAIM_VALIDATION_FAILED",
      },
    );
    await assert.rejects(
      client.refreshTokenGrant(config, String(renewed.refresh_token), { resource: "shop" }),
      {
        error: "invalid_target",
      },
    );
  });
});
