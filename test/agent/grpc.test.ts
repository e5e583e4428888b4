import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type LinkOptions, createLink } from "../../src/agent/connection/link.ts";
import { createReportQueue } from "../../src/agent/queue/report-queue.ts";
import { systemTimers } from "../../src/agent/timers.ts";
import { createTransport } from "../../src/agent/connection/transport.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { silentLog } from "../../src/kit/observe/log.ts";
import { type GrpcService, startGrpcService } from "./support/service.ts";

type Events = NonNullable<LinkOptions["events"]>;

/** Runs a link against a service until `until` holds, with waits cut short. */
async function runLink(
  address: string,
  key: string,
  times: readonly number[],
  makeEvents: (done: () => void) => Events,
): Promise<number> {
  const reports = createReportQueue({ limit: 100 });
  for (const collectedAtUnixMs of times) reports.add({ collectedAtUnixMs, payloadJson: '{"v":1}' });
  const stop = new AbortController();
  const link = createLink({
    identity: { serverId: "s1", agentKey: key, hostname: "h" },
    reports,
    open: createTransport({ address }),
    clock: systemClock,
    timers: { ...systemTimers, sleep: (ms, signal) => systemTimers.sleep(Math.min(ms, 20), signal) },
    log: silentLog,
    random: () => 0.5,
    events: makeEvents(() => stop.abort()),
  });
  await link.run(stop.signal);
  return reports.size;
}

async function withService(
  options: Parameters<typeof startGrpcService>[0],
  work: (service: GrpcService) => Promise<void>,
): Promise<void> {
  const service = await startGrpcService(options);
  try {
    await work(service);
  } finally {
    await service.close();
  }
}

describe("the link over gRPC", () => {
  it("brings every report in order and has each acknowledged", async () => {
    await withService({ key: "k" }, async (service) => {
      let acknowledged = 0;
      const left = await runLink(service.address, "k", [1, 2, 3, 1_800_000_000_000], (done) => ({
        onAcknowledged: () => {
          acknowledged += 1;
          if (acknowledged === 4) done();
        },
      }));
      assert.equal(left, 0);
      assert.deepEqual(service.arrivals, [[1, 2, 3, 1_800_000_000_000]]);
      assert.deepEqual(service.hellos, [{ kind: "hello", serverId: "s1", agentKey: "k", hostname: "h" }]);
    });
  });

  it("reconnects after UNAVAILABLE and sends exactly what was not acknowledged", async () => {
    const answer = (at: number, stream: number): string => {
      if (stream > 0) return `metrics ${at}`;
      return at === 4 ? "end" : at === 2 ? "later" : `metrics ${at}`;
    };
    await withService({ answer }, async (service) => {
      const acknowledged: number[] = [];
      let before: readonly number[] = [];
      await runLink(service.address, "k", [1, 2, 3, 4, 5], (done) => ({
        onOffline: () => {
          before = [...acknowledged];
        },
        onAcknowledged: (at) => {
          acknowledged.push(at);
          if (acknowledged.length === 5) done();
        },
      }));
      // An acknowledgement just before the end of a stream may get lost on its way: that report goes again.
      assert.deepEqual(
        service.arrivals[1],
        [1, 2, 3, 4, 5].filter((at) => !before.includes(at)),
      );
      assert.equal(service.arrivals.length, 2);
    });
  });

  it("tells a wrong key by its status", async () => {
    await withService({ key: "right" }, async (service) => {
      const waits: number[] = [];
      const left = await runLink(service.address, "wrong", [1], (done) => ({
        onOffline: (_reason, retryInMs) => {
          waits.push(retryInMs);
          done();
        },
      }));
      assert.deepEqual(waits, [60_000]);
      assert.equal(left, 1);
    });
  });

  it("connects again to a service that came back on its port", async () => {
    const first = await startGrpcService({ answer: () => "later" });
    const port = Number(first.address.split(":")[1]);
    let second: GrpcService | undefined;
    const left = await runLink(first.address, "k", [7, 8], (done) => {
      let acknowledged = 0;
      let sent = 0;
      return {
        onSent: () => {
          sent += 1;
          if (sent !== 2) return;
          void first
            .close()
            .then(() => startGrpcService({ port }))
            .then((started) => {
              second = started;
            });
        },
        onAcknowledged: () => {
          acknowledged += 1;
          if (acknowledged === 2) done();
        },
      };
    });
    assert.equal(left, 0);
    assert.deepEqual(second?.arrivals.at(-1), [7, 8]);
    await second?.close();
  });
});
