import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { createLog } from "../../../src/kit/observe/log.ts";
import type { AgentSession } from "../../../src/monitor/ingest/agent-session.ts";
import type { CheckpointEntry, SampleRow } from "../../../src/store/series/samples/samples.ts";
import type { Store } from "../../../src/store/store.ts";
import { START } from "../../support/fixed-clock.ts";
import { type TestApp, createTestApp, createTestSampleLog } from "../app-fixture.ts";
import { actor, createTestStore, fields } from "../fixtures.ts";

const from = { hostname: "box", remoteAddress: "192.0.2.1" };

function payload(cpu: number, more: object = {}): string {
  return JSON.stringify({ v: 1, cpu: { usagePercent: cpu }, ...more });
}

describe("ingest", () => {
  let app: TestApp;
  let store: Store;
  let kept: { rows: SampleRow[]; checkpoint: CheckpointEntry[] };
  let key: string;

  beforeEach(async () => {
    store = createTestStore();
    kept = { rows: [], checkpoint: [] };
    app = await createTestApp({ store, samples: createTestSampleLog(kept) });
    key = (await app.monitor.servers.create(fields("A"), { id: "a", actor })).agentKey;
  });

  function open(
    agentKey: string = key,
    serverId = "a",
    remoteAddress = from.remoteAddress,
  ): Promise<AgentSession> {
    return app.monitor.ingest.open({ ...from, serverId, agentKey, remoteAddress });
  }
  const latestCpu = (): unknown => {
    const cpu = app.monitor.live.get("a").latest?.sample["cpu"];
    return typeof cpu === "object" && cpu !== null && "usagePercent" in cpu ? cpu.usagePercent : undefined;
  };

  describe("hello", () => {
    it("takes the right key and shows the host name to the administrator only", async () => {
      await open();
      assert.equal(app.monitor.live.get("a").state, "online");
      for (let i = 0; i < 10 && (await app.monitor.servers.find("a"))?.hostname !== "box"; i += 1)
        await Promise.resolve();
      assert.equal((await app.monitor.servers.find("a"))?.hostname, "box");
    });

    it("answers an unknown id and a wrong key alike", async () => {
      const refusal = { code: "unauthenticated", message: "The server ID or the agent key is wrong" };
      await assert.rejects(open("agk_wrong"), refusal);
      await assert.rejects(open(key, "nobody"), refusal);
      await assert.rejects(open(""), refusal);
    });

    it("refuses an address after 20 failures, but never the right key behind the same address", async () => {
      for (let i = 0; i < 20; i += 1) await assert.rejects(open("agk_wrong"), { code: "unauthenticated" });
      await assert.rejects(open("agk_wrong"), { code: "rate_limited" });
      await open();
      await assert.rejects(open("agk_wrong", "a", "192.0.2.2"), { code: "unauthenticated" });
    });

    it("takes the old key during the grace of a rotation and refuses it after", async () => {
      await app.monitor.servers.rotateKey("a", { graceSeconds: 60, actor });
      const session = await open();
      app.clock.advance(59_999);
      app.monitor.tick();
      assert.equal(session.ended.aborted, false);
      app.clock.advance(1);
      app.monitor.tick();
      assert.equal(session.ended.aborted, true);
      await assert.rejects(open(), { code: "unauthenticated" });
    });

    it("flags a key that runs twice until the server gets a new one", async () => {
      for (let i = 0; i < 4; i += 1) await open();
      assert.equal(app.monitor.live.get("a").duplicateAgent, true);
      await app.monitor.servers.rotateKey("a", { graceSeconds: 0, actor });
      assert.equal(app.monitor.live.get("a").duplicateAgent, false);
    });

    it("refuses a disabled server, and a deleted one creates nothing", async () => {
      await app.monitor.servers.replace("a", { fields: fields("A", { disabled: true }), actor });
      await assert.rejects(open(), { code: "forbidden" });
      await app.monitor.servers.remove("a", actor);
      await assert.rejects(open(), { code: "unauthenticated" });
      assert.deepEqual(await app.monitor.servers.listAll(), []);
    });
  });

  describe("report", () => {
    it("is acknowledged with its time, only after it is durable", async () => {
      const session = await open();
      app.samples.hold();
      let answered = false;
      const answer = session.report(payload(12), START).then((outcome) => {
        answered = true;
        return outcome;
      });
      for (let i = 0; i < 50; i += 1) await Promise.resolve();
      assert.equal(answered, false);
      assert.equal(latestCpu(), undefined);
      app.samples.release();
      assert.deepEqual(await answer, { accepted: true, ack: `metrics ${START}` });
      assert.equal(latestCpu(), 12);
    });

    it("is stored once however often it comes, also while the first is still on its way", async () => {
      const session = await open();
      app.samples.hold();
      const both = [session.report(payload(1), START), session.report(payload(1), START)];
      await Promise.resolve();
      app.samples.release();
      const expected = { accepted: true, ack: `metrics ${START}` };
      assert.deepEqual(await Promise.all(both), [expected, expected]);
      assert.deepEqual(await session.report(payload(1), START), expected);
      assert.equal(kept.rows.length, 1);
      assert.deepEqual(app.monitor.ingest.counts, { stored: 1, repeated: 2, rejected: 0 });
    });

    it("is not acknowledged when it could not be stored, and is taken when it comes again", async () => {
      const session = await open();
      app.samples.failing = true;
      const both = [session.report(payload(1), START), session.report(payload(1), START)];
      for (const answer of both) await assert.rejects(answer, { code: "store_unavailable" });
      app.samples.failing = false;
      assert.equal((await session.report(payload(1), START)).accepted, true);
      assert.equal(kept.rows.length, 1);
    });

    it("that is late goes into the history and leaves the latest alone", async () => {
      const session = await open();
      await session.report(payload(50), START);
      await session.report(payload(10), START - 60_000);
      assert.equal(latestCpu(), 50);
      const [series] = await app.monitor.history.query({
        serverId: "a",
        metrics: ["cpu.usagePercent"],
        from: START - 90_000,
        to: START + 1,
        points: 10,
      });
      assert.deepEqual(
        series?.points.map((point) => [point.at, point.avg]),
        [
          [START - 60_000, 10],
          [START, 50],
        ],
      );
    });

    for (const [what, text, at] of [
      ["is no JSON", "{", START],
      ["says nothing", '{"v":1}', START],
      ["is from the day after tomorrow", payload(1), START + 86_400_001],
    ] as const) {
      it(`that ${what} is rejected with a reason and changes nothing`, async () => {
        const session = await open();
        const outcome = await session.report(text, at);
        assert.equal(outcome.accepted, false);
        assert.match(outcome.ack, /^rejected \S/u);
        assert.equal(kept.rows.length, 0);
        assert.equal(latestCpu(), undefined);
      });
    }

    it("that is rejected makes its server say so, with the reason for administrators alone", async () => {
      const session = await open();
      await session.report("{", START);
      const shown = async (): Promise<{ state: string; reports?: string }> =>
        (await app.fetch("/api/servers/a")).json();
      const seen = await shown();
      assert.deepEqual([seen.state, seen.reports], ["online", "rejected"]);
      assert.ok(!JSON.stringify(seen).includes("not JSON"));
      const { agent }: { agent: { reports?: string; rejectedBecause?: string } } = await (
        await app.admin("GET", "/api/admin/servers/a")
      ).json();
      assert.deepEqual([agent.reports, agent.rejectedBecause], ["rejected", "payload_json is not JSON"]);
      const faults = [{ name: "Memory", reason: "EACCES" }];
      await session.report(payload(1, { faults }), START);
      assert.equal((await shown()).reports, undefined);
      const after: { agent: { faults?: unknown } } = await (
        await app.admin("GET", "/api/admin/servers/a")
      ).json();
      assert.deepEqual(after.agent.faults, faults);
      assert.ok(!JSON.stringify(await shown()).includes("EACCES"));
    });

    it("that stays away for a minute makes its server say so", async () => {
      const session = await open();
      for (let second = 0; second < 70; second += 10) {
        session.heartbeat();
        app.clock.advance(10_000);
        app.monitor.tick();
      }
      const { items }: { items: { state: string; reports?: string }[] } = await (
        await app.fetch("/api/servers")
      ).json();
      assert.deepEqual(
        items.map(({ state, reports }) => [state, reports]),
        [["online", "missing"]],
      );
    });

    it("in flight while its server is deleted does not bring the server back", async () => {
      const session = await open();
      app.samples.hold();
      const answer = session.report(payload(1), START);
      await app.monitor.servers.remove("a", actor);
      app.samples.release();
      await answer;
      assert.equal(session.ended.aborted, true);
      assert.equal(app.monitor.live.get("a").state, "never");
    });

    it("keeps the machine's facts in the record once, and only known ones", async () => {
      const session = await open();
      const host = { os: "linux", kernel: "6.1", secret: { a: 1 } };
      await session.report(payload(1, { host }), START);
      for (let i = 0; i < 200 && (await app.monitor.servers.find("a"))?.host === undefined; i += 1)
        await Promise.resolve();
      for (let i = 0; i < 50; i += 1) await Promise.resolve();
      const first = await app.monitor.servers.find("a");
      assert.deepEqual(first?.host, { os: "linux", kernel: "6.1" });
      await session.report(payload(1, { host }), START + 1);
      assert.equal((await app.monitor.servers.find("a"))?.version, first?.version);
    });
  });

  describe("after a restart", () => {
    async function restart(): Promise<void> {
      app = await createTestApp({ store, samples: createTestSampleLog(kept) });
    }

    it("knows from rows alone what was stored, the latest numbers and the last sign of life", async () => {
      const session = await open();
      await session.report(payload(10, { disk: { totalBytes: 100, usedBytes: 40 } }), START);
      await restart();
      assert.equal(latestCpu(), 10);
      // What is reckoned of a list or of sums has no place in a report.
      assert.deepEqual(app.monitor.live.get("a").latest?.sample["disk"], { totalBytes: 100, usedBytes: 40 });
      assert.equal(app.monitor.live.get("a").lastSeenAt, START);
      assert.equal(app.monitor.live.get("a").reportsStored, 1);
      const again = await open();
      await again.report(payload(10), START);
      assert.equal(kept.rows.length, 1);
    });

    it("has the whole latest sample from the checkpoint, with newer numbers over it", async () => {
      const session = await open();
      await session.report(
        payload(10, { disk: { mounts: [{ path: "/", totalBytes: 2, usedBytes: 1 }] }, text: "kept" }),
        START,
      );
      kept.checkpoint = [...app.monitor.ingest.checkpoint()];
      await session.report(payload(20), START + 3_000);
      await restart();
      const sample = app.monitor.live.get("a").latest?.sample;
      assert.equal(latestCpu(), 20);
      assert.equal(sample?.["text"], "kept");
      assert.equal(app.monitor.live.get("a").reportsStored, 2);
    });

    it("rejects a repeated report whose row is long gone but is in the checkpoint", async () => {
      const session = await open();
      await session.report(payload(10), START);
      kept.checkpoint = [...app.monitor.ingest.checkpoint()];
      kept.rows.length = 0;
      await restart();
      await (await open()).report(payload(10), START);
      assert.equal(kept.rows.length, 0);
      assert.equal(app.monitor.ingest.counts.repeated, 1);
    });

    it("keeps what came after the clock was set back to before the server was made", async () => {
      app.clock.jump(-7_200_000);
      const session = await open();
      await session.report(payload(10), app.clock.now());
      kept.checkpoint = [...app.monitor.ingest.checkpoint()];
      await session.report(payload(20), app.clock.now() + 1);
      for (const rows of [kept.rows, []]) {
        kept.rows = rows;
        await restart();
        assert.equal(app.monitor.live.get("a").reportsStored, rows.length === 0 ? 1 : 2);
        assert.equal(latestCpu(), rows.length === 0 ? 10 : 20);
      }
    });

    it("gives a server that is made again under an id nothing of the one before, whatever the clock says", async () => {
      await (await open()).report(payload(10), START);
      kept.checkpoint = [...app.monitor.ingest.checkpoint()];
      await app.monitor.servers.remove("a", actor);
      app.clock.jump(-7_200_000);
      await app.monitor.servers.create(fields("A"), { id: "a", actor });
      const lines: string[] = [];
      const log = createLog({ level: "info", write: (line) => lines.push(line) });
      app = await createTestApp({ store, samples: createTestSampleLog(kept), log });
      assert.equal(app.monitor.live.get("a").state, "never");
      assert.match(lines[0] ?? "", /Restored samples from the sample log.*"rows":0/u);
      assert.match(lines[1] ?? "", /Skipped samples of deleted servers.*"deleted":0,"replaced":1/u);
    });

    it("reads rows of programs that kept the bare id by their time", async () => {
      const [old, own] = [START - 1, START].map((at) => ({ key: "a", at, receivedAt: at, values: [1] }));
      if (old === undefined || own === undefined) return;
      kept.rows.push(old, own);
      await restart();
      assert.equal(app.monitor.live.get("a").reportsStored, 1);
    });

    it("forgets servers that were deleted", async () => {
      await (await open()).report(payload(10), START);
      await app.monitor.servers.remove("a", actor);
      await restart();
      assert.equal(app.monitor.live.get("a").state, "never");
      assert.deepEqual([...app.monitor.ingest.checkpoint()], []);
    });
  });
});
