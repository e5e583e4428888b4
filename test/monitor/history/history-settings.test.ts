/** How long history is kept, and what it takes, in the settings; history over HTTP beyond single reports. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestApp, createTestApp } from "../app-fixture.ts";
import { settings } from "../../../src/monitor/site/records.ts";
import { settingsRecordSchema } from "../../../src/monitor/base/schema.ts";
import { createSettings } from "../../../src/monitor/site/settings.ts";
import { START } from "../../support/fixed-clock.ts";
import { code, create } from "../http/requests.ts";

const PATH = "/api/admin/settings";
const HOUR = 3_600_000;

interface SettingsView {
  readonly version: number;
  readonly retention: Record<string, number>;
  readonly history: { servers: number; bytesOnDisk: number; estimatedBytes: number };
}

describe("retention in the settings", () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await createTestApp();
  });

  async function read(): Promise<SettingsView> {
    return (await app.admin("GET", PATH)).json();
  }

  it("has its defaults, and an estimate that grows with servers and time", async () => {
    const before = await read();
    assert.deepEqual(before.retention, { minuteHours: 24, tenMinuteDays: 14, hourDays: 90, dayDays: 730 });
    assert.deepEqual(before.history, { servers: 0, bytesOnDisk: 0, estimatedBytes: 0 });
    await create(app, "a");
    const { history } = await read();
    assert.equal(history.servers, 1);
    assert.ok(
      history.estimatedBytes > 500_000 && history.estimatedBytes < 5_000_000,
      `${history.estimatedBytes}`,
    );
    const put = await app.admin("PUT", PATH, { retention: { minuteHours: 48 } });
    const after: SettingsView = await put.json();
    assert.deepEqual(after.retention, { minuteHours: 48, tenMinuteDays: 14, hourDays: 90, dayDays: 730 });
    assert.ok(after.history.estimatedBytes > history.estimatedBytes);
  });

  it("takes an answer back as it is, and ignores what it says of the disk", async () => {
    const before = await read();
    const made = { ...before, history: { servers: 9, bytesOnDisk: 9, estimatedBytes: 9 } };
    const put = await app.admin("PUT", PATH, made);
    assert.equal(put.status, 200);
    const after: SettingsView = await put.json();
    assert.deepEqual([after.version, after.history], [1, before.history]);
  });

  it("refuses what is out of bounds, unknown, without a credential, or late", async () => {
    for (const retention of [
      { minuteHours: 0 },
      { minuteHours: 169 },
      { dayDays: 3_651 },
      { hourDays: 1.5 },
      { weekDays: 7 },
    ])
      assert.deepEqual(await code(await app.admin("PUT", PATH, { retention })), [422, "invalid"]);
    const body = JSON.stringify({});
    const headers = { "content-type": "application/json" };
    assert.deepEqual(await code(await app.fetch(PATH, { method: "PUT", headers, body })), [
      401,
      "unauthenticated",
    ]);
    assert.equal((await app.admin("PUT", PATH, { version: 0 })).status, 200);
    assert.deepEqual(await code(await app.admin("PUT", PATH, { version: 0 })), [409, "version_conflict"]);
  });

  it("is filled in for settings that were stored before there was any", async () => {
    const record = settingsRecordSchema.parse({ id: "settings", version: 1, siteTitle: "Old" });
    Reflect.deleteProperty(record, "retention");
    await app.store.transact((tx) => tx.insert(settings, record));
    const found = await createSettings({ store: app.store, clock: app.clock }).read();
    assert.deepEqual([found.siteTitle, found.retention.hourDays], ["Old", 90]);
  });

  it("takes effect at once for what is read", async () => {
    const { agentKey } = await create(app, "a");
    const session = await app.monitor.ingest.open({
      serverId: "a",
      agentKey,
      hostname: "a",
      remoteAddress: "192.0.2.9",
    });
    await session.report('{"v":1,"cpu":{"usagePercent":5}}', START - 3 * HOUR);
    await session.report('{"v":1,"cpu":{"usagePercent":7}}', START - 1);
    await app.monitor.history.flush(2);
    const tierOf = async (): Promise<[string, number]> => {
      const path = `/api/servers/a/history?metric=cpu.usagePercent&from=${START - 4 * HOUR}&points=1000`;
      const answer: { items: { tier: string; points: unknown[] }[] } = await (await app.fetch(path)).json();
      return [answer.items[0]?.tier ?? "", answer.items[0]?.points.length ?? 0];
    };
    assert.deepEqual(await tierOf(), ["1m", 2]);
    await app.admin("PUT", PATH, { retention: { minuteHours: 2 } });
    assert.deepEqual(await tierOf(), ["10m", 2]);
  });

  it("does not bring history back with an id that is made again", async () => {
    const { agentKey } = await create(app, "a");
    const session = await app.monitor.ingest.open({
      serverId: "a",
      agentKey,
      hostname: "a",
      remoteAddress: "192.0.2.9",
    });
    await session.report('{"v":1,"cpu":{"usagePercent":5}}', START - HOUR);
    await app.monitor.history.flush(2);
    const path = `/api/servers/a/history?metric=cpu.usagePercent&from=${START - 2 * HOUR}`;
    const count = async (): Promise<number> => {
      const answer: { items: { points: unknown[] }[] } = await (await app.fetch(path)).json();
      return answer.items[0]?.points.length ?? 0;
    };
    assert.equal(await count(), 1);
    assert.equal((await app.admin("DELETE", "/api/admin/servers/a")).status, 204);
    assert.deepEqual(await code(await app.fetch(path)), [404, "not_found"]);
    app.clock.advance(1);
    await create(app, "a");
    assert.equal(await count(), 0);
  });
});
