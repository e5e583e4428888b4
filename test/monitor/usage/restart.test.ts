/** Traffic of a whole monitor that is killed and started again over the same store and sample log. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { CheckpointEntry, SampleRow } from "../../../src/store/series/samples/samples.ts";
import type { Store } from "../../../src/store/store.ts";
import { START } from "../../support/fixed-clock.ts";
import { type TestApp, createTestApp, createTestSampleLog } from "../app-fixture.ts";
// After the application, whose schemas must be made first.
import { parseBlob, toBlob } from "../../../src/monitor/ingest/known-server.ts";
import { actor, createTestStore, fields } from "../fixtures.ts";

describe("usage after a restart of the monitor", () => {
  let app: TestApp;
  let store: Store;
  let kept: { rows: SampleRow[]; checkpoint: CheckpointEntry[]; isCovered?: boolean };
  let agentKey: string;

  beforeEach(async () => {
    store = createTestStore();
    kept = { rows: [], checkpoint: [] };
    app = await createTestApp({ store, samples: createTestSampleLog(kept) });
    ({ agentKey } = await app.monitor.servers.create(fields("A"), { id: "a", actor }));
  });

  async function send(rx: number, at: number): Promise<void> {
    const hello = { serverId: "a", agentKey, hostname: "", remoteAddress: "192.0.2.1" };
    const session = await app.monitor.ingest.open(hello);
    app.clock.advance(Math.max(0, at - app.clock.now()));
    const network = { rxTotalBytes: rx, txTotalBytes: 0 };
    await session.report(JSON.stringify({ v: 1, cpu: { usagePercent: 1 }, network }), at);
  }

  async function restart(): Promise<void> {
    app = await createTestApp({ store, samples: createTestSampleLog(kept) });
  }

  function used(): number | undefined {
    const record = app.monitor.publicSnapshot.findRecord("a");
    return record === undefined ? undefined : app.monitor.usage.traffic(record).usedBytes;
  }

  it("counts from rows alone", async () => {
    await send(100, START);
    await send(150, START + 1_000);
    await restart();
    assert.equal(used(), 50);
    await send(170, START + 2_000);
    assert.equal(used(), 70);
  });

  it("counts from checkpoint and rows, which may be in both, and from the store when it is later", async () => {
    await send(100, START);
    await send(150, START + 1_000);
    kept.checkpoint = [...app.monitor.ingest.checkpoint()];
    await send(20, START + 2_000);
    await restart();
    assert.equal(used(), 70);
    await app.monitor.usage.flush();
    await restart();
    assert.equal(used(), 70);
    // The rows that the store has are gone, and so is the checkpoint.
    kept.rows.length = 0;
    kept.checkpoint = [];
    await restart();
    assert.equal(used(), 70);
    await send(25, START + 3_000);
    assert.equal(used(), 75);
  });

  it("reads a checkpoint from before usage was counted", async () => {
    await send(100, START);
    const [entry] = [...app.monitor.ingest.checkpoint()];
    assert.ok(entry !== undefined);
    const old = toBlob(parseBlob(entry.blob).dedupe, { live: app.monitor.live.get("a"), dayBook: undefined });
    kept.checkpoint = [{ key: "a", blob: old }];
    await send(150, START + 1_000);
    await restart();
    assert.equal(used(), 50);
    assert.equal(app.monitor.live.get("a").reportsStored, 2);
  });

  it("counts each stored report once, however many there were and however often it starts", async () => {
    const count = 2_600;
    for (let n = 0; n < count; n += 1) await send(n, START + 1_000 * n);
    for (let life = 0; life < 3; life += 1) {
      // A stop leaves the segments and a checkpoint that covers them.
      kept = { rows: kept.rows, checkpoint: [...app.monitor.ingest.checkpoint()], isCovered: true };
      await restart();
      assert.equal(app.monitor.live.get("a").reportsStored, count);
    }
    // What came after the checkpoint is counted, once.
    kept = { ...kept, isCovered: false };
    await send(count, START + 1_000 * count);
    assert.equal(app.monitor.live.get("a").reportsStored, count + 1);
  });

  it("knows nothing of a server that was deleted and made again", async () => {
    await send(100, START);
    await send(150, START + 1_000);
    kept.checkpoint = [...app.monitor.ingest.checkpoint()];
    await app.monitor.usage.flush();
    await app.monitor.servers.remove("a", actor);
    app.clock.advance(1_000);
    await app.monitor.servers.create(fields("A"), { id: "a", actor });
    assert.equal(used(), 0);
    await restart();
    assert.equal(used(), 0);
  });
});
