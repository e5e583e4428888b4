/** POST /api/agent/report: credentials, storing, resending, and the state of a server that posts. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { type TestApp, createTestApp } from "../app-fixture.ts";
import { actor } from "../fixtures.ts";
import { code, create } from "../http/requests.ts";

const report = (collectedAt: number, usagePercent = 5, intervalMs = 30_000) => ({
  collectedAt: new Date(collectedAt).toISOString(),
  payload: { v: 1, intervalMs, cpu: { usagePercent } },
});

describe("posted reports", () => {
  let app: TestApp;
  let key: string;
  let now: number;

  beforeEach(async () => {
    app = await createTestApp();
    key = (await create(app, "a")).agentKey;
    now = app.clock.now();
  });

  function post(
    reports: readonly unknown[],
    { token = key, server = "a", from = "192.0.2.1", hostname = "box", boot = "" } = {},
  ): Promise<Response> {
    return app.fetch(`/api/agent/report?server=${server}&hostname=${hostname}&boot=${boot}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ reports }),
      from,
    });
  }
  const state = () => app.monitor.live.get("a").state;

  it("stores reports, oldest first, and says which are rejected", async () => {
    const response = await post([report(now - 1_000), report(5), report(now)]);
    assert.equal(response.status, 200);
    assert.deepEqual(await response.json(), {
      results: [
        { accepted: true, message: `metrics ${now - 1_000}` },
        {
          accepted: false,
          message: "rejected collected_at_unix_ms must be Unix epoch time in milliseconds, from 2020 on",
        },
        { accepted: true, message: `metrics ${now}` },
      ],
    });
    assert.equal(app.samples.rows.length, 2);
    assert.equal(state(), "online");
  });

  it("stores a report once that is sent again", async () => {
    await post([report(now)]);
    await post([report(now), report(now + 1)]);
    assert.equal(app.samples.rows.length, 2);
  });

  it("reads a body of gzip, and refuses other codings and bombs", async () => {
    const send = (body: Uint8Array<ArrayBuffer>, coding: string) =>
      app.fetch("/api/agent/report?server=a", {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          "content-encoding": coding,
        },
        body,
      });
    const gzip = (text: string) => new Uint8Array(gzipSync(text));
    assert.equal((await send(gzip(JSON.stringify({ reports: [report(now)] })), "gzip")).status, 200);
    const bomb = gzip(JSON.stringify({ reports: [report(now)], more: "0".repeat(5_000_000) }));
    assert.deepEqual(await code(await send(bomb, "gzip")), [413, "too_large"]);
    assert.deepEqual(await code(await send(new Uint8Array([1, 2, 3]), "gzip")), [400, "bad_request"]);
    assert.deepEqual(await code(await send(gzip("{}").slice(0, 12), "gzip")), [400, "bad_request"]);
    assert.deepEqual(await code(await send(gzip("{}"), "br")), [415, "unsupported_media_type"]);
  });

  it("takes only the key of the server, and only while the server is enabled", async () => {
    const other = (await create(app, "b")).agentKey;
    for (const token of [other, "agk_wrong", ""])
      assert.equal((await code(await post([report(now)], { token })))[0], 401, token);
    await post([report(now)]);
    assert.equal((await post([report(now + 1)], { token: other })).status, 401, "a session that lasts");
    const { version } = await (await app.admin("GET", "/api/admin/servers/a")).json();
    await app.admin("PATCH", "/api/admin/servers/a", { disabled: true, version });
    assert.deepEqual(await code(await post([report(now + 2)])), [403, "forbidden"]);
    assert.equal(app.samples.rows.length, 1);
  });

  it("ends with a key that was replaced", async () => {
    await post([report(now)]);
    const agent = await app.monitor.servers.rotateKey("a", { graceSeconds: 0, actor });
    app.monitor.tick();
    assert.equal((await post([report(now + 1)])).status, 401);
    assert.equal((await post([report(now + 1)], { token: agent.agentKey })).status, 200);
  });

  it("keeps the server online between reports, and offline after three intervals", async () => {
    await post([report(now)]);
    app.clock.advance(89_000);
    app.monitor.tick();
    assert.equal(state(), "online");
    app.clock.advance(2_000);
    app.monitor.tick();
    assert.equal(state(), "offline");
    await post([report(app.clock.now())]);
    assert.equal(state(), "online");
    assert.equal(app.monitor.live.get("a").duplicateAgent, false);
  });

  it("forgets the session of an agent that stays away", async () => {
    await post([report(now)]);
    app.clock.advance(16 * 60_000);
    app.monitor.tick();
    await app.monitor.sweep();
    assert.equal(app.monitor.registry.isOpen("a"), false);
    assert.equal((await post([report(app.clock.now())])).status, 200);
  });

  it("flags a stream and posts that take turns with one key", async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      await app.monitor.ingest.open({
        serverId: "a",
        agentKey: key,
        hostname: "x",
        remoteAddress: "192.0.2.9",
      });
      await post([report(now + turn)]);
    }
    assert.equal(app.monitor.live.get("a").duplicateAgent, true);
  });

  it("flags two machines that post with one key, stores what both say, and takes a new name for no second machine", async () => {
    await post([report(now)], { hostname: "old-name" });
    await post([report(now + 1)], { hostname: "new-name" });
    assert.equal(app.monitor.live.get("a").duplicateAgent, false);
    for (let turn = 0; turn < 3; turn += 1) {
      await post([report(now + 10 + turn)], { hostname: "new-name" });
      await post([report(now + 20 + turn)], { hostname: "clone" });
    }
    assert.equal(app.monitor.live.get("a").duplicateAgent, true);
    assert.equal(app.samples.rows.length, 8);
  });

  it("flags clones that post with one key and one host name, and takes a restart for no second machine", async () => {
    for (const boot of ["", "first", "second"]) await post([report(now)], { boot });
    assert.equal(app.monitor.live.get("a").duplicateAgent, false);
    for (let turn = 0; turn < 2; turn += 1) {
      await post([report(now + 10 + turn)], { boot: "first" });
      await post([report(now + 20 + turn)], { boot: "second" });
    }
    assert.equal(app.monitor.live.get("a").duplicateAgent, true);
    assert.equal(app.samples.rows.length, 5);
    assert.equal((await post([report(now)], { boot: "x".repeat(65) })).status, 422);
  });

  it("asks to send again what could not be stored, and loses nothing then", async () => {
    app.samples.failing = true;
    assert.deepEqual(await code(await post([report(now), report(now + 1)])), [503, "store_unavailable"]);
    app.samples.failing = false;
    assert.equal((await post([report(now), report(now + 1)])).status, 200);
    assert.equal(app.samples.rows.length, 2);
  });

  it("bounds the requests of a server", async () => {
    for (let n = 0; n < 60; n += 1) assert.equal((await post([report(now + n)])).status, 200);
    const refused = await post([report(now + 60)]);
    assert.deepEqual([refused.status, Number(refused.headers.get("retry-after")) > 0], [429, true]);
  });

  it("needs no visitor's right on a private site", async () => {
    await app.admin("PATCH", "/api/admin/settings", { access: { isPrivate: true } });
    assert.equal((await app.fetch("/api/servers")).status, 401);
    assert.equal((await post([report(now)])).status, 200);
  });
});
