import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { WebSocketServer } from "ws";
import { gzipSync } from "node:zlib";
import { createLatencies } from "./fleet/latencies.ts";
import { createLedger } from "./fleet/ledger.ts";
import { parseFleetSettings } from "./fleet/options.ts";
import { createSimulatedMachine } from "./fleet/payloads.ts";
import { runFleet } from "./fleet/run.ts";
import { hasOtherNodes, verifyFleet } from "./fleet/verify.ts";
import { readFrame } from "./fleet/viewers.ts";
import { reportSchema } from "../../src/monitor/base/report-schema.ts";
import { type GrpcService, startGrpcService } from "../agent/support/service.ts";

describe("createSimulatedMachine", () => {
  it("creates reports that the service accepts, the first with the facts of its host", () => {
    for (let index = 0; index < 50; index += 1) {
      const machine = createSimulatedMachine(index, { intervalMs: 3000, nowMs: 1_800_000_000_000 });
      const first = reportSchema.parse(JSON.parse(machine.next(3000)));
      const second = reportSchema.parse(JSON.parse(machine.next(3000)));
      assert.ok(first.host !== undefined && second.host === undefined);
      assert.ok((second.network?.rxTotalBytes ?? 0) >= (first.network?.rxTotalBytes ?? 0));
    }
  });
});

describe("createLatencies", () => {
  it("tells quantiles within four percent", () => {
    const latencies = createLatencies();
    assert.equal(latencies.quantile(0.5), null);
    for (let ms = 1; ms <= 1000; ms += 1) latencies.add(ms);
    for (const share of [0.5, 0.99, 1]) {
      const found = latencies.quantile(share) ?? 0;
      assert.ok(Math.abs(found - share * 1000) <= share * 40, `${found} for ${share}`);
    }
  });
});

describe("createLedger", () => {
  it("counts what was sent twice, and what waits", () => {
    const ledger = createLedger();
    const account = ledger.open("a");
    for (const at of [1, 2, 3]) {
      account.collected();
      account.sent(at);
    }
    account.acknowledged(1, 5);
    account.sent(2);
    account.rejected(3);
    const { sent, duplicates, waiting, rejected } = ledger.totals();
    assert.deepEqual(
      { sent, duplicates, waiting, rejected },
      { sent: 4, duplicates: 1, waiting: 1, rejected: 1 },
    );
  });
});

describe("readFrame", () => {
  const text = new TextEncoder().encode(
    `{"type":"delta","seq":41,"now":1,"upsert":["${"abc".repeat(50_000)}"],"remove":[]}`,
  );

  it("reads the number of a plain and of a gzipped frame", () => {
    assert.deepEqual(readFrame(text, false), { type: "delta", seq: 41 });
    assert.deepEqual(readFrame(gzipSync(text), true), { type: "delta", seq: 41 });
  });

  it("knows what is no frame", () => {
    assert.equal(readFrame(new TextEncoder().encode("{}"), false), undefined);
    assert.equal(readFrame(text, true), undefined);
  });
});

describe("parseFleetSettings", () => {
  it("has bounds, and stays on loopback unless told otherwise", () => {
    const bad = parseFleetSettings(
      ["--agents", "10001", "--seconds", "3601", "--url", "http://example.org"],
      {},
    );
    assert.equal(bad.ok ? 0 : bad.problems.length, 3);
    assert.ok(parseFleetSettings(["--url", "http://example.org", "--allow-remote"], {}).ok);
    assert.ok(parseFleetSettings(["--server", "[::1]:1", "--url", "http://localhost:1"], {}).ok);
  });
});

describe("runFleet", () => {
  let folder: string;
  let grpc: GrpcService;
  let http: Server;
  let sockets: WebSocketServer;
  let url: string;
  let stored: Map<string, number>;
  /** Of charts: times of the points of each server. */
  const points = new Map<string, readonly number[]>();

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "trivet-fleet-"));
    stored = new Map();
    // Every 7th report of a stream ends it, so that there is something to send again.
    let count = 0;
    grpc = await startGrpcService({
      answer: (at) => {
        count += 1;
        return count === 7 ? "end" : `metrics ${at}`;
      },
    });
    http = createServer((request, response) => {
      const id = request.url?.split("/").at(-1) ?? "";
      const charted = /servers\/(\w+)\/history/u.exec(request.url ?? "")?.[1];
      request.resume();
      response.setHeader("content-type", "application/json");
      if (request.method === "POST") {
        response.statusCode = 201;
        stored.set(`s${stored.size}`, 0);
        response.end(JSON.stringify({ id: `s${stored.size - 1}`, agentKey: "k" }));
      } else if (charted !== undefined) {
        const items = [{ tier: "raw", points: (points.get(charted) ?? []).map((at) => ({ at })) }];
        response.end(JSON.stringify({ items }));
      } else if (id === "gone") response.writeHead(404).end("{}");
      else if (id === "health") response.end(JSON.stringify({ checks: { store: {}, bus: {} } }));
      else response.end(JSON.stringify({ id, agent: { reportsStored: stored.get(id) ?? 0 } }));
    });
    sockets = new WebSocketServer({ server: http });
    sockets.on("connection", (socket) => {
      for (const seq of [4, 5, 6, 8]) {
        const type = seq === 4 ? "snapshot" : "delta";
        socket.send(`{"type":"${type}","seq":${seq},"now":1,"servers":[]}`);
      }
    });
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    const address = http.address();
    url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  });
  after(async () => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
    http.closeAllConnections();
    http.close();
    await grpc.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("loses nothing when a stream breaks, sees gaps in the feed, and can be verified", async () => {
    const keysFile = join(folder, "keys.json");
    await writeFile(keysFile, "[]");
    const result = await runFleet({
      agents: 5,
      seconds: 4,
      intervalMs: 1000,
      viewers: 2,
      server: grpc.address,
      url,
      adminToken: "t",
      keysFile,
      mode: "delta",
      connections: 2,
    });
    assert.ok(result.acknowledged >= 5, `${result.acknowledged} acknowledged`);
    assert.deepEqual([result.lost, result.waiting, result.rejected], [0, 0, 0]);
    assert.ok(result.duplicates >= 1);
    assert.equal(result.disconnects, 1);
    assert.deepEqual([result.viewers.frames, result.viewers.gaps, result.viewers.malformed], [8, 2, 0]);

    for (const { id, acknowledged } of result.accounts) stored.set(id, acknowledged);
    const options = { url, adminToken: "t", accounts: result.accounts };
    const good = { checked: 5, unknown: 0, missing: 0, surplus: 0, missingBy: [] };
    assert.deepEqual(await verifyFleet(options), good);
    stored.set("s0", (stored.get("s0") ?? 0) - 2);
    stored.set("s1", (stored.get("s1") ?? 0) + 1);
    const { missing, surplus } = await verifyFleet(options);
    assert.deepEqual({ missing, surplus }, { missing: 2, surplus: 1 });

    // What a killed node had not told of its count is in the charts when it runs again.
    assert.equal(await hasOtherNodes(url), true);
    const { firstAtUnixMs = 0, acknowledged } =
      result.accounts.find(({ id }) => id === "s0") ?? assert.fail();
    points.set(
      "s0",
      Array.from({ length: acknowledged }, (_, index) => firstAtUnixMs + index),
    );
    assert.equal((await verifyFleet(options)).missing, 0);

    // A server of which nothing is left has lost all that it had.
    const gone = {
      id: "gone",
      collected: 3,
      acknowledged: 3,
      rejected: 0,
      firstAtUnixMs: 1,
      lastAtUnixMs: 3,
    };
    const lost = await verifyFleet({ ...options, accounts: [gone] });
    assert.deepEqual([lost.missing, lost.unknown], [3, 0]);
    const untold = await verifyFleet({ ...options, adminToken: undefined, accounts: [gone] });
    assert.deepEqual([untold.missing, untold.unknown], [0, 1]);
  });
});
