import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { AppError } from "../../../src/kit/errors.ts";
import type { ReportOutcome } from "../../../src/monitor/ingest/agent-session.ts";
import type { AgentStreamLimits } from "../../../src/monitor/ingest/agent-stream.ts";
import { encodeAgentMessage } from "../../../src/monitor/proto/codec.ts";
import { GrpcError, grpcStatus } from "../../../src/runtime/runtime.ts";
import { StoreError } from "../../../src/store/store.ts";
import { createFakeIngest, heartbeat, hello, report, run, settle } from "./agent-stream-kit.ts";

describe("createAgentStream", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());

  it("acknowledges the hello, heartbeats and stored reports, and ends with OK after a half-close", async () => {
    const { ingest, hellos, reports, counts } = createFakeIngest();
    const stream = run(ingest);
    stream.send(hello, heartbeat, report(5, '{"v":1}'));
    assert.equal(await stream.next(), "hello");
    assert.deepEqual(hellos, [
      { serverId: "s1", agentKey: "key", hostname: "box", remoteAddress: "192.0.2.1" },
    ]);
    assert.equal(await stream.next(), "heartbeat");
    assert.equal(counts.heartbeats, 1);
    await settle();
    assert.equal(reports[0]?.payloadJson, '{"v":1}');
    stream.halfClose();
    const last = stream.next();
    reports[0]?.resolve();
    assert.equal(await last, "metrics 5");
    assert.equal(await stream.next(), "status 0");
    assert.equal(counts.closed, 1);
  });

  describe("hello", () => {
    it("must come in time", async () => {
      const { ingest, counts } = createFakeIngest();
      const stream = run(ingest);
      const end = stream.next();
      await settle();
      for (const ms of [1_000, 1_999]) stream.pass(ms);
      await settle();
      stream.pass(1);
      assert.match(await end, /^status 4: /u);
      stream.send(hello);
      await settle();
      assert.equal(counts.closed, 0);
    });

    it("leaves no timer behind", async () => {
      const { ingest } = createFakeIngest();
      const stream = run(ingest);
      stream.send(hello);
      assert.equal(await stream.next(), "hello");
      stream.pass(60_000);
      stream.send(heartbeat);
      assert.equal(await stream.next(), "heartbeat");
    });

    it("must be the first message", async () => {
      for (const message of [heartbeat, report(1), encodeAgentMessage({ kind: "none" })]) {
        const { ingest, hellos } = createFakeIngest();
        const stream = run(ingest);
        stream.send(message);
        assert.match(await stream.next(), /^status 9: /u);
        assert.deepEqual(hellos, []);
      }
    });

    it("must not come twice; what came before is still acknowledged", async () => {
      const { ingest, reports, counts } = createFakeIngest();
      const stream = run(ingest);
      stream.send(hello, report(1), hello);
      assert.equal(await stream.next(), "hello");
      await settle();
      reports[0]?.resolve();
      assert.equal(await stream.next(), "metrics 1");
      assert.match(await stream.next(), /^status 9: /u);
      assert.equal(counts.closed, 1);
    });

    it("is refused with the status of the ingest's error", async () => {
      for (const [code, status] of [
        ["unauthenticated", grpcStatus.unauthenticated],
        ["rate_limited", grpcStatus.resourceExhausted],
        ["forbidden", grpcStatus.permissionDenied],
      ] as const) {
        const { ingest, counts } = createFakeIngest({ open: () => Promise.reject(new AppError(code, "No")) });
        const stream = run(ingest);
        stream.send(hello, report(1));
        assert.equal(await stream.next(), `status ${status}: No`);
        assert.equal(counts.closed, 0);
      }
    });

    it("is refused before any work when the key is too long or not UTF-8", async () => {
      const { ingest, hellos } = createFakeIngest();
      const long = run(ingest);
      long.send(
        encodeAgentMessage({ kind: "hello", serverId: "s1", agentKey: "é".repeat(65), hostname: "" }),
      );
      assert.match(await long.next(), /^status 3: /u);
      const broken = run(ingest);
      broken.send(Uint8Array.from([0x0a, 4, 0x12, 2, 0xc3, 0x28]));
      assert.match(await broken.next(), /^status 3: /u);
      assert.deepEqual(hellos, []);
    });

    it("closes a session that was opened for a client that left meanwhile", async () => {
      let admit: () => void = () => undefined;
      const { ingest, counts } = createFakeIngest({
        open: () => new Promise((resolve) => (admit = resolve)),
      });
      const stream = run(ingest);
      stream.send(hello);
      const end = stream.next();
      await settle();
      stream.cancel();
      assert.match(await end, /^status 1: /u);
      admit();
      await settle();
      assert.equal(counts.closed, 1);
    });
  });

  describe("reports", () => {
    async function open(limits: Partial<AgentStreamLimits> = {}) {
      const fake = createFakeIngest();
      const stream = run(fake.ingest, limits);
      stream.send(hello);
      assert.equal(await stream.next(), "hello");
      return { ...fake, stream };
    }

    it("are taken while earlier ones wait for the disk, and acknowledged in order", async () => {
      const { stream, reports } = await open();
      stream.send(report(1), report(2), heartbeat, report(3));
      await settle();
      assert.equal(reports.length, 3);
      const first = stream.next();
      reports[2]?.resolve();
      reports[1]?.resolve({ accepted: false, ack: "rejected not JSON" });
      reports[0]?.resolve();
      assert.equal(await first, "metrics 1");
      assert.equal(await stream.next(), "rejected not JSON");
      assert.equal(await stream.next(), "heartbeat");
      assert.equal(await stream.next(), "metrics 3");
    });

    it("are not read beyond the window of unacknowledged ones", async () => {
      const { stream, reports } = await open({ maxUnacknowledged: 3 });
      stream.send(...Array.from({ length: 10 }, (_, index) => report(index)));
      await settle();
      assert.equal(reports.length, 3);
      reports[0]?.resolve();
      await settle();
      assert.equal(reports.length, 3, "stored, but the client has not taken the Ack");
      assert.equal(await stream.next(), "metrics 0");
      await settle();
      assert.equal(reports.length, 4);
    });

    it("over the size limit are rejected without being looked at", async () => {
      const { stream, reports } = await open();
      stream.send(report(1, "é".repeat(32 * 1024)), report(2, `é${"é".repeat(32 * 1024)}`));
      await settle();
      assert.deepEqual(
        reports.map(({ at }) => at),
        [1],
      );
      reports[0]?.resolve();
      assert.equal(await stream.next(), "metrics 1");
      assert.equal(await stream.next(), "rejected payload_json is over 64 KiB");
    });

    it("end the stream with INVALID_ARGUMENT after 20 rejections in a row, counted in the order of the messages", async () => {
      const { stream, reports, counts } = await open();
      const refused: ReportOutcome = { accepted: false, ack: "rejected x" };
      stream.send(...Array.from({ length: 45 }, (_, index) => report(index)));
      await settle();
      // Report 19 is good, but stored last of all.
      for (const [index, pending] of reports.entries()) if (index !== 19) pending.resolve(refused);
      for (let index = 0; index < 19; index += 1) assert.equal(await stream.next(), "rejected x");
      reports[19]?.resolve();
      assert.equal(await stream.next(), "metrics 19");
      for (let index = 20; index < 40; index += 1) assert.equal(await stream.next(), "rejected x");
      assert.match(await stream.next(), /^status 3: /u);
      assert.equal(counts.closed, 1);
    });

    it("count a message without a payload as rejected", async () => {
      const { stream } = await open({ maxRejections: 2 });
      const none = encodeAgentMessage({ kind: "none" });
      stream.send(none, none, none);
      assert.match(await stream.next(), /^rejected /u);
      assert.match(await stream.next(), /^rejected /u);
      assert.match(await stream.next(), /^status 3: /u);
    });

    it("that could not be stored end the stream with UNAVAILABLE, after the Acks before them", async () => {
      const { stream, reports, counts } = await open();
      stream.send(report(1), report(2), report(3));
      await settle();
      reports[1]?.reject(new StoreError("store_unavailable", 'Writing "/secret/path" failed'));
      reports[2]?.resolve();
      reports[0]?.resolve();
      assert.equal(await stream.next(), "metrics 1");
      const end = await stream.next();
      assert.match(end, /^status 14: /u);
      assert.doesNotMatch(end, /secret/u);
      assert.equal(await stream.next(), "status 0", "an iterator that has ended stays ended");
      assert.equal(counts.closed, 1);
    });

    it("that are no protobuf end the stream with INVALID_ARGUMENT", async () => {
      const { stream, counts } = await open();
      stream.send(Uint8Array.from([0x1a, 200]));
      assert.match(await stream.next(), /^status 3: /u);
      assert.equal(counts.closed, 1);
    });

    it("beyond the burst are read at the sustained rate", async () => {
      const { stream, reports } = await open({ burst: 5, messagesPerSecond: 10, maxUnacknowledged: 1000 });
      stream.send(...Array.from({ length: 30 }, (_, index) => report(index)));
      await settle();
      // The hello was the first of the burst; one message beyond it is taken before the wait.
      assert.equal(reports.length, 5);
      for (let second = 1; second <= 2; second += 1) {
        for (let step = 0; step < 10; step += 1) {
          stream.pass(100);
          await settle();
        }
        assert.equal(reports.length, 5 + 10 * second);
      }
      assert.ok(stream.reads() <= 27);
    });

    it("of an agent that keeps to the rate are never held up", async () => {
      const { stream, reports } = await open({ burst: 5, messagesPerSecond: 10 });
      for (let index = 0; index < 50; index += 1) {
        stream.send(report(index));
        await settle();
        reports[index]?.resolve();
        assert.equal(await stream.next(), `metrics ${index}`);
        stream.pass(100);
      }
    });
  });

  describe("ends", () => {
    async function open() {
      const fake = createFakeIngest();
      const stream = run(fake.ingest);
      stream.send(hello);
      assert.equal(await stream.next(), "hello");
      return { ...fake, stream };
    }

    it("at once when the session is superseded, deleted or revoked", async () => {
      for (const status of [grpcStatus.aborted, grpcStatus.permissionDenied] as const) {
        const { stream, ended, reports, counts } = await open();
        stream.send(report(1));
        await settle();
        const end = stream.next();
        ended.abort(new GrpcError(status, "Ended"));
        assert.equal(await end, `status ${status}: Ended`);
        assert.equal(counts.closed, 1);
        reports[0]?.resolve();
      }
    });

    it("on shutdown only after what was received is stored and acknowledged", async () => {
      const { stream, ended, reports, counts } = await open();
      stream.send(report(1), report(2));
      await settle();
      ended.abort(new GrpcError(grpcStatus.unavailable, "The service is shutting down"));
      stream.send(report(3));
      await settle();
      assert.equal(reports.length, 2);
      assert.equal(counts.closed, 0);
      for (const pending of reports) pending.resolve();
      assert.equal(await stream.next(), "metrics 1");
      assert.equal(await stream.next(), "metrics 2");
      assert.match(await stream.next(), /^status 14: /u);
      assert.equal(counts.closed, 1);
    });

    it("when a session is ended already as it opens", async () => {
      const fake = createFakeIngest();
      fake.ended.abort(new GrpcError(grpcStatus.permissionDenied, "Deleted"));
      const stream = run(fake.ingest);
      stream.send(hello);
      const seen = [await stream.next(), await stream.next()];
      assert.ok(seen.includes("status 7: Deleted"), seen.join());
      assert.equal(fake.counts.closed, 1);
    });

    it("with its session closed when the client is gone, also in the middle of a wait", async () => {
      const { stream, counts, reports } = await open();
      stream.send(report(1));
      await settle();
      stream.cancel();
      assert.equal(counts.closed, 1);
      reports[0]?.resolve();
      assert.match(await stream.next(), /^status 1: /u);
    });

    it("with its session closed once when the listener gives the responses up", async () => {
      const { stream, counts } = await open();
      await stream.stop();
      await stream.stop();
      assert.equal(counts.closed, 1);
      assert.equal(await stream.next(), "status 0");
    });

    it("wakes a reader that waits for its pace or for room", async () => {
      const fake = createFakeIngest();
      const slow = run(fake.ingest, { burst: 1, messagesPerSecond: 0.01 });
      slow.send(hello, heartbeat, heartbeat);
      assert.equal(await slow.next(), "hello");
      await settle();
      slow.cancel();
      slow.halfClose();
      await settle();
      assert.equal(fake.counts.closed, 1);
    });
  });
});
