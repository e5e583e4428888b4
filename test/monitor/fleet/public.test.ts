/** The monitor's public HTTP API. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { toIsoTime } from "../../../src/kit/text/iso-time.ts";
import { type TestApp, createTestApp } from "../app-fixture.ts";
import { code, create, list } from "../http/requests.ts";

/** A server with its times. */
interface Shown {
  readonly traffic: { readonly cycleFrom: string; readonly cycleTo: string };
  readonly uptime?: unknown;
}

describe("public routes", () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await createTestApp();
  });

  it("have an index at / and /api with the fields of the seed and every route", async () => {
    for (const path of ["/", "/api"]) {
      const body: { service: string; version: string; admin: string[]; public: string[] } = await (
        await app.fetch(path)
      ).json();
      assert.equal(typeof body.service, "string");
      assert.ok(body.admin.includes("PUT /api/admin/servers/reorder"));
      assert.ok(body.admin.includes("DELETE /api/admin/servers/:id"));
      assert.ok(body.public.includes("GET /api/servers"));
      assert.ok(body.public.some((entry) => entry.includes("gRPC") && entry.includes("GRPC_PORT")));
    }
  });

  it("list an empty fleet", async () => {
    assert.deepEqual(await (await app.fetch("/api/servers")).json(), {
      items: [],
      now: toIsoTime(app.clock.now()),
    });
  });

  it("list visible servers in display order, with filters", async () => {
    await create(app, "b", { group: "Lab", tags: ["x"] });
    await create(app, "a", { publicNote: "Hello" });
    await create(app, "secret", { hidden: true });
    assert.deepEqual(await list(app), ["b", "a"]);
    assert.deepEqual(await list(app, "?group=Lab"), ["b"]);
    assert.deepEqual(await list(app, "?tag=x"), ["b"]);
    assert.deepEqual(await list(app, "?q=hELLO"), ["a"]);
    assert.deepEqual(await list(app, "?state=online"), []);
    assert.deepEqual(await list(app, "?state=never"), ["b", "a"]);
  });

  it("show times in ISO 8601, in lists as for one server, while the feed keeps its numbers", async () => {
    await create(app, "a", { traffic: { limitBytes: 1_000 } });
    const now = app.clock.now();
    app.monitor.live.reported("a", { collectedAt: now - 1, receivedAt: now, sample: {}, flags: [] });
    const whole: { items: Shown[] } = await (await app.fetch("/api/servers")).json();
    const some: { items: Shown[] } = await (await app.fetch("/api/servers?state=online")).json();
    const one: Shown = await (await app.fetch("/api/servers/a")).json();
    const expected = {
      stateSince: toIsoTime(now),
      lastSeenAt: toIsoTime(now),
      latest: { collectedAt: toIsoTime(now - 1), receivedAt: toIsoTime(now), sample: {} },
    };
    const { uptime: _uptime, traffic, ...detail } = one;
    assert.deepEqual(whole, some);
    const { traffic: listed, ...item } = whole.items[0] ?? one;
    assert.deepEqual(item, detail);
    assert.deepEqual({ ...item, ...expected }, item);
    for (const cycle of [traffic, listed]) {
      assert.match(cycle.cycleFrom, /^\d{4}-\d\d-\d\dT.*\+00:00$/u);
      assert.ok(Date.parse(cycle.cycleFrom) <= now && now < Date.parse(cycle.cycleTo));
    }
    const framed: { stateSince: number; lastSeenAt: number; latest: { receivedAt: number } } = JSON.parse(
      app.monitor.publicSnapshot.findEntry("a")?.json ?? "",
    );
    assert.deepEqual([framed.stateSince, framed.lastSeenAt, framed.latest.receivedAt], [now, now, now]);
  });

  it("answer 304 while nothing changed, and a new list at once when a record did", async () => {
    await create(app, "a");
    const first = await app.fetch("/api/servers");
    const etag = first.headers.get("etag") ?? "";
    assert.equal((await app.fetch("/api/servers", { headers: { "if-none-match": etag } })).status, 304);
    await create(app, "b");
    assert.equal((await app.fetch("/api/servers", { headers: { "if-none-match": etag } })).status, 200);
    assert.deepEqual(await list(app), ["a", "b"]);
  });

  it("show the fullest of several mounts in lists, and all mounts and interfaces of one server", async () => {
    const [root, data] = [
      { path: "/", totalBytes: 100, usedBytes: 20, device: "sda" },
      { path: `/data/${"x".repeat(200)}`, totalBytes: 1_000, usedBytes: 970 },
    ];
    const eth0 = { name: "eth0", rxTotalBytes: 5, txTotalBytes: 6, mac: "02:00" };
    const toSample = (...mounts: object[]): object => ({
      v: 1,
      cpu: { usagePercent: 1 },
      disk: { totalBytes: 1_100, usedBytes: 990, mounts },
      network: { rxTotalBytes: 5, txTotalBytes: 6, interfaces: [eth0] },
    });
    const show = async (id: string, sample: object): Promise<Record<string, Record<string, unknown>>[]> => {
      await create(app, id);
      app.monitor.live.reported(id, { collectedAt: 1, receivedAt: 1, sample: { ...sample }, flags: [] });
      const item: { latest: { sample: Record<string, Record<string, unknown>> } } = JSON.parse(
        app.monitor.publicSnapshot.findEntry(id)?.json ?? "",
      );
      const one: typeof item = await (await app.fetch(`/api/servers/${id}`)).json();
      return [item.latest.sample, one.latest.sample];
    };
    const [listed, detail] = await show("a", toSample(root, data));
    assert.deepEqual(listed?.["disk"]?.["fullest"], { ...data, path: data.path.slice(0, 100) });
    assert.equal(listed["disk"]["mounts"], undefined);
    assert.equal(listed["network"]?.["interfaces"], undefined);
    const { device: _device, ...shownRoot } = root;
    assert.deepEqual(detail?.["disk"]?.["mounts"], [shownRoot, data]);
    const { mac: _mac, ...shownEth0 } = eth0;
    assert.deepEqual(detail["network"]?.["interfaces"], [shownEth0]);
    const [single] = await show("b", toSample(root));
    assert.equal(single?.["disk"]?.["fullest"], undefined);
  });

  it("show nothing that is not on the allow-list", async () => {
    await create(app, "a", { note: "rack 4, root pw in safe" });
    await app.monitor.servers.noteFacts("a", { hostname: "intern.example.org" });
    await app.monitor.servers.noteFacts("a", {
      host: { os: "linux", kernel: "6.1.0-secret", agentVersion: "9.9.9" },
    });
    const opaque = { ip: "10.1.2.3", cpu: { load: 3, host: "db.internal" } };
    app.monitor.live.reported("a", { collectedAt: 1, receivedAt: 1, sample: opaque, flags: [] });
    for (const path of ["/api/servers", "/api/servers/a"]) {
      const text = await (await app.fetch(path)).text();
      for (const secret of [
        "rack 4",
        "intern.example.org",
        "6.1.0-secret",
        "9.9.9",
        "10.1.2.3",
        "db.internal",
        "agk_",
        "hash",
      ]) {
        assert.ok(!text.includes(secret), `${path} shows ${secret}`);
      }
      assert.ok(text.includes('"load":3'));
    }
  });

  it("make a hidden server look like none", async () => {
    await create(app, "a", { hidden: true });
    for (const path of [
      "/api/servers/a",
      "/api/servers/none",
      "/api/servers/a/history?metric=cpu.usagePercent",
    ]) {
      assert.deepEqual(await code(await app.fetch(path)), [404, "not_found"]);
    }
  });

  for (const query of [
    "",
    "?metric=nope",
    "?metric=cpu.usagePercent&points=0",
    "?metric=cpu.usagePercent&points=1001",
    "?metric=cpu.usagePercent&from=yesterday",
  ]) {
    it(`refuse a history of "${query}"`, async () => {
      await create(app, "a");
      assert.deepEqual(await code(await app.fetch(`/api/servers/a/history${query}`)), [422, "invalid"]);
    });
  }

  it("answer 503 from health when the sample log fails, and 200 when it is back", async () => {
    app.samples.failing = true;
    assert.equal((await app.fetch("/api/health")).status, 503);
    app.samples.failing = false;
    const body: { status: string } = await (await app.fetch("/api/health")).json();
    assert.equal(body.status, "ok");
  });

  it("ask for a WebSocket handshake at the feed", async () => {
    assert.deepEqual(await code(await app.fetch("/api/ws/monitor")), [426, "upgrade_required"]);
  });

  it("refuse a feed to pages of other origins", async () => {
    const headers = { upgrade: "websocket", connection: "upgrade", origin: "https://evil.example" };
    assert.deepEqual(await code(await app.fetch("/api/ws/monitor", { headers })), [403, "origin_refused"]);
  });

  it("answers 404 for unknown paths and 405 with Allow for other methods", async () => {
    assert.deepEqual(await code(await app.fetch("/api/nope")), [404, "not_found"]);
    const response = await app.fetch("/api/servers", { method: "DELETE" });
    assert.match(response.headers.get("allow") ?? "", /GET/u);
    assert.deepEqual(await code(response), [405, "method_not_allowed"]);
  });
});
