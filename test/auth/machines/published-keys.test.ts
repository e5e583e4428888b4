/** Keys that an application publishes at a URL (jwksUri): when it is requested, and what is rejected. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { type CryptoKey, type JWK, SignJWT, exportJWK, generateKeyPair } from "jose";
import { createOutbound } from "../../../src/kit/outbound/outbound.ts";
import { type Receiver, startReceiver } from "../../kit/outbound-receiver.ts";
import { cert } from "../../support/tls-pair.ts";
import { type TestApp, createTestApp } from "../app-fixture.ts";
import { read } from "../http/admin-requests.ts";

const ISSUER = "http://localhost";
const SECOND = 1_000;

interface Pair {
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

async function makePair(kid: string): Promise<Pair> {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: "ES256" } };
}

let app: TestApp;
let peer: Receiver;
let first: Pair;
let second: Pair;

/** The application's server: any name leads to it. */
const publish = (text: string, status = 200): void =>
  peer.answer((_request, response) => response.writeHead(status).end(text));
const publishKeys = (...keys: JWK[]): void => publish(JSON.stringify({ keys }));

async function open(options: { allowPrivate?: boolean; timeoutMs?: number } = {}): Promise<void> {
  app = await createTestApp({
    outbound: createOutbound({
      allowPrivate: options.allowPrivate ?? true,
      privateRemedy: "set UPSTREAM_PRIVATE=1",
      userAgent: "Trivet/test",
      lookup: () => Promise.resolve(["127.0.0.1"]),
      timeoutMs: options.timeoutMs ?? 30_000,
      ca: cert,
    }),
  });
  const fields = { id: "job", name: "Job", machineScopes: ["users:read"], jwksUri: `${peer.origin}/jwks` };
  const signer = { ...fields, tokenEndpointAuthMethod: "private_key_jwt" };
  await read(await app.admin("POST", "/api/admin/clients", signer), 201);
}

let counter = 0;
/** Asks for a token with what the key signed; the answer's status. */
async function ask({ privateKey, jwk }: Pair): Promise<number> {
  counter += 1;
  const now = Math.floor(app.clock.now() / 1_000);
  const claims = { iss: "job", sub: "job", aud: ISSUER, jti: `j${counter}`, iat: now, exp: now + 60 };
  const client_assertion = await new SignJWT(claims)
    .setProtectedHeader({ alg: "ES256", kid: jwk.kid ?? "" })
    .sign(privateKey);
  const client_assertion_type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
  const fields = { grant_type: "client_credentials", client_assertion_type, client_assertion };
  const response = await app.fetch("/oauth/token", {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  });
  const { error }: { error?: string } = await response.json();
  assert.equal(error, response.status === 200 ? undefined : "invalid_client");
  return response.status;
}

beforeEach(async () => {
  peer = await startReceiver({ tls: true });
  [first, second] = await Promise.all([makePair("k1"), makePair("k2")]);
  publishKeys(first.jwk);
});
afterEach(() => peer.close());

describe("keys at an address", () => {
  it("are read once for all who wait, and kept for ten minutes", async () => {
    await open();
    assert.deepEqual(await Promise.all([ask(first), ask(first), ask(first)]), [200, 200, 200]);
    app.clock.advance(599 * SECOND);
    assert.equal(await ask(first), 200);
    assert.deepEqual(
      peer.requests.map(({ method, url }) => `${method} ${url}`),
      ["GET /jwks"],
    );
    app.clock.advance(2 * SECOND);
    assert.equal(await ask(first), 200);
    assert.equal(peer.requests.length, 2);
  });

  it("are read again for a key that is not among them, at most twice a minute", async () => {
    await open();
    assert.equal(await ask(first), 200);
    publishKeys(second.jwk);
    assert.equal(await ask(second), 401);
    assert.equal(peer.requests.length, 1, "whoever makes keys up has the address asked for each");
    app.clock.advance(31 * SECOND);
    assert.equal(await ask(second), 200);
    assert.equal(await ask(first), 401, "a key that was taken away still counts");
    const stranger = await makePair("k3");
    assert.deepEqual(await Promise.all([ask(stranger), ask(stranger), ask(stranger)]), [401, 401, 401]);
    assert.equal(peer.requests.length, 2);
  });

  it("remain valid while their URL fails, and are only requested again after a while", async () => {
    await open();
    assert.equal(await ask(first), 200);
    publish("", 500);
    app.clock.advance(31 * SECOND);
    assert.equal(await ask(second), 401);
    assert.equal(await ask(first), 200, "who sends an unknown key shuts the application out");
    app.clock.advance(600 * SECOND);
    assert.deepEqual([await ask(first), await ask(first)], [401, 401]);
    assert.equal(peer.requests.length, 3, "each request asks the address that fails");
    publishKeys(first.jwk);
    app.clock.advance(31 * SECOND);
    assert.equal(await ask(first), 200);
  });

  it("are not fetched from a private address, nor by a redirect", async () => {
    await open({ allowPrivate: false });
    assert.equal(await ask(first), 401);
    assert.equal(peer.connections(), 0);
    await open();
    peer.answer((request, response) => {
      if (request.url === "/jwks") response.writeHead(302, { location: `${peer.origin}/elsewhere` }).end();
      else response.end(JSON.stringify({ keys: [first.jwk] }));
    });
    assert.equal(await ask(first), 401);
    assert.deepEqual(
      peer.requests.map(({ url }) => url),
      ["/jwks"],
    );
  });

  it("are not taken from what is too large, malformed, or never ends", async () => {
    for (const text of [
      JSON.stringify({ padding: "x".repeat(70_000), keys: [first.jwk] }),
      "<html>",
      JSON.stringify([first.jwk]),
      JSON.stringify({ keys: [7] }),
      JSON.stringify({ keys: [{ ...first.jwk, x: "AA" }] }),
    ]) {
      await open();
      publish(text);
      assert.equal(await ask(first), 401, text.slice(0, 60));
    }
    await open({ timeoutMs: 300 });
    peer.answer((_request, response) => void response.write(`{"keys":[${JSON.stringify(first.jwk)}`));
    assert.equal(await ask(first), 401);
  });
});
