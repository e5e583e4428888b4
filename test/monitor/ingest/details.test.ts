/** What of a report is for administrators: addresses, and lists that come with some reports only. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { AgentSession } from "../../../src/monitor/ingest/agent-session.ts";
import type { CheckpointEntry, SampleRow } from "../../../src/store/series/samples/samples.ts";
import type { Store } from "../../../src/store/store.ts";
import { START } from "../../support/fixed-clock.ts";
import { type TestApp, createTestApp, createTestSampleLog } from "../app-fixture.ts";
import { actor, createTestStore, fields } from "../fixtures.ts";

function payload(cpu: number, more: object = {}): string {
  return JSON.stringify({ v: 1, cpu: { usagePercent: cpu }, ...more });
}

describe("what only administrators see of a report", () => {
  let app: TestApp;
  let store: Store;
  let kept: { rows: SampleRow[]; checkpoint: CheckpointEntry[] };
  let agentKey: string;

  beforeEach(async () => {
    store = createTestStore();
    kept = { rows: [], checkpoint: [] };
    app = await createTestApp({ store, samples: createTestSampleLog(kept) });
    ({ agentKey } = await app.monitor.servers.create(fields("A"), { id: "a", actor }));
  });

  function open(): Promise<AgentSession> {
    return app.monitor.ingest.open({
      serverId: "a",
      agentKey,
      hostname: "box",
      remoteAddress: "192.0.2.1",
    });
  }
  const latestCpu = (): unknown => {
    const cpu = app.monitor.live.get("a").latest?.sample["cpu"];
    return typeof cpu === "object" && cpu !== null && "usagePercent" in cpu ? cpu.usagePercent : undefined;
  };

  it("keeps the machine's addresses and where it connects from, for administrators alone", async () => {
    const session = await open();
    const addresses = ["192.0.2.10", "2001:db8::10", "<b>no address</b>"];
    await session.report(payload(1, { host: { os: "linux", addresses } }), START);
    for (let i = 0; i < 500 && (await app.monitor.servers.find("a"))?.addresses === undefined; i += 1)
      await Promise.resolve();
    const { agent }: { agent: object } = await (await app.admin("GET", "/api/admin/servers/a")).json();
    const { addresses: shown, peerAddress }: { addresses?: unknown; peerAddress?: unknown } = agent;
    assert.deepEqual([shown, peerAddress], [["192.0.2.10", "2001:db8::10"], "192.0.2.1"]);
    for (const path of ["/api/servers", "/api/servers/a"])
      assert.doesNotMatch(await (await app.fetch(path)).text(), /192\.0\.2|2001:db8/u);
  });

  it("keeps facts of a machine whose texts hold U+0000 or a lone surrogate", async () => {
    const session = await open();
    await session.report(payload(1, { host: { os: "li\0nux", cpuModel: "CPU \ud83d" } }), START);
    for (let i = 0; i < 500 && (await app.monitor.servers.find("a"))?.host === undefined; i += 1)
      await Promise.resolve();
    const { os, cpuModel } = (await app.monitor.servers.find("a"))?.host ?? {};
    assert.deepEqual([os, cpuModel], ["li\ufffdnux", "CPU \ufffd"]);
  });

  it("keeps the lists of a report until they come again, for administrators alone", async () => {
    const units = (name: string): object => ({
      systemd: { failedUnits: 1 },
      details: { failedUnits: [{ name }], extras: [] },
    });
    const shown = async (path: string): Promise<unknown> => {
      const { latest }: { latest?: { sample: { details?: { failedUnits?: unknown } } } } = await (
        await app.admin("GET", path)
      ).json();
      return latest?.sample.details?.failedUnits;
    };
    const session = await open();
    await session.report(payload(1, units("certbot.service")), START);
    await session.report(payload(2, { systemd: { failedUnits: 1 } }), START + 3_000);
    assert.deepEqual(await shown("/api/admin/servers/a"), [{ name: "certbot.service" }]);
    // An older report, handed in later, changes nothing.
    await session.report(payload(3, units("old.service")), START - 60_000);
    assert.deepEqual(await shown("/api/admin/servers/a"), [{ name: "certbot.service" }]);
    assert.equal(latestCpu(), 2);
    assert.doesNotMatch(await (await app.admin("GET", "/api/admin/servers")).text(), /certbot/u);
    for (const path of ["/api/servers", "/api/servers/a"])
      assert.doesNotMatch(await (await app.fetch(path)).text(), /certbot/u);
    const history = "/api/servers/a/history?metric=cpu.usagePercent&metric=systemd.failedUnits";
    assert.equal((await app.fetch(history)).status, 403);
    assert.equal((await app.admin("GET", history)).status, 200);
    await session.report(payload(4, { details: {} }), START + 6_000);
    assert.equal(await shown("/api/admin/servers/a"), undefined);
  });

  it("refuses lists that are longer than they may be", async () => {
    const session = await open();
    const answer = await session.report(
      payload(1, { details: { containers: Array.from({ length: 65 }, () => ({ name: "x" })) } }),
      START,
    );
    assert.equal(answer.ack, "rejected details.containers must be an array of at most 64 items");
  });

  it("has the lists that came before the latest report", async () => {
    const session = await open();
    await session.report(payload(10, { details: { failedUnits: [{ name: "certbot.service" }] } }), START);
    await session.report(payload(20), START + 3_000);
    kept.checkpoint = [...app.monitor.ingest.checkpoint()];
    await session.report(payload(30), START + 6_000);
    app = await createTestApp({ store, samples: createTestSampleLog(kept) });
    await (await open()).report(payload(40), START + 9_000);
    assert.equal(latestCpu(), 40);
    assert.equal(app.monitor.live.get("a").details, '{"failedUnits":[{"name":"certbot.service"}]}');
  });
});
