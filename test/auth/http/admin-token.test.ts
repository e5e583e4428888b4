/** The administrator token in the header and in the query, and what pages of other sites can do with it. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestApp, ADMIN_TOKEN, code, createTestApp } from "../app-fixture.ts";

const STATS = "/api/admin/stats";
let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

const query = (token: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  app.fetch(`${STATS}?token=${token}`, { headers });

describe("the administrator token", () => {
  it("is taken in the header and in the query", async () => {
    assert.equal((await app.admin("GET", STATS)).status, 200);
    assert.equal((await query(ADMIN_TOKEN)).status, 200);
  });

  it("in the query of a page of another site is refused before it counts, also when it is right", async () => {
    const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    for (let i = 0; i < 12; i += 1)
      assert.deepEqual(await code(await query(`wrong_token_${i}`, headers)), [403, "origin_refused"]);
    assert.deepEqual(await code(await query(ADMIN_TOKEN, headers)), [403, "origin_refused"]);
    assert.deepEqual(await code(await query("wrong")), [401, "unauthenticated"]);
    assert.equal((await query(ADMIN_TOKEN, { "sec-fetch-site": "same-origin" })).status, 200);
  });

  it("is not locked out by wrong ones, wherever they were sent", async () => {
    for (let i = 0; i < 5; i += 1) assert.equal((await query(`wrong_${i}`)).status, 401);
    assert.equal((await query("wrong")).status, 429);
    const headers = { "x-admin-token": "wrong" };
    for (let i = 0; i < 5; i += 1) assert.equal((await app.fetch(STATS, { headers })).status, 401);
    assert.equal((await app.fetch(STATS, { headers })).status, 429);
    assert.equal((await app.admin("GET", STATS)).status, 200);
    assert.equal((await query(ADMIN_TOKEN)).status, 200);
  });
});
