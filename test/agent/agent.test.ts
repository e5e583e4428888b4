import { type Choices, createChoices } from "../../src/agent/choices.ts";
import { noLists } from "../../src/agent/name-filter.ts";
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { createAgent, measureOnce } from "../../src/agent/agent.ts";
import type { ChecksSource } from "../../src/agent/checks/checks.ts";
import { type PendingResults, createPendingResults } from "../../src/agent/checks/results.ts";
import { createCollectionTimes } from "../../src/agent/collection-times.ts";
import { createFactReader } from "../../src/agent/facts.ts";
import { createLink } from "../../src/agent/connection/link.ts";
import { createDetails } from "../../src/agent/details/details.ts";
import { createMachineDetails } from "../../src/agent/details/this-machine.ts";
import type { MetricsSource } from "../../src/agent/metrics/source.ts";
import { createMetricsSource } from "../../src/agent/metrics/this-machine.ts";
import type { HostFacts, Payload } from "../../src/agent/payload.ts";
import { openRing, type Ring } from "../../src/agent/queue/ring.ts";
import { systemTimers } from "../../src/agent/timers.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { silentLog } from "../../src/kit/observe/log.ts";
import { reportSchema } from "../../src/monitor/base/report-schema.ts";
import { nodeFileLayer } from "../../src/kit/files/file-layer.ts";
import { type ManualTime, createManualTime, settle } from "./support/manual-time.ts";
import { createFakeService, type FakeStream } from "./support/service.ts";

let folder: string;
let time: ManualTime;
let service: ReturnType<typeof createFakeService>;
let ring: Ring;
let stop: AbortController;
let facts: HostFacts;
let unitName: string;
let ended: Promise<void>;
let pending: PendingResults;
let choices: Choices;

function openTheRing(): Promise<Ring> {
  return openRing({
    files: nodeFileLayer,
    path: join(folder, "ring.jsonl"),
    limit: 1564,
    onThinned: pending.takeBack,
    clock: time.clock,
    log: silentLog,
  });
}

/** Checks of which the test says the results. */
function createTestChecks(): ChecksSource {
  return {
    run: async () => undefined,
    once: async () => undefined,
    next: (bytes) => {
      const results = pending.take(bytes);
      return results.length === 0 ? undefined : { hash: "0123456789abcdef", results };
    },
  };
}

function foundNow(): void {
  pending.add({ id: "chk_a", at: time.clock.now(), hash: "a", detail: "200 OK" });
}

function createSource(): MetricsSource {
  let calls = 0;
  return {
    // As the real one: nothing to tell at the first call.
    measure: async () => {
      calls += 1;
      return calls === 1 ? undefined : { cpu: { usagePercent: calls } };
    },
    host: async () => facts,
  };
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "trivet-agent-"));
  time = createManualTime();
  service = createFakeService();
  stop = new AbortController();
  facts = { kernel: "6.1" };
  unitName = "certbot.service";
  pending = createPendingResults();
  choices = createChoices(noLists);
  ring = await openTheRing();
  const shared = {
    clock: time.clock,
    timers: time.timers,
    log: silentLog,
    facts: createFactReader(silentLog),
  };
  const agent = createAgent({
    ...shared,
    choices,
    source: createSource(),
    details: createDetails({
      ...shared,
      readers: [
        {
          name: "Units",
          read: () => ({ systemd: { failedUnits: 1 }, details: { failedUnits: [{ name: unitName }] } }),
        },
      ],
    }),
    checks: createTestChecks(),
    ring,
    times: createCollectionTimes(undefined),
    intervalMs: 3000,
    createLink: (events) =>
      createLink({
        ...shared,
        events: { ...events, onLists: (text) => choices.take(text) },
        identity: { serverId: "s", agentKey: "k", hostname: "h" },
        reports: ring,
        open: service.open,
        random: () => 0.5,
      }),
  });
  ended = agent.run(stop.signal);
  await settle();
});
afterEach(async () => {
  stop.abort();
  await time.advance(2000);
  await ended;
  await rm(folder, { recursive: true, force: true });
});

function stream(index: number): FakeStream {
  const found = service.streams[index];
  assert.ok(found !== undefined);
  return found;
}

type Sent = Pick<Payload, "cpu" | "host" | "intervalMs" | "v" | "systemd" | "details" | "checks" | "lists">;

function payloads(of: FakeStream): Sent[] {
  return of.received.flatMap((each) => (each.kind === "metrics" ? [JSON.parse(each.payloadJson)] : []));
}

describe("the agent", () => {
  it("reports every interval, from a second after its start", async () => {
    const start = time.clock.now();
    stream(0).say("hello");
    await time.advance(1000);
    assert.deepEqual(stream(0).metrics(), [start + 1000]);
    await time.advance(6000);
    assert.deepEqual(stream(0).metrics(), [start + 1000, start + 4000, start + 7000]);
    assert.deepEqual([payloads(stream(0))[0]?.v, payloads(stream(0))[0]?.intervalMs], [1, 3000]);
  });

  it("sends lists twice a minute, their counts with every report, and no list that leaves no room", async () => {
    stream(0).say("hello");
    await time.advance(31_000);
    const before = payloads(stream(0));
    assert.ok(before.every(({ systemd }) => systemd?.failedUnits === 1));
    const withLists = before.flatMap(({ details }, index) => (details === undefined ? [] : [index]));
    assert.deepEqual(withLists, [0, 10]);
    assert.deepEqual(before[10]?.details, { failedUnits: [{ name: "certbot.service" }] });
    unitName = "x".repeat(70_000);
    await time.advance(30_000);
    const after = payloads(stream(0)).slice(before.length);
    assert.ok(after.every(({ systemd, details }) => systemd?.failedUnits === 1 && details === undefined));
  });

  it("asks for the monitor's lists at each connection and twice a minute, and says which it has", async () => {
    const asked = (of: FakeStream): readonly (string | undefined)[] => payloads(of).map(({ lists }) => lists);
    stream(0).say("hello");
    await time.advance(9_010);
    assert.deepEqual(asked(stream(0)).slice(0, 3), ["0", undefined, undefined]);
    stream(0).say('lists a1 {"units":"nginx"}');
    await time.advance(24_000);
    assert.equal(choices.filters.units("nginx"), true);
    assert.deepEqual(
      asked(stream(0)).filter((lists) => lists !== undefined),
      ["0", "a1"],
    );
    for (const at of stream(0).metrics()) stream(0).say(`metrics ${at}`);
    stream(0).end();
    await time.advance(2_000);
    stream(1).say("hello");
    await time.advance(4_000);
    assert.ok(asked(stream(1)).includes("a1"));
  });

  it("tells the facts of the host until they are stored, and again when they changed", async () => {
    stream(0).say("hello");
    await time.advance(4000);
    assert.deepEqual(
      payloads(stream(0)).map(({ host }) => host?.kernel),
      ["6.1", "6.1"],
    );
    for (const at of stream(0).metrics()) stream(0).say(`metrics ${at}`);
    await time.advance(3000);
    assert.equal(payloads(stream(0))[2]?.host, undefined);
    facts = { kernel: "6.2" };
    for (const at of stream(0).metrics()) stream(0).say(`metrics ${at}`);
    await settle();
    time.jump(3_600_000);
    await time.advance(3000);
    assert.equal(payloads(stream(0))[3]?.host?.kernel, "6.2");
  });

  it("keeps one report a minute once it is offline for longer, and brings them in order afterwards", async () => {
    stream(0).end(new Error("down"));
    while (time.clock.monotonic() < 600_000) {
      await time.advance(20_000);
      for (const each of service.streams) each.end(new Error("down"));
    }
    // Ten minutes: one each for nine, and the last one whole.
    assert.ok(ring.size >= 28 && ring.size <= 32, `${ring.size} kept`);
    await time.advance(60_000);
    const last = service.streams.at(-1);
    assert.ok(last !== undefined);
    last.say("hello");
    await settle();
    const times = last.metrics();
    assert.ok(times.length >= 28);
    assert.deepEqual(
      times,
      [...times].sort((a, b) => a - b),
    );
  });

  it("sends each result of a check once, and no more of them than find room", async () => {
    stream(0).say("hello");
    for (let index = 0; index < 500; index += 1)
      pending.add({ id: `chk_${index}`, at: time.clock.now(), hash: "a", detail: "x".repeat(150) });
    unitName = "x".repeat(50_000);
    await time.advance(40_000);
    const sent = stream(0).received.flatMap((each) => (each.kind === "metrics" ? [each.payloadJson] : []));
    for (const json of sent) assert.ok(Buffer.byteLength(json) <= 65_536);
    const ids = payloads(stream(0)).flatMap(({ checks }) => (checks?.results ?? []).map(({ id }) => id));
    assert.deepEqual(
      ids,
      Array.from({ length: 500 }, (_, index) => `chk_${index}`),
    );
  });

  it("keeps every result while it is offline, in the one report a minute that it keeps", async () => {
    stream(0).end(new Error("down"));
    const start = time.clock.now();
    while (time.clock.monotonic() < 600_000) {
      foundNow();
      await time.advance(20_000);
      for (const each of service.streams) each.end(new Error("down"));
    }
    await time.advance(60_000);
    const last = service.streams.at(-1);
    assert.ok(last !== undefined);
    last.say("hello");
    await settle();
    await time.advance(6_000);
    const results = payloads(last).flatMap(({ checks }) => checks?.results ?? []);
    const times = results.map(({ at }) => (at - start) / 20_000).toSorted((a, b) => a - b);
    assert.deepEqual(
      times,
      Array.from({ length: 30 }, (_, index) => index),
    );
  });

  it("leaves unacknowledged reports on disk when it stops", async () => {
    await time.advance(4000);
    stop.abort();
    await time.advance(2000);
    await ended;
    const after = await openTheRing();
    assert.equal(after.size, 2);
    await after.close();
  });
});

describe("the agent's rhythm", () => {
  it("is not disturbed by timers that fire a moment early", async () => {
    const start = time.clock.now();
    stream(0).say("hello");
    await time.advance(1000);
    time.skew(-2);
    await time.advance(9010);
    const times = stream(0)
      .metrics()
      .map((at) => at - start);
    assert.deepEqual(times.length, 4);
    for (const [index, at] of times.entries())
      assert.ok(Math.abs(at - 1000 - index * 3000) <= 4, `${times.join()}`);
  });
});

describe("measureOnce", () => {
  it("gives a report of this machine that the service takes", async () => {
    const shared = {
      clock: systemClock,
      timers: systemTimers,
      log: silentLog,
      facts: createFactReader(silentLog),
    };
    const source = await createMetricsSource({ ...shared, agentVersion: "1.2.3" });
    const details = createMachineDetails({
      ...shared,
      extraFolder: join(folder, "extra.d"),
      choices: createChoices(noLists),
    });
    pending.add({ id: "chk_a", at: 1, hash: "a", detail: "200 OK" });
    const checks = createTestChecks();
    const payload = await measureOnce({ ...shared, source, details, checks, intervalMs: 3000 });
    const checked = reportSchema.parse(JSON.parse(JSON.stringify(payload)));
    assert.equal(checked.host?.agentVersion, "1.2.3");
    assert.deepEqual(payload.checks?.results?.length, 1);
    assert.ok((checked.memory?.totalBytes ?? 0) > 0);
  });
});
