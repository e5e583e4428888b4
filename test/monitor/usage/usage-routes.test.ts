/** Days, uptime and traffic over HTTP. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestApp, createTestApp } from "../app-fixture.ts";
import { code, create } from "../http/requests.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

interface Uptime {
  servers: { id: string; timeZone: string; days: (number | null)[]; ratio: number | null }[];
  from: string;
  to: string;
}
interface Shown {
  traffic?: { usedBytes: number; percent?: number; cycleFrom: string; cycleTo: string; rxBytes?: number };
  uptime?: { day1?: number };
  nextExpiryAt?: string;
}
interface Days {
  timeZone: string;
  days: { date: string; rxBytes: number; txBytes: number; upMinutes: number; knownMinutes: number }[];
}

describe("usage routes", () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await createTestApp();
  });

  /** Two reports a minute apart, and the minute watched. */
  async function use(id: string, agentKey: string, bytes: number): Promise<void> {
    const hello = { serverId: id, agentKey, hostname: "", remoteAddress: "192.0.2.1" };
    const session = await app.monitor.ingest.open(hello);
    const send = (rx: number): Promise<unknown> => {
      const network = { rxTotalBytes: rx, txTotalBytes: 0 };
      return session.report(JSON.stringify({ v: 1, cpu: { usagePercent: 1 }, network }), app.clock.now());
    };
    await send(1_000);
    app.clock.advance(MINUTE);
    await send(1_000 + bytes);
    app.monitor.tick();
  }

  async function read<T>(path: string): Promise<T> {
    const response = await app.fetch(path);
    assert.equal(response.status, 200, path);
    return response.json();
  }

  async function listed(): Promise<Shown | undefined> {
    const { items: servers } = await read<{ items: Shown[] }>("/api/servers");
    return servers[0];
  }

  describe("GET /api/servers/{id}/days", () => {
    it("gives days of the server's zone, oldest first, without gaps", async () => {
      const { agentKey } = await create(app, "a", { traffic: { timeZone: "Asia/Tokyo" } });
      await use("a", agentKey, 500);
      const { timeZone, days } = await read<Days>("/api/servers/a/days?days=3");
      assert.equal(timeZone, "Asia/Tokyo");
      const nothing = { rxBytes: 0, txBytes: 0, upMinutes: 0, knownMinutes: 0 };
      assert.deepEqual(days, [
        { date: "2026-01-29", ...nothing },
        { date: "2026-01-30", ...nothing },
        { date: "2026-01-31", rxBytes: 500, txBytes: 0, upMinutes: 1, knownMinutes: 1 },
      ]);
      assert.equal((await read<Days>("/api/servers/a/days")).days.length, 90);
      assert.equal((await read<Days>("/api/servers/a/days?days=400")).days.at(-1)?.rxBytes, 500);
    });

    it("refuses lengths that it does not have, and servers that strangers may not see", async () => {
      await create(app, "a");
      await create(app, "hidden", { hidden: true });
      for (const days of ["0", "401", "1.5", "x", "", "-1", "1e99"])
        assert.equal((await app.fetch(`/api/servers/a/days?days=${days}`)).status, 422, days);
      for (const id of ["hidden", "nobody"])
        assert.deepEqual(await code(await app.fetch(`/api/servers/${id}/days`)), [404, "not_found"]);
    });
  });

  describe("GET /api/uptime", () => {
    it("returns all visible servers in display order, with null for days without data", async () => {
      const { agentKey } = await create(app, "b");
      await create(app, "a");
      await create(app, "hidden", { hidden: true });
      await use("b", agentKey, 1);
      assert.deepEqual(await read<Uptime>("/api/uptime?days=2"), {
        servers: [
          { id: "b", timeZone: "UTC", days: [null, 1], ratio: 1, knownMinutes: 1 },
          { id: "a", timeZone: "UTC", days: [null, null], ratio: null, knownMinutes: 0 },
        ],
        from: "2026-01-30",
        to: "2026-01-31",
      });
      assert.equal((await read<Uptime>("/api/uptime")).servers[0]?.days.length, 90);
      assert.equal((await app.fetch("/api/uptime?days=91")).status, 422);
    });

    it("stays the same for a minute, whatever is reported, and loses a hidden server at once", async () => {
      const { agentKey } = await create(app, "a");
      await use("a", agentKey, 1);
      const first = await app.fetch("/api/uptime?days=7");
      const headers = { "if-none-match": first.headers.get("etag") ?? "" };
      const again = (): Promise<Response> => app.fetch("/api/uptime?days=7", { headers });
      app.clock.advance(MINUTE - 1);
      app.monitor.tick();
      assert.equal((await again()).status, 304);
      assert.equal((await app.fetch("/api/uptime?days=8", { headers })).status, 200);
      app.clock.advance(1);
      app.monitor.tick();
      assert.equal((await again()).status, 200);
      await app.admin("PUT", "/api/admin/servers/a", { name: "a", hidden: true });
      assert.deepEqual((await read<Uptime>("/api/uptime?days=7")).servers, []);
    });
  });

  describe("traffic of a server", () => {
    it("is shown once there is any, or a limit", async () => {
      const { agentKey } = await create(app, "a");
      assert.equal((await listed())?.traffic, undefined);
      await use("a", agentKey, 500);
      assert.equal((await listed())?.traffic?.usedBytes, 500);
      await app.admin("PUT", "/api/admin/servers/a", { name: "a", traffic: { limitBytes: 2_000 } });
      const traffic = (await listed())?.traffic;
      assert.equal(traffic?.percent, 25);
      assert.equal(traffic?.rxBytes, undefined);
      const detail = await read<Shown>("/api/servers/a");
      assert.equal(detail.traffic?.rxBytes, 500);
      assert.equal(detail.uptime?.day1, 1);
      const metrics = await (await app.admin("GET", "/metrics")).text();
      assert.match(metrics, /trivet_server_traffic_used_bytes\{server="a",name="a"\} 500\n/u);
      assert.match(metrics, /trivet_server_traffic_limit_bytes\{server="a",name="a"\} 2000\n/u);
    });

    it("starts again with the cycle, also without reports", async () => {
      const { agentKey } = await create(app, "a");
      await use("a", agentKey, 500);
      const before = await app.fetch("/api/servers");
      app.clock.advance(12 * HOUR);
      app.monitor.tick();
      const etag = before.headers.get("etag") ?? "";
      assert.equal((await app.fetch("/api/servers", { headers: { "if-none-match": etag } })).status, 200);
      assert.equal((await listed())?.traffic, undefined);
      const { revision } = app.monitor.publicSnapshot;
      app.monitor.tick();
      assert.equal(app.monitor.publicSnapshot.revision, revision, "and then rests");
    });

    it("comes with the next end of paid time, which rolls on", async () => {
      const billing = { priceMinor: 500, currency: "EUR", cycle: { n: 1, unit: "month" }, autoRenew: true };
      await create(app, "a", { billing: { ...billing, expiresAt: "2026-01-31T13:00:00Z" } });
      assert.equal((await listed())?.nextExpiryAt, "2026-01-31T13:00:00.000+00:00");
      const metrics = await (await app.admin("GET", "/metrics")).text();
      assert.match(metrics, /trivet_server_expiry_timestamp_seconds\{server="a",name="a"\} 1769864400\n/u);
      app.clock.advance(HOUR + 1);
      app.monitor.tick();
      assert.equal((await listed())?.nextExpiryAt, "2026-02-28T13:00:00.000+00:00");
    });
  });

  describe("POST /api/admin/servers/{id}/traffic", () => {
    const path = "/api/admin/servers/a/traffic";

    it("sets what the cycle has used, up or down, and counts on from there", async () => {
      const { agentKey } = await create(app, "a", { traffic: { limitBytes: 10_000 } });
      await use("a", agentKey, 500);
      const up = await app.admin("POST", path, { usedBytes: 5_000 });
      assert.equal(up.status, 200);
      const body: { traffic: { usedBytes: number; rxBytes: number }; version: number } = await up.json();
      assert.deepEqual([body.traffic.usedBytes, body.traffic.rxBytes, body.version], [5_000, 500, 2]);
      // It starts again at 1,000, which counts too.
      await use("a", agentKey, 300);
      assert.equal((await listed())?.traffic?.usedBytes, 6_300);
      assert.equal((await app.admin("POST", path, { usedBytes: 100, version: 2 })).status, 200);
      assert.equal((await listed())?.traffic?.usedBytes, 100);
      const audit = await (await app.admin("GET", "/api/admin/audit?limit=1")).text();
      assert.match(audit, /"server\.correct-traffic".*"a".*\["traffic"\]/u);
      // A PUT of what was read keeps it; the next cycle begins at 0.
      const shown: { traffic: object } = await (await app.admin("GET", "/api/admin/servers/a")).json();
      await app.admin("PUT", "/api/admin/servers/a", { name: "A", traffic: shown.traffic });
      assert.equal((await listed())?.traffic?.usedBytes, 100);
      app.clock.advance(12 * HOUR);
      app.monitor.tick();
      assert.equal((await listed())?.traffic?.usedBytes, 0);
    });

    it("refuses what is malformed, outdated or unknown, and changes nothing", async () => {
      await create(app, "a");
      for (const body of [
        {},
        { usedBytes: -1 },
        { usedBytes: 1.5 },
        { usedBytes: "1" },
        { usedBytes: 1, x: 1 },
      ])
        assert.equal((await app.admin("POST", path, body)).status, 422, JSON.stringify(body));
      assert.deepEqual(await code(await app.admin("POST", path, { usedBytes: 1, version: 9 })), [
        409,
        "version_conflict",
      ]);
      const nobody = await app.admin("POST", "/api/admin/servers/nobody/traffic", { usedBytes: 1 });
      assert.deepEqual(await code(nobody), [404, "not_found"]);
      const unsigned = await app.fetch(path, { method: "POST", body: "{}" });
      assert.deepEqual(await code(unsigned), [401, "unauthenticated"]);
      assert.equal((await listed())?.traffic, undefined);
    });
  });
});
