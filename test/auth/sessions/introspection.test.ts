/** Introspection: what applications learn of a token. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type SignedIn, type TestApp, ADMIN_TOKEN, code, createTestApp } from "../app-fixture.ts";
import { read } from "../http/admin-requests.ts";

const SECOND = 1_000;

let app: TestApp;
let ann: SignedIn;
let basic = "";

beforeEach(async () => {
  app = await createTestApp();
  ann = await app.signUp("ann");
  const created = await app.admin("POST", "/api/admin/clients", { id: "shop", name: "Shop" });
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
      iss: "http://localhost",
      aud: "http://localhost",
      exp: nowSeconds + 900,
      iat: nowSeconds,
      auth_time: nowSeconds,
      amr: ["pwd"],
      acr: "aal1",
    });
  });

  it("takes the application's secret in the form, and none of a public application", async () => {
    const secret = atob(basic.slice("Basic ".length)).slice("shop:".length);
    const ask = (fields: Record<string, string>): Promise<Response> =>
      app.fetch("/api/auth/introspect", {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ token: ann.accessToken, ...fields }).toString(),
      });
    assert.equal((await ask({ client_id: "shop", client_secret: secret })).status, 200);
    assert.equal((await ask({ client_id: "shop" })).status, 401);
    await app.admin("PATCH", "/api/admin/clients/shop", { clientType: "public" });
    assert.equal((await ask({ client_id: "shop" })).status, 401);
  });

  it("takes the administrator token instead", async () => {
    const response = await introspect(ann.accessToken, { "x-admin-token": ADMIN_TOKEN });
    assert.equal((await read<{ active: boolean }>(response, 200)).active, true);
  });

  it('says exactly {"active":false} of everything else', async () => {
    const old = await app.signIn(ann.user);
    await app.send("POST", "/api/auth/revoke", { body: { token: old.accessToken } });
    const random = `acc_${Buffer.alloc(32).toString("base64url")}`;
    for (const token of [
      old.accessToken,
      ann.refreshToken,
      random,
      "x",
      "👍",
      "a".repeat(512),
      "eyJhbGciOiJub25lIn0.e30.",
    ]) {
      const response = await introspect(token);
      assert.equal(response.status, 200);
      assert.equal(await response.text(), '{"active":false}', token);
    }
    app.clock.advance(900 * SECOND);
    assert.equal(await (await introspect(ann.accessToken)).text(), '{"active":false}');
  });

  it("rejects everyone else with 401, however broken the credentials are", async () => {
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
    for (const token of ["", "a".repeat(8_193)])
      assert.deepEqual(await code(await introspect(token)), [422, "invalid"]);
  });
});
