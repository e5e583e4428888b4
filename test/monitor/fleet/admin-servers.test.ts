/** Servers as administrators see and change them over HTTP. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { VERSION } from "../../../src/version.ts";
import { type TestApp, ADMIN_TOKEN, createTestApp } from "../app-fixture.ts";
import { code, create, list } from "../http/requests.ts";

describe("administration of servers", () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await createTestApp();
  });

  it("creates, shows the key once, and keeps it out of every later answer", async () => {
    const { agentKey } = await create(app, "a");
    assert.match(agentKey, /^agk_/u);
    for (const path of ["/api/admin/servers", "/api/admin/servers/a", "/api/admin/audit"]) {
      assert.ok(!(await (await app.admin("GET", path)).text()).includes(agentKey));
    }
  });

  it("marks agents that are older than the monitor, and no others", async () => {
    await create(app, "a");
    const present = VERSION.split(".").map(Number);
    const cases: readonly (readonly [string, boolean])[] = [
      ["0.0.9", true],
      [VERSION, false],
      [`${VERSION}-rc.1`, false],
      [[present[0], present[1], (present[2] ?? 0) + 1].join("."), false],
      ["99.0.0", false],
      ["odd", false],
    ];
    for (const [agentVersion, isOutdated] of cases) {
      await app.monitor.servers.noteFacts("a", { host: { agentVersion } });
      const shown: { agent: object } = await (await app.admin("GET", "/api/admin/servers/a")).json();
      assert.equal("isOutdated" in shown.agent && shown.agent.isOutdated, isOutdated, agentVersion);
    }
  });

  it("gives the line that runs an agent with a key made by hand, new or renewed", async () => {
    const behind = await createTestApp({ publicGrpc: { address: "agents.example:443", tls: true } });
    for (const [site, where] of [
      [app, "localhost:50051"],
      [behind, "agents.example:443 --tls"],
    ] as const) {
      const made: { agentKey: string; command: string } = await (
        await site.admin("POST", "/api/admin/servers", { id: "hand", name: "By hand" })
      ).json();
      const load = "curl -fsSLO http://localhost/download/agent.js && node agent.js";
      assert.equal(made.command, `${load} --server ${where} --id hand --key ${made.agentKey}`);
      const renewed: { agentKey: string; command: string } = await (
        await site.admin("POST", "/api/admin/servers/hand/rotate-key", {})
      ).json();
      assert.notEqual(renewed.agentKey, made.agentKey);
      assert.ok(renewed.command.endsWith(`--id hand --key ${renewed.agentKey}`));
    }
  });

  it("replaces with a version or If-Match and refuses an outdated one", async () => {
    await create(app, "a");
    assert.equal((await app.admin("PUT", "/api/admin/servers/a", { name: "A2", version: 1 })).status, 200);
    assert.deepEqual(await code(await app.admin("PUT", "/api/admin/servers/a", { name: "A3", version: 1 })), [
      409,
      "version_conflict",
    ]);
    const headers = { "x-admin-token": ADMIN_TOKEN, "content-type": "application/json", "if-match": '"1"' };
    const body = JSON.stringify({ name: "A3" });
    assert.deepEqual(await code(await app.fetch("/api/admin/servers/a", { method: "PUT", headers, body })), [
      412,
      "version_conflict",
    ]);
    assert.equal(
      (
        await app.fetch("/api/admin/servers/a", {
          method: "PUT",
          headers: { ...headers, "if-match": "x" },
          body,
        })
      ).status,
      400,
    );
    assert.equal(
      (
        await app.fetch("/api/admin/servers/a", {
          method: "PUT",
          headers: { ...headers, "if-match": '"2"' },
          body,
        })
      ).status,
      200,
    );
  });

  it("keeps a server hidden and disabled when a replacement does not say", async () => {
    await create(app, "secret-db", { hidden: true, disabled: true });
    const renamed = await app.admin("PUT", "/api/admin/servers/secret-db", { name: "Renamed" });
    const view: { name: string; hidden: boolean; disabled: boolean } = await renamed.json();
    assert.deepEqual([view.name, view.hidden, view.disabled], ["Renamed", true, true]);
    assert.deepEqual(await list(app), []);
    await app.admin("PUT", "/api/admin/servers/secret-db", { name: "Shown", hidden: false });
    assert.deepEqual(await list(app), ["secret-db"]);
  });

  it("reorders at the literal route, and moves nothing when ids are missing", async () => {
    await create(app, "a");
    await create(app, "b");
    assert.equal((await app.admin("PUT", "/api/admin/servers/reorder", { ids: ["b", "a"] })).status, 204);
    assert.deepEqual(await list(app), ["b", "a"]);
    assert.deepEqual(await code(await app.admin("PUT", "/api/admin/servers/reorder", { ids: ["a"] })), [
      422,
      "invalid",
    ]);
    assert.deepEqual(await list(app), ["b", "a"]);
  });

  it("deletes once, together with history and live state", async () => {
    await create(app, "a");
    app.monitor.live.connected("a");
    assert.equal((await app.admin("DELETE", "/api/admin/servers/a")).status, 204);
    assert.deepEqual(await code(await app.admin("DELETE", "/api/admin/servers/a")), [404, "not_found"]);
    await create(app, "a");
    assert.equal(app.monitor.live.get("a").state, "never");
  });

  for (const [what, body] of Object.entries({
    "no name": {},
    "an empty name": { name: "  " },
    "two lines": { name: "a\nb" },
    "an unknown field": { name: "a", status: "online" },
    "a wrong type": { name: 1 },
    "an id that is the literal route": { name: "a", id: "reorder" },
    "a bad region": { name: "a", region: "Germany" },
    "a bad time zone": { name: "a", traffic: { timeZone: "Mars/Base" } },
    "too many tags": { name: "a", tags: Array.from({ length: 17 }, String) },
  })) {
    it(`answers 422 with pointers for ${what}`, async () => {
      const response = await app.admin("POST", "/api/admin/servers", body);
      assert.equal(response.status, 422);
      const problem: { errors: { pointer: string }[] } = await response.json();
      assert.ok(problem.errors.every((error) => error.pointer === "" || error.pointer.startsWith("/")));
      assert.deepEqual(await list(app), []);
    });
  }

  it("answers 400, 413 and 415 for bodies that are no JSON, too large, or of another type", async () => {
    const headers = { "x-admin-token": ADMIN_TOKEN, "content-type": "application/json" };
    const post = (body: string, more: Record<string, string> = {}): Promise<Response> =>
      app.fetch("/api/admin/servers", { method: "POST", headers: { ...headers, ...more }, body });
    assert.deepEqual(await code(await post("{")), [400, "bad_request"]);
    assert.deepEqual(await code(await post(`{"name":"a","traffic":{"limitBytes":1e400}}`)), [
      400,
      "bad_request",
    ]);
    assert.deepEqual(await code(await post(JSON.stringify({ name: "x".repeat(1_100_000) }))), [
      413,
      "too_large",
    ]);
    assert.deepEqual(
      await code(await post("name=a", { "content-type": "application/x-www-form-urlencoded" })),
      [415, "unsupported_media_type"],
    );
  });
});
