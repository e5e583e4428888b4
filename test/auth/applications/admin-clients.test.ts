/** Registered applications over /api/admin/clients, and their secrets. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestApp, ADMIN_TOKEN, code, createTestApp } from "../app-fixture.ts";
import { findInStore } from "../store-dump.ts";
import { lastAudit, read } from "../http/admin-requests.ts";

interface Client {
  id: string;
  name: string;
  audiences: string[];
  enabled: boolean;
  version: number;
  secret: string;
}

let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

async function create(id: string, more: object = {}): Promise<Client> {
  return read(await app.admin("POST", "/api/admin/clients", { id, name: `The ${id}`, ...more }), 201);
}

async function isRight(id: string, secret: string): Promise<boolean> {
  return app.auth.clients.check(id, secret);
}

describe("applications", () => {
  it("get a secret that is shown once and kept as a hash", async () => {
    const response = await app.admin("POST", "/api/admin/clients", { id: "shop", name: "The shop" });
    assert.equal(response.headers.get("cache-control"), "no-store");
    const { secret }: Client = await read(response, 201);
    assert.match(secret, /^sec_[\w-]{43}$/u);
    assert.deepEqual(await findInStore(app.store, [secret]), []);
    const shown = await (await app.admin("GET", "/api/admin/clients/shop")).text();
    assert.ok(!shown.includes("secret"));
    assert.equal(await isRight("shop", secret), true);
    for (const wrong of ["", "sec_", `${secret}x`, secret.slice(0, -1)])
      assert.equal(await isRight("shop", wrong), false);
    assert.equal(await isRight("other", secret), false);
    assert.equal((await lastAudit(app)).action, "client.create");
  });

  it("are listed by id", async () => {
    for (const id of ["c", "a", "b"]) await create(id);
    const first: { items: Client[]; nextCursor: string } = await read(
      await app.admin("GET", "/api/admin/clients?limit=2"),
      200,
    );
    const rest: { items: Client[] } = await read(
      await app.admin("GET", `/api/admin/clients?limit=2&cursor=${first.nextCursor}`),
      200,
    );
    assert.deepEqual(
      [...first.items, ...rest.items].map(({ id }) => id),
      ["a", "b", "c"],
    );
  });

  it("have ids of their own, in the form of X-Auth-Client", async () => {
    await create("shop");
    const make = async (fields: object): Promise<[number, string]> =>
      code(await app.admin("POST", "/api/admin/clients", { name: "Another", ...fields }));
    assert.deepEqual(await make({ id: "shop" }), [409, "already_exists"]);
    for (const id of ["unknown", "invalid", "Shop", "", "-a"])
      assert.deepEqual(await make({ id }), [422, "invalid"]);
    assert.deepEqual(await make({ id: "x", audiences: ["with space"] }), [422, "invalid"]);
    assert.deepEqual(await make({ id: "x", name: "two\nlines" }), [422, "invalid"]);
  });

  it("are changed with an entity tag, and switched off", async () => {
    const { secret } = await create("shop");
    const send = (body: object, tag: string): Promise<Response> =>
      app.send("PATCH", "/api/admin/clients/shop", {
        body,
        headers: { "x-admin-token": ADMIN_TOKEN, "if-match": tag },
      });
    const changed = await send({ audiences: ["https://shop.example.org"] }, '"1"');
    assert.equal(changed.headers.get("etag"), '"2"');
    assert.deepEqual((await read<Client>(changed, 200)).audiences, ["https://shop.example.org"]);
    assert.deepEqual((await lastAudit(app)).changes, ["audiences"]);
    assert.deepEqual(await code(await send({ name: "Late" }, '"1"')), [412, "version_conflict"]);
    await app.admin("PATCH", "/api/admin/clients/shop", { enabled: false });
    assert.equal(await isRight("shop", secret), false);
  });

  it("get new secrets, and go", async () => {
    const { secret } = await create("shop");
    const rotated = await app.admin("POST", "/api/admin/clients/shop/rotate-secret");
    assert.equal(rotated.headers.get("cache-control"), "no-store");
    const next: Client = await read(rotated, 200);
    assert.deepEqual([await isRight("shop", secret), await isRight("shop", next.secret)], [false, true]);
    assert.equal((await app.admin("DELETE", "/api/admin/clients/shop")).status, 204);
    assert.equal(await isRight("shop", next.secret), false);
    assert.deepEqual(await code(await app.admin("GET", "/api/admin/clients/shop")), [404, "not_found"]);
    assert.equal((await lastAudit(app)).action, "client.delete");
  });
});
