/** Applications in their own name: tokens without a person, and keys instead of secrets. */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { type CryptoKey, type JWTPayload, SignJWT, exportJWK, generateKeyPair } from "jose";
import { type TestApp, createTestApp } from "../app-fixture.ts";
import { read } from "../http/admin-requests.ts";

const ISSUER = "http://localhost";
const ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

let app: TestApp;
let secret = "";
let keys: { privateKey: CryptoKey; publicKey: CryptoKey };

before(async () => {
  app = await createTestApp();
  keys = await generateKeyPair("ES256");
  const robot = { id: "robot", name: "Robot", machineScopes: ["orders:write", "servers:read", "users:read"] };
  ({ secret } = await read<{ secret: string }>(await app.admin("POST", "/api/admin/clients", robot), 201));
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: "k1", alg: "ES256" };
  const signer = { id: "signer", name: "Signer", machineScopes: ["users:read"] };
  const fields = { ...signer, tokenEndpointAuthMethod: "private_key_jwt", jwks: { keys: [jwk] } };
  await read(await app.admin("POST", "/api/admin/clients", fields), 201);
});

type Told = Record<string, unknown>;

function post(path: string, fields: Record<string, string>, basic?: string): Promise<Response> {
  return app.fetch(path, {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      ...(basic === undefined ? {} : { authorization: `Basic ${btoa(basic)}` }),
    },
    body: new URLSearchParams(fields).toString(),
  });
}

const grant = (fields: Record<string, string> = {}): Promise<Response> =>
  post("/oauth/token", { grant_type: "client_credentials", ...fields }, `robot:${secret}`);

async function give(fields: Record<string, string> = {}): Promise<string> {
  const { access_token: token } = await read<{ access_token: string }>(await grant(fields), 200);
  return token;
}

describe("client_credentials", () => {
  it("gives a token without a person and without a renewal, with what the administrator allowed", async () => {
    const answer = await read<Told>(await grant(), 200);
    const { access_token: token, ...rest } = answer;
    assert.deepEqual(rest, {
      token_type: "Bearer",
      expires_in: 900,
      scope: "orders:write servers:read users:read",
    });
    const told = await read<Told>(
      await post("/api/auth/introspect", { token: String(token) }, `robot:${secret}`),
      200,
    );
    assert.deepEqual(
      { sub: told["sub"], client_id: told["client_id"], aud: told["aud"], username: told["username"] },
      { sub: "robot", client_id: "robot", aud: ["http://localhost", "shop", "monitor"], username: undefined },
    );
  });

  it("narrows by scope and resource, and widens nothing", async () => {
    assert.equal((await read<Told>(await grant({ scope: "orders:read" }), 200))["scope"], "orders:read");
    assert.equal((await read<Told>(await grant({ resource: "monitor" }), 200))["scope"], "servers:read");
    for (const [fields, error] of [
      [{ scope: "orders:read audit:read" }, "invalid_scope"],
      [{ scope: "openid" }, "invalid_scope"],
      [{ resource: "https://nobody.example" }, "invalid_target"],
      [{ resource: "shop", scope: "users:read" }, "invalid_target"],
    ] as const) {
      const refused = await grant({ ...fields });
      const told: Told = await refused.json();
      assert.deepEqual([refused.status, told["error"]], [400, error], JSON.stringify(fields));
      assert.ok(String(told["error_description"]).length > 20);
    }
  });

  it("is refused to a public application, and to one without machineScopes", async () => {
    await read(
      await app.admin("POST", "/api/admin/clients", { id: "spa", name: "S", clientType: "public" }),
      201,
    );
    const plain = await read<{ secret: string }>(
      await app.admin("POST", "/api/admin/clients", { id: "plain", name: "P" }),
      201,
    );
    const asked = { grant_type: "client_credentials" };
    for (const response of [
      await post("/oauth/token", { ...asked, client_id: "spa" }),
      await post("/oauth/token", asked, `plain:${plain.secret}`),
    ])
      assert.equal((await read<Told>(response, 400))["error"], "unauthorized_client");
  });

  it("opens the administration of the center by scope, in the application's name, and nothing else", async () => {
    const token = await give();
    assert.equal((await app.send("GET", "/api/admin/users", { token })).status, 200);
    for (const [method, path] of [
      ["GET", "/api/admin/audit"],
      ["GET", "/api/admin/clients"],
      ["POST", "/api/admin/users"],
    ] as const) {
      const refused = await app.send(method, path, { token, ...(method === "POST" && { body: {} }) });
      assert.equal((await read<Told>(refused, 403))["code"], "insufficient_scope", path);
    }
    for (const path of ["/api/auth/me", "/api/auth/validate", "/oauth/userinfo", "/api/auth/sessions"])
      assert.equal((await app.send("GET", path, { token })).status, 401, path);
  });

  it("ends with the application, its scopes, its time, and by its own word", async () => {
    const change = (body: object): Promise<Response> => app.admin("PATCH", "/api/admin/clients/robot", body);
    const isOpen = async (token: string): Promise<boolean> =>
      (await app.send("GET", "/api/admin/users", { token })).status === 200;
    const token = await give();
    await read(await change({ enabled: false }), 200);
    assert.equal(await isOpen(token), false);
    await read(await change({ enabled: true, machineScopes: ["orders:write"] }), 200);
    assert.equal(await isOpen(token), false);
    await read(await change({ machineScopes: ["orders:write", "servers:read", "users:read"] }), 200);
    assert.equal(await isOpen(token), true);
    assert.equal((await post("/oauth/revoke", { token }, `robot:${secret}`)).status, 200);
    assert.equal(await isOpen(token), false);
    const late = await give();
    app.clock.advance(900_000);
    assert.equal(await isOpen(late), false);
    await app.auth.sweep();
    assert.equal(await isOpen(late), false);
  });
});

describe("private_key_jwt", () => {
  let counter = 0;
  async function sign(
    change: JWTPayload = {},
    key: CryptoKey | Uint8Array = keys.privateKey,
  ): Promise<string> {
    counter += 1;
    const now = Math.floor(app.clock.now() / 1_000);
    const claims = { iss: "signer", sub: "signer", aud: ISSUER, jti: `j${counter}`, iat: now, exp: now + 60 };
    const alg = key instanceof Uint8Array ? "HS256" : "ES256";
    return new SignJWT({ ...claims, ...change }).setProtectedHeader({ alg, kid: "k1" }).sign(key);
  }
  const ask = async (assertion: string, more: Record<string, string> = {}): Promise<Response> =>
    post("/oauth/token", {
      grant_type: "client_credentials",
      client_assertion_type: ASSERTION,
      client_assertion: assertion,
      ...more,
    });

  it("proves who an application is, by issuer or endpoint as its audience", async () => {
    for (const aud of [ISSUER, `${ISSUER}/oauth/token`, [ISSUER]])
      assert.equal((await ask(await sign({ aud }))).status, 200, String(aud));
    assert.equal((await ask(await sign(), { client_id: "signer" })).status, 200);
    const told = await post("/api/auth/introspect", {
      token: "x",
      client_assertion_type: ASSERTION,
      client_assertion: await sign(),
    });
    assert.equal(told.status, 200);
  });

  it("refuses what is not signed for this center, by this key, for now", async () => {
    const now = Math.floor(app.clock.now() / 1_000);
    const other = await generateKeyPair("ES256");
    const bad: readonly [string, string][] = [
      ["another key", await sign({}, other.privateKey)],
      ["a shared secret", await sign({}, new TextEncoder().encode(secret))],
      ["another audience", await sign({ aud: "https://elsewhere.example" })],
      ["several audiences", await sign({ aud: [ISSUER, "https://elsewhere.example"] })],
      ["another issuer", await sign({ iss: "robot" })],
      ["another subject", await sign({ sub: "robot" })],
      ["over", await sign({ iat: now - 400, exp: now - 120 })],
      ["for long", await sign({ exp: now + 3_600 })],
      ["without an end", await sign({ exp: undefined })],
      ["without a name", await sign({ jti: undefined })],
      ["none", `${btoa('{"alg":"none"}')}.${btoa('{"sub":"signer","iss":"signer"}')}.`],
      ["nonsense", "x"],
      ...[["signer"], {}, 5, null].map((sub): [string, string] => [
        `a subject that is no text: ${JSON.stringify(sub)}`,
        `${btoa('{"alg":"ES256"}')}.${btoa(JSON.stringify({ sub, iss: "signer" }))}.${btoa("x")}`,
      ]),
    ];
    for (const [name, assertion] of bad) {
      const refused = await ask(assertion);
      const { error, error_description: description }: Told = await refused.json();
      assert.deepEqual([refused.status, error], [401, "invalid_client"], name);
      assert.match(String(description), /client_id|client_assertion/u, name);
    }
  });

  it("takes an assertion once, of sixteen at once too", async () => {
    const assertion = await sign();
    const answers = await Promise.all(Array.from({ length: 16 }, () => ask(assertion)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.equal(answers.filter(({ status }) => status === 401).length, 15);
  });

  it("leaves no second way: neither the secret, nor another's name beside", async () => {
    const made = await app.admin("POST", "/api/admin/clients/signer/rotate-secret");
    const { secret: own } = await read<{ secret: string }>(made, 200);
    const asked = { grant_type: "client_credentials" };
    assert.equal((await post("/oauth/token", asked, `signer:${own}`)).status, 401);
    assert.equal((await ask(await sign(), { client_id: "robot" })).status, 401);
    assert.equal((await ask(await sign(), { client_secret: own })).status, 401);
    const robots = await sign({ iss: "robot", sub: "robot" });
    assert.equal((await ask(robots)).status, 401, "robot has a secret, and no keys");
  });

  it("does not register private keys", async () => {
    const { privateKey } = await generateKeyPair("ES256", { extractable: true });
    const jwks = { keys: [await exportJWK(privateKey)] };
    const refused = await app.admin("PATCH", "/api/admin/clients/signer", { jwks });
    const { errors }: { errors: { message: string }[] } = await refused.json();
    assert.equal(refused.status, 422);
    assert.match(errors[0]?.message ?? "", /must be a public key/u);
  });
});
