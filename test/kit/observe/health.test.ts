import assert from "node:assert/strict";
import { afterEach, describe, it, mock } from "node:test";
import { createHealth } from "../../../src/kit/observe/health.ts";
import { createFixedClock } from "../../support/fixed-clock.ts";

describe("createHealth", () => {
  afterEach(() => mock.timers.reset());

  it("is ok while every check resolves", async () => {
    const clock = createFixedClock(Date.UTC(2026, 0, 2, 3, 4, 5, 678));
    const health = createHealth({ version: "1.2.3", clock, checks: { store: async () => undefined } });
    clock.advance(61_500);
    assert.deepEqual(await health(), {
      status: "ok",
      version: "1.2.3",
      newerVersion: undefined,
      timestamp: "2026-01-02T03:05:07.178Z",
      uptimeSeconds: 61,
      checks: { store: { status: "ok", durationMs: 0 } },
    });
  });

  it("fails when one check rejects or throws, and keeps the reason to itself", async () => {
    const failures: [string, unknown][] = [];
    const reason = new Error("password=secret");
    const health = createHealth({
      version: "1",
      clock: createFixedClock(),
      checks: {
        store: () => Promise.reject(reason),
        grpc: () => {
          throw reason;
        },
        good: async () => undefined,
      },
      onFailure: (name, error) => failures.push([name, error]),
    });
    const report = await health();
    assert.equal(report.status, "failing");
    assert.deepEqual(
      Object.entries(report.checks).map(([name, check]) => `${name} ${check.status}`),
      ["store failing", "grpc failing", "good ok"],
    );
    assert.doesNotMatch(JSON.stringify(report), /secret/u);
    assert.deepEqual(
      new Map(failures),
      new Map([
        ["store", reason],
        ["grpc", reason],
      ]),
    );
  });

  it("is degraded while only checks fail that a part of the service needs", async () => {
    const fail = (): Promise<void> => Promise.reject(new Error("away"));
    let store = async (): Promise<void> => undefined;
    const health = createHealth({
      version: "1",
      clock: createFixedClock(),
      checks: { store: () => store(), auth: fail },
      optional: ["auth"],
    });
    assert.equal((await health()).status, "degraded");
    store = fail;
    assert.equal((await health()).status, "failing");
  });

  it("gives up on a check after a second", async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    const health = createHealth({
      version: "1",
      clock: createFixedClock(),
      checks: { stuck: () => new Promise(() => undefined) },
    });
    const report = health();
    mock.timers.tick(1_000);
    assert.equal((await report).checks["stuck"]?.status, "failing");
  });
});
