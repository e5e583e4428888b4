import assert from "node:assert/strict";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { createLocalHub } from "../support/local-hub.ts";
import { startMonitor } from "../../src/monitor/service.ts";
import type { RunningService } from "../../src/service/service.ts";
import { loadConfig } from "../../src/config.ts";
import { silentLog } from "../../src/kit/observe/log.ts";
import { NodeLeases } from "../../src/records/node-leases.ts";
import { createRuntime } from "../../src/runtime/shell.ts";
import { createFixedClock } from "../support/fixed-clock.ts";

describe("the stop of a monitor among nodes", () => {
  let folder = "";
  /** What happened, in order. */
  const done: string[] = [];

  beforeEach(async () => {
    done.length = 0;
    folder = await mkdtemp(join(tmpdir(), "trivet-stop-"));
    await chmod(folder, 0o700);
  });
  afterEach(async () => {
    mock.restoreAll();
    await rm(folder, { recursive: true, force: true });
  });

  /** A monitor whose gRPC listener ends as `drain` says. */
  async function start(drain: () => Promise<void>): Promise<RunningService> {
    const bus = createLocalHub().join("a");
    mock.method(NodeLeases.prototype, "release", async () => {
      done.push("left");
    });
    const listener = { hostname: "127.0.0.1", port: 1, healthy: true, close: drain };
    return startMonitor({
      config: loadConfig({ DATA_DIR: folder, MONITOR_PORT: "0", GRPC_PORT: "0" }),
      runtime: createRuntime({ name: "node", version: "0", serveGrpc: async () => listener }),
      clock: createFixedClock(),
      log: silentLog,
      bus,
      services: [],
      tokenHashes: [],
    });
  }

  it("leaves the others when the agents' streams have ended", async () => {
    const service = await start(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      done.push("drained");
    });
    await service.stop({ graceMs: 1_000 });
    assert.deepEqual(done, ["drained", "left"]);
  });

  it("leaves the others and closes the store also when the listener fails", async () => {
    const service = await start(() => Promise.reject(new Error("It is stuck")));
    await assert.rejects(service.stop({ graceMs: 1_000 }), /It is stuck/u);
    assert.deepEqual(done, ["left"]);
    // The folder is free again.
    const again = await start(async () => undefined);
    await again.stop({ graceMs: 1_000 });
  });
});
