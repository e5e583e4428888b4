import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { AgentSession } from "../../../src/monitor/ingest/agent-session.ts";
import { createFixedClock } from "../../support/fixed-clock.ts";
import { type TestApp, createTestApp } from "../app-fixture.ts";

let clock: ReturnType<typeof createFixedClock>;
let app: TestApp;
let session: AgentSession;

beforeEach(async () => {
  clock = createFixedClock();
  app = await createTestApp({ clock });
  await app.admin("POST", "/api/admin/servers", { id: "web-1", name: "Web 1" });
  const rotated = await app.admin("POST", "/api/admin/servers/web-1/rotate-key", { graceSeconds: 0 });
  const { agentKey } = await rotated.json();
  const sender = { serverId: "web-1", hostname: "h", remoteAddress: "192.0.2.7" };
  session = await app.monitor.ingest.open({ ...sender, agentKey });
});

async function report(more: object = {}): Promise<void> {
  clock.advance(10_000);
  const { accepted } = await session.report(
    JSON.stringify({ v: 1, cpu: { usagePercent: 5 }, ...more }),
    clock.now(),
  );
  assert.equal(accepted, true);
}

const containers = (...all: readonly object[]): object => ({ details: { containers: all } });

/** What a run says now: "up The container …". */
async function say(target: object = {}): Promise<string> {
  const response = await app.admin("POST", "/api/admin/checks/test", {
    name: "Database",
    target: { kind: "container", serverId: "web-1", container: "db", ...target },
  });
  assert.equal(response.status, 200, await response.clone().text());
  const { fault = "up", detail } = await response.json();
  return `${fault} | ${detail}`;
}

describe("a check of a container", () => {
  it("is up while the container runs and is healthy", async () => {
    await report(containers({ name: "db", state: "running", health: "healthy" }));
    assert.equal(await say(), 'up | The container "db" is running');
    // Most reports have no details.
    await report();
    assert.equal(await say(), 'up | The container "db" is running');
    await report(containers({ name: "db", state: "running", health: "starting" }));
    assert.match(await say(), /^up \| /u);
    await report(containers({ name: "db", state: "running", health: "unhealthy" }));
    assert.equal(await say(), 'status | The container "db" is unhealthy');
    assert.match(await say({ healthy: false }), /^up \| /u);
    for (const state of ["exited", "restarting", "paused", "dead", "created"]) {
      await report(containers({ name: "db", state }));
      assert.equal(await say(), 'status | The container "db" is not running', state);
    }
    await report(containers({ name: "db2", state: "running" }));
    assert.equal(await say(), 'content | The container "db" does not exist');
  });

  it("is not judged without a report that says something of containers", async () => {
    assert.equal(await say({ serverId: "gone" }), 'not_judged | The server "gone" does not exist');
    assert.equal(await say(), 'not_judged | The server "Web 1" sends no reports');
    await report({ details: { units: [{ name: "nginx.service", state: "active" }] } });
    assert.match(await say(), /^not_judged \| The agent of "Web 1" reports no containers/u);
    await report(containers({ name: "db", state: "running" }));
    assert.match(await say(), /^up \| /u);
    // Docker is gone, and the agent says so.
    await report({ details: {} });
    assert.match(await say(), /^not_judged \| /u);
    await report(
      containers(...Array.from({ length: 64 }, (_, number) => ({ name: `c${number}`, state: "running" }))),
    );
    assert.match(await say(), /^not_judged \| The agent reports its first 64 containers/u);
    await report(containers({ name: "db", state: "exited" }));
    const bad = await session.report("[]", clock.now());
    assert.equal(bad.accepted, false);
    assert.equal(await say(), 'not_judged | The server "Web 1" sends no reports');
    await report(containers({ name: "db", state: "exited" }));
    assert.match(await say(), /^status \| /u);
    session.close();
    clock.advance(10 * 60_000);
    app.monitor.live.tick();
    assert.equal(await say(), 'not_judged | The server "Web 1" is offline');
    await app.admin("PATCH", "/api/admin/servers/web-1", { disabled: true });
    assert.equal(await say(), 'not_judged | The server "Web 1" is paused');
  });

  it("runs on the monitor alone, whatever locations are given", async () => {
    const created = await app.admin("POST", "/api/admin/checks", {
      name: "Database",
      target: { kind: "container", serverId: "web-1", container: "db" },
      locations: { monitor: false, serverIds: ["web-1"] },
    });
    assert.equal(created.status, 201, await created.clone().text());
    const { id, locations } = await created.json();
    assert.deepEqual(locations, { monitor: true, serverIds: [], quorum: "majority" });
    const changed = await app.admin("PATCH", `/api/admin/checks/${id}`, {
      locations: { monitor: false, serverIds: ["web-1"] },
    });
    assert.deepEqual((await changed.json()).locations, locations);
  });

  it("names its server and its container", async () => {
    for (const target of [{ serverId: "" }, { serverId: "../x" }, { container: "" }, { container: "a\nb" }]) {
      const response = await app.admin("POST", "/api/admin/checks", {
        name: "Database",
        target: { kind: "container", serverId: "web-1", container: "db", ...target },
      });
      assert.equal(response.status, 422, JSON.stringify(target));
    }
  });
});
