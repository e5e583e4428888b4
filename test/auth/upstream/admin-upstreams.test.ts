/** Setting providers up: their secrets, their addresses, and what is refused. */
import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";
import { ADMIN_TOKEN, type TestApp, code, createTestApp } from "../app-fixture.ts";
import { findInStore } from "../store-dump.ts";
import { UPSTREAM, createPair, createUpstream } from "./providers.ts";

let made: Awaited<ReturnType<typeof createUpstream>>;
let center: TestApp;

before(async () => {
  made = await createUpstream();
});
beforeEach(async () => {
  ({ center } = await createPair(made));
});

describe("the settings of a provider", () => {
  it("keep the secret sealed, and want it again for another issuer, kind or client", async () => {
    const made2 = await center.admin("GET", "/api/admin/upstreams/other");
    const view = await made2.json();
    assert.deepEqual([view.secretSet, "secret" in view, "sealedSecret" in view], [true, false, false]);
    assert.deepEqual(await findInStore(center.store, [made.secret]), []);
    for (const change of [{ issuer: "https://evil.example" }, { clientId: "another" }, { kind: "github" }]) {
      const refused = await center.admin("PATCH", "/api/admin/upstreams/other", change);
      assert.equal(refused.status, 422, JSON.stringify(change));
      assert.equal((await refused.json()).errors[0].pointer, "/secret");
    }
    const moved = { issuer: "https://elsewhere.example", secret: "another one" };
    assert.equal((await center.admin("PATCH", "/api/admin/upstreams/other", moved)).status, 200);
    const gone = await center.admin("PATCH", "/api/admin/upstreams/other", { secret: "" });
    assert.equal((await gone.json()).secretSet, false);
  });

  it("refuse what is no provider, twice the same, and a change from an old version", async () => {
    const fields = { id: "more", title: "More", clientId: "c" };
    for (const issuer of [
      "http://login.example.com",
      "https://a:b@x.example",
      "ftp://x.example",
      "x",
      "https://x.example/#f",
    ]) {
      const refused = await center.admin("POST", "/api/admin/upstreams", { ...fields, issuer });
      assert.equal(refused.status, 422, issuer);
    }
    const same = await center.admin("POST", "/api/admin/upstreams", { ...fields, issuer: UPSTREAM });
    assert.equal((await same.json()).errors[0].pointer, "/issuer");
    const other = { ...fields, id: "other", issuer: "https://more.example" };
    assert.deepEqual(await code(await center.admin("POST", "/api/admin/upstreams", other)), [
      409,
      "already_exists",
    ]);
    const stale = await center.send("PATCH", "/api/admin/upstreams/other", {
      body: { title: "X" },
      headers: { "x-admin-token": ADMIN_TOKEN, "if-match": '"9"' },
    });
    assert.equal(stale.status, 412);
    assert.equal((await center.admin("DELETE", "/api/admin/upstreams/other")).status, 204);
    assert.equal((await center.admin("GET", "/api/admin/upstreams/other")).status, 404);
  });

  it("reach no private address unless the start allows it", async () => {
    const alone = await createTestApp();
    const local = { id: "local", title: "Local", clientId: "c", issuer: "http://127.0.0.1:1" };
    assert.equal((await alone.admin("POST", "/api/admin/upstreams", local)).status, 201);
    const probe = await (await alone.admin("POST", "/api/admin/upstreams/local/test")).json();
    assert.match(probe.reason, /a private address; set UPSTREAM_PRIVATE=1/u);
  });
});
