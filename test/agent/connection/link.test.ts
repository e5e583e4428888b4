import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { type Link, createLink } from "../../../src/agent/connection/link.ts";
import { type ReportQueue, createReportQueue } from "../../../src/agent/queue/report-queue.ts";
import { StreamError } from "../../../src/agent/connection/transport.ts";
import { createLog } from "../../../src/kit/observe/log.ts";
import { grpcStatus } from "../../../src/runtime/runtime.ts";
import { type ManualTime, createManualTime, settle } from "../support/manual-time.ts";
import { type FakeStream, createFakeService } from "../support/service.ts";

let time: ManualTime;
let service: ReturnType<typeof createFakeService>;
let reports: ReportQueue;
let link: Link;
let lines: string[];
let stop: AbortController;
let ended: Promise<void>;

beforeEach(() => {
  time = createManualTime();
  service = createFakeService();
  reports = createReportQueue({ limit: 1000 });
  lines = [];
  stop = new AbortController();
  link = createLink({
    identity: { serverId: "s1", agentKey: "top-secret", hostname: "h" },
    reports,
    open: service.open,
    clock: time.clock,
    timers: time.timers,
    log: createLog({ level: "info", write: (line) => lines.push(line) }),
    random: () => 0.5,
  });
  ended = link.run(stop.signal);
});
afterEach(async () => {
  stop.abort();
  await time.advance(2000);
  await ended;
  assert.ok(!lines.join("\n").includes("top-secret"));
});

function stream(index: number): FakeStream {
  const found = service.streams[index];
  assert.ok(found !== undefined, `stream ${index} was not opened`);
  return found;
}

function add(...times: readonly number[]): void {
  for (const collectedAtUnixMs of times) reports.add({ collectedAtUnixMs, payloadJson: "{}" });
  link.wake();
}

function waits(): number[] {
  // The farewell at a stop sleeps 1,000 too, but comes after what these tests look at.
  return [...time.sleeps];
}

async function connect(index = 0): Promise<FakeStream> {
  await settle();
  const opened = stream(index);
  opened.say("hello");
  await settle();
  return opened;
}

describe("the link", () => {
  it("says hello first and sends nothing before it was answered", async () => {
    add(1);
    await settle();
    assert.deepEqual(stream(0).received, [
      { kind: "hello", serverId: "s1", agentKey: "top-secret", hostname: "h" },
    ]);
    stream(0).say("hello");
    await settle();
    assert.deepEqual(stream(0).metrics(), [1]);
  });

  it("keeps a report until its own acknowledgement came", async () => {
    const first = await connect();
    add(1, 2, 3);
    first.say("metrics 2");
    await settle();
    assert.deepEqual(
      reports.all().map((each) => each.collectedAtUnixMs),
      [1, 3],
    );
  });

  it("sends exactly what was not acknowledged again, in order of collection", async () => {
    const first = await connect();
    add(1, 2, 3, 4);
    await settle();
    first.say("metrics 3");
    first.say("metrics 1");
    await settle();
    first.end(new StreamError(grpcStatus.unavailable, "gone"));
    await time.advance(1000);
    add(5);
    const second = await connect(1);
    assert.deepEqual(second.metrics(), [2, 4, 5]);
  });

  it("has 64 reports under way at most", async () => {
    const first = await connect();
    add(...Array.from({ length: 200 }, (_, index) => index + 1));
    await settle();
    assert.equal(first.metrics().length, 64);
    for (let at = 1; at <= 10; at += 1) first.say(`metrics ${at}`);
    await settle();
    assert.deepEqual(first.metrics().at(-1), 74);
  });

  it("drops a rejected report, also when the answers before it are late", async () => {
    const first = await connect();
    add(1, 2);
    first.say("rejected not JSON");
    await settle();
    assert.equal(reports.size, 2);
    first.say("metrics 1");
    await settle();
    assert.equal(reports.size, 0);
    assert.ok(lines.some((line) => line.includes("not JSON") && line.includes('"collectedAtUnixMs":2')));
  });

  it("finds out one by one which reports are rejected when a stream ended over them", async () => {
    const first = await connect();
    add(1, 2, 3);
    await settle();
    first.say("rejected bad");
    first.end(new StreamError(grpcStatus.invalidArgument, "too many bad reports"));
    await time.advance(1000);
    const second = await connect(1);
    assert.deepEqual(second.metrics(), [1]);
    second.say("rejected bad");
    await settle();
    assert.deepEqual(second.metrics(), [1, 2]);
    second.say("metrics 2");
    await settle();
    second.say("metrics 3");
    await settle();
    assert.equal(reports.size, 0);
    add(4, 5);
    await settle();
    assert.deepEqual(second.metrics(), [1, 2, 3, 4]);
  });

  it("waits 1 s × 1.6 between tries and starts small again after an acknowledgement", async () => {
    for (let tries = 0; tries < 4; tries += 1) {
      await settle();
      stream(tries).end(new StreamError(grpcStatus.unavailable, "refused"));
      await time.advance(tries === 3 ? 0 : 5000);
    }
    assert.deepEqual(waits(), [1000, 1600, 2560, 4096]);
    await time.advance(5000);
    const fifth = await connect(4);
    add(1);
    await settle();
    fifth.say("metrics 1");
    fifth.end();
    await settle();
    assert.equal(waits().at(-1), 1000);
  });

  it("does not start small again because of a hello alone", async () => {
    stream(0).end();
    await time.advance(1000);
    (await connect(1)).end();
    await settle();
    assert.deepEqual(waits(), [1000, 1600]);
  });

  const refusals = [
    [grpcStatus.unauthenticated, "error", "Check --id and --key"],
    [grpcStatus.permissionDenied, "error", "deleted or disabled, or its key was revoked"],
    [grpcStatus.aborted, "warn", "the same key is used twice"],
  ] as const;
  for (const [status, level, text] of refusals) {
    it(`waits a minute after status ${status} and says "${text}"`, async () => {
      await settle();
      stream(0).end(new StreamError(status, "no"));
      await settle();
      assert.deepEqual(waits(), [60_000]);
      assert.ok(lines.some((line) => line.includes(`"level":"${level}"`) && line.includes(text)));
    });
  }

  it("sends a heartbeat when nothing was sent for 15 s, and only then", async () => {
    const first = await connect();
    await time.advance(10_000);
    add(1);
    await settle();
    first.say("metrics 1");
    await time.advance(14_000);
    assert.deepEqual(first.received.filter(({ kind }) => kind === "heartbeat").length, 0);
    await time.advance(1000);
    assert.deepEqual(first.received.filter(({ kind }) => kind === "heartbeat").length, 1);
  });

  it("reconnects when there was no answer for 40 s", async () => {
    const first = await connect();
    await time.advance(5000);
    add(1);
    await time.advance(39_000);
    assert.equal(service.streams.length, 1);
    await time.advance(3000);
    assert.equal(service.streams.length, 2);
    assert.deepEqual((await connect(1)).metrics(), [1]);
    assert.ok(lines.some((line) => line.includes("No response for 40 s")));
    assert.equal(first.received.length > 0, true);
  });

  it("reconnects when the hello gets no answer", async () => {
    await settle();
    await time.advance(42_000);
    assert.equal(service.streams.length, 2);
  });

  it("stays on a connection that is quiet because there is nothing to say", async () => {
    const first = await connect();
    for (let passed = 0; passed < 300; passed += 15) {
      await time.advance(15_000);
      first.say("heartbeat");
      await settle();
    }
    assert.equal(service.streams.length, 1);
    assert.equal(link.offlineForMs(), 0);
  });

  it("tells for how long it has been offline", async () => {
    const first = await connect();
    first.end();
    await time.advance(500);
    assert.equal(link.offlineForMs(), 500);
  });

  it("waits a moment for the last acknowledgements when it is stopped", async () => {
    const first = await connect();
    add(1);
    await settle();
    stop.abort();
    await settle();
    first.say("metrics 1");
    await settle();
    assert.equal(reports.size, 0);
    await time.advance(1000);
    await ended;
  });
});
