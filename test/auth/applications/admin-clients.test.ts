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
  return (await app.auth.clients.authenticate(id, secret)) !== undefined;
}

describe("applications", () => {
  it("get a secret that is shown once and kept as a hash", async () => {
    const response = await app.admin("POST", "/api/admin/clients", { id: "shop", name: "The shop" });
    assert.equal(response.headers.get("cache-control"), "no-store");
    const { secret }: Client = await read(response, 201);
    assert.match(secret, /^sec_[\w-]{43}$/u);
    assert.deepEqual(await findInStore(app.store, [secret]), []);
    const shown = await (await app.admin("GET", "/api/admin/clients/shop")).text();
    assert.doesNotMatch(shown, /secretHash|"secret"/u);
    assert.equal(await isRight("shop", secret), true);
    for (const wrong of ["", "sec_", `${secret}x`, secret.slice(0, -1)])
      assert.equal(await isRight("shop", wrong), false);
    assert.equal(await isRight("other", secret), false);
    assert.equal((await lastAudit(app)).action, "client.create");
  });

  it("have no secret where they are public, and get one once they are confidential", async () => {
    const made = await create("phone", { clientType: "public" });
    assert.ok(!("secret" in made));
    const act = (path: string): Promise<Response> => app.admin("POST", `/api/admin/clients/phone/${path}`);
    for (const path of ["secrets", "rotate-secret"])
      assert.deepEqual(await code(await act(path)), [409, "conflict"]);
    await app.admin("PATCH", "/api/admin/clients/phone", { clientType: "confidential" });
    const { secret }: Client = await read(await act("rotate-secret"), 200);
    assert.equal(await isRight("phone", secret), true);
  });

  it("have two secrets at a time, until the older one is retired", async () => {
    const { secret: first } = await create("shop");
    const act = (method: string, path: string): Promise<Response> =>
      app.admin(method, `/api/admin/clients/shop/${path}`);
    assert.deepEqual(await code(await act("DELETE", "secrets/older")), [409, "conflict"]);
    const added: Client & { hasOlderSecret: boolean } = await read(await act("POST", "secrets"), 200);
    const { secret: second } = added;
    assert.match(second, /^[\w-]{47}$/u);
    assert.deepEqual([added.hasOlderSecret, added.version], [true, 2]);
    assert.equal((await lastAudit(app)).action, "client.add-secret");
    assert.deepEqual([await isRight("shop", first), await isRight("shop", second)], [true, true]);
    assert.equal(await isRight("shop", "0".repeat(64)), false);
    assert.deepEqual(await code(await act("POST", "secrets")), [409, "conflict"]);
    assert.deepEqual(await findInStore(app.store, [first, second]), []);
    assert.equal((await act("DELETE", "secrets/older")).status, 200);
    assert.equal((await lastAudit(app)).action, "client.retire-secret");
    assert.deepEqual([await isRight("shop", first), await isRight("shop", second)], [false, true]);
    await act("POST", "secrets");
    const { secret: last }: Client = await read(await act("POST", "rotate-secret"), 200);
    assert.deepEqual([await isRight("shop", second), await isRight("shop", last)], [false, true]);
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

  it("have ids of their own, whose case counts", async () => {
    await create("shop");
    const make = async (fields: object): Promise<[number, string]> =>
      code(await app.admin("POST", "/api/admin/clients", { name: "Another", ...fields }));
    assert.deepEqual(await make({ id: "shop" }), [409, "already_exists"]);
    for (const id of ["unknown", "invalid", "with space", "", "-a"])
      assert.deepEqual(await make({ id }), [422, "invalid"]);
    // Another one: case counts.
    assert.equal((await create("Shop")).id, "Shop");
    assert.deepEqual(await make({ id: "x", audiences: ["with space"] }), [422, "invalid"]);
    assert.deepEqual(await make({ id: "x", name: "two\nlines" }), [422, "invalid"]);
  });

  it("have exact addresses and their own origins, and only groups that there are", async () => {
    const make = (fields: object): Promise<Response> =>
      app.admin("POST", "/api/admin/clients", { id: "notes", name: "Notes", ...fields });
    for (const redirectUri of [
      "/callback",
      "https://a.example/#x",
      "javascript:alert(1)",
      "https://u@a.example/",
    ])
      assert.deepEqual(
        await code(await make({ redirectUris: [redirectUri] })),
        [422, "invalid"],
        redirectUri,
      );
    for (const origin of [
      "notes.example",
      "https://notes.example/",
      "https://Notes.example",
      "https://a.example:443",
    ])
      assert.deepEqual(await code(await make({ protectedOrigins: [origin] })), [422, "invalid"], origin);
    for (const backchannelLogoutUri of [
      "http://notes.example/bye",
      "http://8.8.8.8/bye",
      "http://[2606:4700::1111]/bye",
      "https://notes.example/bye#x",
      "app.notes:/bye",
    ])
      assert.deepEqual(
        await code(await make({ backchannelLogoutUri })),
        [422, "invalid"],
        backchannelLogoutUri,
      );
    for (const host of ["localhost:9000", "nextcloud", "nas.local", "192.168.1.4", "[::1]:9000"]) {
      const backchannelLogoutUri = `http://${host}/bye`;
      assert.equal((await make({ id: "local", backchannelLogoutUri })).status, 201, host);
      await app.admin("DELETE", "/api/admin/clients/local");
    }
    for (const refused of [{ allowedGroups: ["nobody"] }, { protectedOrigins: ["http://localhost"] }]) {
      const response = await make(refused);
      assert.match(await response.clone().text(), /"pointer":"\/(?:allowedGroups|protectedOrigins)\/0"/u);
      assert.deepEqual(await code(response), [422, "invalid"]);
    }
    const fields = {
      redirectUris: ["https://notes.example/callback?x=1", "app.notes:///callback"],
      protectedOrigins: ["https://notes.example", "http://localhost:9000"],
    };
    const made: object = await read(await make(fields), 201);
    assert.deepEqual({ ...made, ...fields }, made);
    const other = await make({ id: "wiki", protectedOrigins: ["https://notes.example"] });
    assert.deepEqual(await code(other), [422, "invalid"]);
    await app.admin("PATCH", "/api/admin/clients/notes", { protectedOrigins: ["http://localhost:9000"] });
    await create("wiki", { protectedOrigins: ["https://notes.example"] });
    await app.admin("DELETE", "/api/admin/clients/notes");
    await create("third", { protectedOrigins: ["http://localhost:9000"] });
  });

  it("have JWTs made only for members of the groups that they name", async () => {
    const ann = await app.signUp("ann");
    await app.admin("POST", "/api/admin/groups", { id: "family", title: "Family" });
    await create("wiki", { audiences: ["https://wiki.example"], allowedGroups: ["family"] });
    const ask = (): Promise<Response> =>
      app.send("POST", "/api/auth/token/jwt", {
        token: ann.accessToken,
        body: { audience: "https://wiki.example" },
      });
    assert.deepEqual(await code(await ask()), [403, "audience_not_allowed"]);
    await app.admin("PUT", `/api/admin/groups/family/members/${ann.user.id}`);
    assert.equal((await ask()).status, 200);
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
