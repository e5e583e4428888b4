import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createContainersReader } from "../../../src/agent/details/containers.ts";
import { createSocketHttp } from "../../../src/agent/details/socket-http.ts";
import { chooseNothing } from "../../../src/agent/name-filter.ts";
import { type NameFilter, parseNameFilter } from "../../../src/kit/text/name-filter.ts";
import type { Details } from "../../../src/agent/payload.ts";

const MIB = 1024 ** 2;

function stats(cpuNanoseconds: number): object {
  return {
    cpu_stats: { cpu_usage: { total_usage: cpuNanoseconds } },
    memory_stats: { usage: 100 * MIB, stats: { inactive_file: 40 * MIB } },
    networks: { eth0: { rx_bytes: 1_000, tx_bytes: 10 }, eth1: { rx_bytes: 500, tx_bytes: 0 } },
    blkio_stats: {
      io_service_bytes_recursive: [
        { op: "read", value: 5 },
        { op: "Write", value: 7 },
        { op: "write", value: 3 },
      ],
    },
  };
}

const list = [
  {
    Id: "a".repeat(64),
    Names: ["/backup"],
    Image: `sha256:${"0123456789ab".padEnd(64, "c")}`,
    State: "exited",
    Status: "Exited (3)",
  },
  {
    Id: "b".repeat(64),
    Names: ["/web\n"],
    Image: "nginx:1.27",
    State: "running",
    Status: "Up 2 hours (unhealthy)",
  },
  { Id: "gone", Names: ["/gone"], Image: "x", State: "restarting", Status: "Restarting (1)" },
];
const inspected = new Map<string, object>([
  [
    "a",
    { RestartCount: 0, State: { ExitCode: 3, StartedAt: "2026-01-01T00:00:00Z" }, HostConfig: { Memory: 0 } },
  ],
  [
    "b",
    {
      RestartCount: 4,
      State: { ExitCode: 0, StartedAt: "2026-01-01T00:00:00.5Z", Health: { Status: "unhealthy" } },
      HostConfig: { Memory: 512 * MIB },
    },
  ],
]);

/** A daemon at a new socket; records the requests. */
async function startDaemon(answer: (url: string) => unknown): Promise<{
  readonly socketPath: string;
  readonly asked: string[];
  stop(): Promise<void>;
}> {
  const folder = await mkdtemp(join(tmpdir(), "trivet-docker-"));
  const socketPath = join(folder, "docker.sock");
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const body = answer(request.url ?? "");
    response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body ?? { message: "No such container" }));
  }).listen(socketPath);
  await once(server, "listening");
  return {
    socketPath,
    asked,
    async stop() {
      server.close();
      server.closeAllConnections();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Names of what is reported with this list. */
async function namesWith(choose: NameFilter): Promise<readonly string[]> {
  const read = createContainersReader({
    get: async (path) => (path === "/containers/json?all=1" ? list : undefined),
    clock: { monotonic: () => 0 },
    choose,
  });
  const { details, containers } = await read();
  assert.equal(containers?.exited, 1);
  return (details?.containers ?? []).map(({ name }) => name);
}

describe("a list of containers", () => {
  it("leaves out those that fit, in the counts too", async () => {
    assert.deepEqual(await namesWith(parseNameFilter("!w*") ?? chooseNothing), ["backup", "gone"]);
  });
});

describe("containers of a socket", () => {
  it("are listed with state, health, restarts and use, those that run first", async () => {
    let cpu = 1e9;
    const daemon = await startDaemon((url) => {
      if (url === "/containers/json?all=1") return list;
      const [, id = "", what = ""] = /^\/containers\/(\w+)\/(.*)$/u.exec(url) ?? [];
      if (what === "json") return inspected.get(id[0] ?? "");
      return id.startsWith("b") ? stats(cpu) : undefined;
    });
    let nowMs = 10_000;
    const read = createContainersReader({
      get: createSocketHttp(daemon.socketPath),
      clock: { monotonic: () => nowMs },
    });
    try {
      await read();
      [cpu, nowMs] = [cpu + 3e9, nowMs + 2_000];
      const reading = await read();
      assert.deepEqual(reading.containers, { running: 1, exited: 1, unhealthy: 2 });
      const containers: Details["containers"] = JSON.parse(JSON.stringify(reading.details?.containers));
      assert.deepEqual(containers, [
        {
          name: "web",
          image: "nginx:1.27",
          state: "running",
          health: "unhealthy",
          restarts: 4,
          startedAtUnixMs: Date.UTC(2026, 0, 1, 0, 0, 0, 500),
          cpuPercent: 150,
          memoryUsedBytes: 60 * MIB,
          memoryLimitBytes: 512 * MIB,
          rxBytesPerSecond: 0,
          txBytesPerSecond: 0,
          readBytesPerSecond: 0,
          writeBytesPerSecond: 0,
        },
        { name: "backup", image: "0123456789ab", state: "exited", exitCode: 3, restarts: 0 },
        { name: "gone", image: "x", state: "restarting" },
      ]);
      // Nothing but GET, and nothing asked of what does not run.
      assert.ok(daemon.asked.every((line) => line.startsWith("GET /containers/")));
      assert.ok(!daemon.asked.some((line) => line.includes(`${"a".repeat(64)}/stats`)));
    } finally {
      await daemon.stop();
    }
  });

  it("are 64 at most, and what comes from the daemon is no text of several lines", async () => {
    const many = Array.from({ length: 100 }, (_, index) => ({
      Id: `c${index}`,
      Names: [`/c${index}`],
      State: "exited",
    }));
    const daemon = await startDaemon((url) => (url === "/containers/json?all=1" ? many : undefined));
    try {
      const read = createContainersReader({
        get: createSocketHttp(daemon.socketPath),
        clock: { monotonic: () => 0 },
      });
      const { containers, details } = await read();
      assert.equal(details?.containers?.length, 64);
      assert.equal(containers?.exited, 100);
    } finally {
      await daemon.stop();
    }
  });

  it("fail with a reason when the daemon answers something else or is not there", async () => {
    const daemon = await startDaemon((url) => (url === "/text" ? "no JSON" : undefined));
    try {
      const get = createSocketHttp(daemon.socketPath);
      await assert.rejects(get("/text"), /did not respond with JSON/u);
      await assert.rejects(get("/containers/json"), /responded with status 404/u);
    } finally {
      await daemon.stop();
    }
    await assert.rejects(createSocketHttp(daemon.socketPath)("/"), /ENOENT|No such file/u);
  });
});
