import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { createPartTiers } from "../../../src/monitor/parts/part-history.ts";
import { serverParts } from "../../../src/monitor/parts/records.ts";
import { partHistorySchema, partListSchema } from "../../../src/monitor/parts/schema.ts";
import { retentionSchema } from "../../../src/monitor/base/schema.ts";
import { createMemoryRollups } from "../../../src/store/series/rollups/memory-rollups.ts";
import type { RollupStore } from "../../../src/store/series/rollups/rollups.ts";
import type { AgentSession } from "../../../src/monitor/ingest/agent-session.ts";
import { createFixedClock } from "../../support/fixed-clock.ts";
import { type TestApp, createTestApp } from "../app-fixture.ts";

const MINUTE_MS = 60_000;
let clock: ReturnType<typeof createFixedClock>;
let partRollups: RollupStore;
let app: TestApp;
let session: AgentSession;

async function connect(to: TestApp, id = "web-1"): Promise<AgentSession> {
  const { agentKey } = await (
    await to.admin("POST", `/api/admin/servers/${id}/rotate-key`, { graceSeconds: 0 })
  ).json();
  return to.monitor.ingest.open({ serverId: id, agentKey, hostname: "h", remoteAddress: "192.0.2.7" });
}

beforeEach(async () => {
  clock = createFixedClock();
  partRollups = createMemoryRollups({ tiers: createPartTiers(retentionSchema.parse({})), clock });
  app = await createTestApp({ clock, partRollups });
  await app.admin("POST", "/api/admin/servers", { id: "web-1", name: "Web 1" });
  session = await connect(app);
});

const container = (name: string, more: object = {}): object => ({
  name,
  state: "running",
  cpuPercent: 150,
  ...more,
});

/** A report of a machine with these parts, ten seconds after the one before. */
async function report(more: object = {}, to = session): Promise<void> {
  clock.advance(10_000);
  const payload = {
    v: 1,
    cpu: { usagePercent: 5 },
    disk: {
      mounts: [
        { path: "/", usedBytes: 50, totalBytes: 100, inodesUsed: 9, inodesTotal: 10 },
        { path: "/mnt/nas", state: "unresponsive" },
      ],
    },
    network: {
      interfaces: [{ name: "eth0", rxBytesPerSecond: 7, txBytesPerSecond: 8, errorsPerMinute: 0.5 }],
    },
    temperatures: [
      { name: "drivetemp", celsius: 30 },
      { name: "drivetemp", celsius: 40 },
    ],
    ...more,
  };
  const { accepted } = await to.report(JSON.stringify(payload), clock.now());
  assert.equal(accepted, true);
}

async function list(path = "/api/servers/web-1/parts", admin = false) {
  const response = admin ? await app.admin("GET", path) : await app.fetch(path);
  assert.equal(response.status, 200);
  return partListSchema.parse(await response.json());
}

async function history(query: string, admin = false) {
  const path = `/api/servers/web-1/parts/history?${query}`;
  const response = admin ? await app.admin("GET", path) : await app.fetch(path);
  assert.equal(response.status, 200, await response.clone().text());
  return partHistorySchema.parse(await response.json()).items;
}

describe("parts of a server", () => {
  it("are listed with their metrics, and containers for administrators alone", async () => {
    await report({
      details: { containers: [container("db")], units: [{ name: "nginx.service", state: "active" }] },
    });
    const names = (await list()).items.map(({ kind, name }) => `${kind} ${name}`);
    assert.deepEqual(names, [
      "mount /",
      "mount /mnt/nas",
      "interface eth0",
      "temperature drivetemp",
      "temperature drivetemp 2",
    ]);
    const all = await list(undefined, true);
    assert.deepEqual(
      all.items.slice(-2).map(({ kind, name }) => `${kind} ${name}`),
      ["container db", "unit nginx.service"],
    );
    assert.equal(all.leftOut, undefined);
    const denied = await app.fetch(
      "/api/servers/web-1/parts/history?kind=container&name=db&metric=cpuPercent",
    );
    assert.equal(denied.status, 403);
  });

  it("have a history by minute, derived metrics too, before and after it is flushed", async () => {
    for (let minute = 0; minute < 12; minute += 1) await report();
    const query = "kind=mount&name=%2F&metric=usedPercent&metric=inodesUsedPercent&metric=upPercent";
    const before = await history(query);
    assert.deepEqual(
      before.map(({ metric, tier, points }) => [metric, tier, points[0]?.avg]),
      [
        ["usedPercent", "1m", 50],
        ["inodesUsedPercent", "1m", 90],
        ["upPercent", "1m", 100],
      ],
    );
    const use = await app.monitor.historyUse();
    await app.monitor.parts?.close();
    assert.ok(partRollups.flushedSeq > 0);
    // Five parts that are known, beside the server itself.
    assert.ok(use.estimatedBytes > (await app.monitor.history.diskUse(1)).estimatedBytes);
    assert.deepEqual(await history(query), before);
    const [silent, space] = await history("kind=mount&name=%2Fmnt%2Fnas&metric=upPercent&metric=usedPercent");
    assert.deepEqual([silent?.points[0]?.avg, space?.points.length], [0, 0]);
  });

  it("go on after a restart, and another part that takes a place begins with nothing", async () => {
    const containers = Array.from({ length: 64 }, (_, index) => container(`job-${index}`));
    await report({ details: { containers } });
    await app.monitor.parts?.close();
    const after = await createTestApp({ clock, partRollups, store: app.store });
    const next = await connect(after);
    clock.advance(20 * MINUTE_MS);
    await report({ details: { containers: [container("new", { cpuPercent: 3 })] } }, next);
    app = after;
    const items = (await list(undefined, true)).items.filter(({ kind }) => kind === "container");
    assert.equal(items.length, 64);
    const from = `from=${clock.now() - 60 * MINUTE_MS}`;
    const [old] = await history(`kind=container&name=job-5&metric=cpuPercent&${from}`, true);
    assert.equal(old?.points[0]?.max, 150);
    clock.advance(MINUTE_MS);
    await report({ details: { containers: [container("new", { cpuPercent: 3 })] } }, next);
    const [fresh] = await history(`kind=container&name=new&metric=cpuPercent&${from}`, true);
    assert.deepEqual([...new Set(fresh?.points.map(({ max }) => max))], [3]);
  });

  it("are told to the owner where they do not fit", async () => {
    for (const prefix of ["job", "other"])
      await report({
        details: {
          containers: [
            ...Array.from({ length: 63 }, (_, index) => container(`${prefix}-${index}`)),
            container("x".repeat(250)),
          ],
        },
      });
    const { items, leftOut = [] } = await list(undefined, true);
    assert.equal(items.filter(({ kind }) => kind === "container").length, 64);
    assert.deepEqual(leftOut.map(({ reason }) => reason).toSorted(), ["name_too_long", "too_many"]);
    assert.equal((await list()).leftOut, undefined);
  });

  it("refuse a part and a metric that there is none of, and say which there are", async () => {
    await report();
    const none = await app.fetch(
      "/api/servers/web-1/parts/history?kind=mount&name=%2Fgone&metric=usedPercent",
    );
    assert.equal(none.status, 404);
    const wrong = await app.fetch("/api/servers/web-1/parts/history?kind=mount&name=%2F&metric=celsius");
    assert.match(await wrong.text(), /usedPercent/u);
  });

  it("are forgotten with their server, and not taken while the setting says so", async () => {
    await app.admin("PATCH", "/api/admin/settings", { partHistory: false });
    await report();
    assert.deepEqual((await list()).items, []);
    await app.admin("PATCH", "/api/admin/settings", { partHistory: true });
    await report();
    assert.equal((await list()).items.length, 5);
    await app.monitor.parts?.close();
    assert.notEqual(await app.store.read((tx) => tx.get(serverParts, "web-1")), undefined);
    await app.admin("DELETE", "/api/admin/servers/web-1");
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(await app.store.read((tx) => tx.get(serverParts, "web-1")), undefined);
    await app.admin("POST", "/api/admin/servers", { id: "web-1", name: "Web 1" });
    assert.deepEqual((await list()).items, []);
  });
});

describe("the lists of a server", () => {
  it("reach the agent that asks, once, with its acknowledgement", async () => {
    const ask = async (lists?: string) => {
      clock.advance(1_000);
      return session.report(JSON.stringify({ v: 1, cpu: { usagePercent: 1 }, lists }), clock.now());
    };
    assert.equal((await ask("0")).more, undefined);
    await app.admin("PATCH", "/api/admin/servers/web-1", { lists: { mounts: "/mnt/*" } });
    assert.equal((await ask()).more, undefined);
    const { more = "" } = await ask("0");
    const [, revision = ""] = /^lists (\S+) \{"mounts":"\/mnt\/\*",/u.exec(more) ?? [];
    assert.notEqual(revision, "");
    assert.equal((await ask(revision)).more, undefined);
    const bad = await app.admin("PATCH", "/api/admin/servers/web-1", { lists: { mounts: "a,!" } });
    assert.equal(bad.status, 422);
  });
});
