/** Planned maintenance: its windows, and that servers in one send no notifications. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestApp, createTestApp } from "../app-fixture.ts";
import { Maintenance } from "../../../src/monitor/maintenance/maintenance.ts";
import { maintenanceFieldsSchema } from "../../../src/monitor/maintenance/schema.ts";
import { findWindowEnd } from "../../../src/monitor/maintenance/windows.ts";
import { settingsFieldsSchema } from "../../../src/monitor/base/schema.ts";
import { actor } from "../fixtures.ts";
import { code, create } from "../http/requests.ts";
import { createAlertsBench } from "./alerts-bench.ts";

const PATH = "/api/admin/maintenances";
const sundays = { type: "weekly" as const, days: [7], from: "02:00", to: "04:00" };

describe("a window of maintenance", () => {
  const endsAt = (
    at: string,
    schedule: Parameters<typeof findWindowEnd>[0] = sundays,
  ): string | undefined => {
    const end = findWindowEnd(schedule, { now: Date.parse(at), timeZone: "Europe/Berlin" });
    return end === undefined ? undefined : new Date(end).toISOString().slice(0, 16);
  };

  it("is weekly by the owner's clock, also when that is set forward or back", () => {
    assert.equal(endsAt("2026-01-25T01:00:00Z"), "2026-01-25T03:00");
    assert.equal(endsAt("2026-01-25T00:59:59Z"), undefined);
    assert.equal(endsAt("2026-01-25T03:00:00Z"), undefined);
    assert.equal(endsAt("2026-01-26T01:30:00Z"), undefined);
    // 2026-03-29 02:00 becomes 03:00; 2026-10-25 03:00 becomes 02:00.
    assert.equal(endsAt("2026-03-29T01:30:00Z"), "2026-03-29T02:00");
    assert.equal(endsAt("2026-10-25T00:00:00Z"), "2026-10-25T03:00");
    assert.equal(endsAt("2026-10-25T02:30:00Z"), "2026-10-25T03:00");
  });

  it("reaches over midnight from the day on which it begins", () => {
    const nights = { ...sundays, from: "23:00", to: "01:00" };
    assert.equal(endsAt("2026-01-25T23:30:00Z", nights), "2026-01-26T00:00");
    assert.equal(endsAt("2026-01-24T23:30:00Z", nights), undefined);
  });

  it("is once from one instant to another", () => {
    const once = {
      type: "once",
      from: "2026-01-31T12:00:00+01:00",
      to: "2026-01-31T13:00:00+01:00",
    } as const;
    assert.equal(endsAt("2026-01-31T11:59:59Z", once), "2026-01-31T12:00");
    assert.equal(endsAt("2026-01-31T10:59:59Z", once), undefined);
    assert.equal(endsAt("2026-01-31T12:00:00Z", once), undefined);
  });
});

describe("alerts of a server under maintenance", () => {
  const offline = { kind: "offline", name: "Gone", graceSeconds: 60 };
  /** From the last sign of life until the alert. */
  const GONE = 61;

  async function setUp(minutes: number) {
    const found: { maintenance?: Maintenance } = {};
    const bench = await createAlertsBench(undefined, {
      isInMaintenance: (record) => found.maintenance?.findEnd(record) !== undefined,
    });
    const settings = { ...settingsFieldsSchema.parse({}), id: "settings" as const, version: 1 };
    const maintenance = new Maintenance({
      store: bench.store,
      clock: bench.clock,
      settings: { read: () => Promise.resolve(settings) },
    });
    found.maintenance = maintenance;
    const now = bench.clock.now();
    const schedule = {
      type: "once",
      from: new Date(now).toISOString(),
      to: new Date(now + minutes * 60_000).toISOString(),
    };
    const scope = { type: "tag", tag: "db" };
    await maintenance.create(maintenanceFieldsSchema.parse({ name: "Updates", scope, schedule }), actor);
    await maintenance.reload();
    bench.server("db-1", { tags: ["db"] });
    bench.up("db-1", "web-1");
    await bench.rule(offline);
    return bench;
  }

  it("are not sent, and never if they end before it does; others are sent", async () => {
    const bench = await setUp(10);
    bench.down("db-1", "web-1");
    await bench.pass(GONE);
    assert.deepEqual(await bench.takeTitles(), ["web-1 offline"]);
    assert.equal(bench.alerts.firing().length, 2);
    bench.up("db-1");
    await bench.pass(600);
    assert.deepEqual(await bench.takeTold(), []);
  });

  it("are sent at its end when they last", async () => {
    const bench = await setUp(5);
    bench.down("db-1");
    await bench.pass(299);
    assert.deepEqual(await bench.takeTold(), []);
    await bench.pass(2);
    assert.deepEqual(await bench.takeTitles(), ["db-1 offline"]);
    bench.up("db-1");
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), ["db-1 back online"]);
  });
});

describe("administration of maintenance", () => {
  let app: TestApp;
  beforeEach(async () => {
    app = await createTestApp();
  });

  it("creates, shows what is open, replaces and deletes", async () => {
    await create(app, "web-1");
    const from = new Date(app.clock.now()).toISOString();
    const to = new Date(app.clock.now() + 3_600_000).toISOString();
    const made = await app.admin("POST", PATH, { name: "Now", schedule: { type: "once", from, to } });
    assert.equal(made.status, 201);
    const { id, version, activeUntil, scope } = await made.json();
    assert.deepEqual([version, Date.parse(activeUntil), scope], [1, Date.parse(to), { type: "all" }]);
    const record = app.monitor.publicSnapshot.findRecord("web-1");
    assert.ok(record !== undefined);
    assert.equal(app.monitor.maintenance.findEnd(record), Date.parse(to));
    const weekly = { name: "Sundays", schedule: sundays, version: 1 };
    const replaced = await (await app.admin("PUT", `${PATH}/${id}`, weekly)).json();
    assert.deepEqual([replaced.name, replaced.version, replaced.activeUntil], ["Sundays", 2, undefined]);
    assert.deepEqual(await code(await app.admin("PUT", `${PATH}/${id}`, weekly)), [409, "version_conflict"]);
    const change = { schedule: { type: "once", from, to } };
    const changed = await (await app.admin("PATCH", `${PATH}/${id}`, change)).json();
    assert.deepEqual([changed.name, changed.version, changed.schedule], ["Sundays", 3, change.schedule]);
    assert.deepEqual(await code(await app.admin("PATCH", `${PATH}/${id}`, { scope: { type: "x" } })), [
      422,
      "invalid",
    ]);
    assert.equal((await (await app.admin("GET", PATH)).json()).items.length, 1);
    assert.equal((await app.admin("DELETE", `${PATH}/${id}`)).status, 204);
    assert.deepEqual(await code(await app.admin("GET", `${PATH}/${id}`)), [404, "not_found"]);
  });

  it("is public while it lasts, without its name, and with current alerts", async () => {
    await create(app, "web-1", { tags: ["db"] });
    await create(app, "web-2");
    const rule = { kind: "expiry", name: "Paid", daysAhead: 7, channelIds: [] };
    assert.equal((await app.admin("POST", "/api/admin/alert-rules", rule)).status, 201);
    const expiresAt = new Date(app.clock.now() + 86_400_000).toISOString();
    const billing = { priceMinor: 1, currency: "EUR", cycle: { n: 1, unit: "month" }, expiresAt };
    assert.equal((await app.admin("PATCH", "/api/admin/servers/web-1", { billing })).status, 200);
    const begins = app.clock.now() + 10_000;
    const schedule = {
      type: "once",
      from: new Date(begins).toISOString(),
      to: new Date(begins + 60_000).toISOString(),
    };
    await app.admin("POST", PATH, { name: "Private words", scope: { type: "tag", tag: "db" }, schedule });
    const pass = async (seconds: number): Promise<void> => {
      app.clock.advance(seconds * 1_000);
      app.monitor.tick();
      await app.monitor.alerts.tick();
    };
    const shown = async (): Promise<unknown[]> => {
      const text = await (await app.fetch("/api/servers")).text();
      assert.doesNotMatch(text, /Private words/u);
      const { items }: { items: { maintenanceUntil?: string }[] } = JSON.parse(text);
      return items.map(({ maintenanceUntil }) => maintenanceUntil && Date.parse(maintenanceUntil));
    };
    await pass(1);
    const { revision } = app.monitor.publicSnapshot;
    assert.deepEqual(await shown(), [undefined, undefined]);
    await pass(9);
    // Viewers of the feed get a frame of it, though no report came.
    assert.ok(app.monitor.publicSnapshot.revision > revision);
    assert.equal(
      JSON.parse(app.monitor.publicSnapshot.findEntry("web-1")?.json ?? "").maintenanceUntil,
      begins + 60_000,
    );
    assert.deepEqual(await shown(), [begins + 60_000, undefined]);
    const { firing } = await (await app.admin("GET", "/api/admin/alerts")).json();
    assert.equal(Date.parse(firing[0]?.maintenanceUntil), begins + 60_000);
    await pass(60);
    assert.deepEqual(await shown(), [undefined, undefined]);
  });

  it("refuses windows that never open", async () => {
    for (const schedule of [
      { ...sundays, to: "02:00" },
      { ...sundays, days: [] },
      { ...sundays, days: [8] },
      { type: "once", from: "2026-01-31T12:00:00Z", to: "2026-01-31T12:00:00Z" },
      { type: "once", from: "tomorrow", to: "2026-01-31T12:00:00Z" },
    ])
      assert.equal((await app.admin("POST", PATH, { name: "x", schedule })).status, 422);
  });
});
