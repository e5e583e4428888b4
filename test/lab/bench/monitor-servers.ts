/**
 * The servers that the monitor's benchmark compares, each in a process of its own: ours, and the bare
 * library doing only the last step. Started by `monitor.ts` with fork; answers its messages.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { createServer as createGrpcServer } from "nice-grpc";
import { WebSocketServer } from "ws";
import { z } from "zod";
import { runtime } from "#runtime";
import { createLocalBus } from "../../../src/bus/local.ts";
import { hashSecret } from "../../../src/kit/secrets/admin-token.ts";
import { systemClock as clock } from "../../../src/kit/time/clock.ts";
import { createHealth } from "../../../src/kit/observe/health.ts";
import { createLog, silentLog } from "../../../src/kit/observe/log.ts";
import { createMetrics } from "../../../src/kit/observe/metrics.ts";
import { createDocumentation, loadPageAssets, loadWebAssets } from "../../../src/kit/http/web-assets.ts";
import { createAgentStream } from "../../../src/monitor/ingest/agent-stream.ts";
import { createOutbound } from "../../../src/kit/outbound/outbound.ts";
import { createSecretBox } from "../../../src/kit/secrets/secret-box.ts";
import { type Feed, createFeed } from "../../../src/monitor/fleet/feed.ts";
import { createMonitorApp } from "../../../src/monitor/app/app.ts";
import { createTiers } from "../../../src/monitor/history/tiers.ts";
import { metricKinds } from "../../../src/monitor/base/metrics.ts";
import { type Monitor, createMonitor } from "../../../src/monitor/app/monitor.ts";
import { connectPath, decodeAgentMessage, encodeControl } from "../../../src/monitor/proto/codec.ts";
import { monitorCollections } from "../../../src/monitor/app/records.ts";
import { retentionSchema, serverFieldsSchema } from "../../../src/monitor/base/schema.ts";
import type { Listener } from "../../../src/runtime/runtime.ts";
import { openJournalStore } from "../../../src/store/journal/journal-store.ts";
import { openFileRollups } from "../../../src/store/series/rollups/file-rollups.ts";
import { openSampleLog } from "../../../src/store/series/samples/file-sample-log.ts";
import { createSimulatedMachine } from "../fleet/payloads.ts";
import { rawConnect } from "./raw-connect.ts";

const actor = { name: "bench", requestId: "bench" };
const hostname = "127.0.0.1";
const frameSchema = z.object({ base64: z.string(), isBinary: z.boolean() });

export interface ServerInfo {
  readonly port: number;
  readonly grpcPort?: number;
  readonly agentKeys?: readonly string[];
}

/** Tells the parent what it asked for: CPU time in microseconds and resident memory in bytes. */
export interface UsageAnswer {
  readonly cpuMicroseconds: number;
  readonly rssBytes: number;
}

async function openMonitor(): Promise<Monitor> {
  const folder = await mkdtemp(join(tmpdir(), "trivet-bench-"));
  process.on("exit", () => void rm(folder, { recursive: true, force: true }));
  const store = await openJournalStore({ folder, name: "monitor", collections: monitorCollections });
  const tiers = createTiers(retentionSchema.parse({}));
  const rollups = await openFileRollups({ folder: join(folder, "history"), tiers, clock });
  const made: { monitor?: Monitor } = {};
  const samples = await openSampleLog({
    folder: join(folder, "samples"),
    columns: metricKinds,
    clock,
    log: silentLog,
    checkpoint: () => [],
    keepFrom: () => rollups.flushedSeq,
    onRolled: async (firstSeq) => made.monitor?.history.flush(firstSeq),
    wantsRoll: () => made.monitor?.history.wantsFlush() ?? false,
  });
  const tokenHashes = [hashSecret("bench")];
  made.monitor = await createMonitor({
    store,
    bus: createLocalBus("bench"),
    samples,
    rollups,
    clock,
    log: silentLog,
    notify: {
      box: createSecretBox("a benchmark seals nothing of worth"),
      outbound: createOutbound({ allowPrivate: false, privateRemedy: "", userAgent: "" }),
      publicOutbound: createOutbound({ allowPrivate: false, privateRemedy: "", userAgent: "" }),
      mail: undefined,
    },
    tokenHashes,
    instance: "bench",
  });
  return made.monitor;
}

/** Creates `count` servers and returns their keys. */
async function addServers(monitor: Monitor, count: number): Promise<string[]> {
  const created = await Promise.all(
    Array.from({ length: count }, (_, i) =>
      monitor.servers.create(serverFieldsSchema.parse({ name: `Server ${i}`, group: `Group ${i % 7}` }), {
        id: `bench-${i}`,
        actor,
      }),
    ),
  );
  return created.map(({ agentKey }) => agentKey);
}

/** Gives new samples to the first `share` of the servers when it is called, as agents do between two frames. */
function createChanges(monitor: Monitor, servers: number): (share: number) => void {
  const machines = Array.from({ length: servers }, (_, i) =>
    createSimulatedMachine(i, { intervalMs: 3_000, nowMs: clock.now() }),
  );
  let round = 0;
  return (share) => {
    round += 1;
    const at = clock.now() + round;
    for (let i = 0; i < servers * share; i += 1) {
      const sample: unknown = JSON.parse(machines[i]?.next(3_000) ?? "{}");
      if (typeof sample === "object" && sample !== null) {
        monitor.live.reported(`bench-${i}`, {
          collectedAt: at,
          receivedAt: at,
          sample: { ...sample },
          flags: [],
        });
      }
    }
  };
}

function serveAgents(monitor: Monitor): Promise<Listener> {
  const limits = { messagesPerSecond: 1e9 };
  return runtime.serveGrpc({
    hostname,
    port: 0,
    methods: {
      [connectPath]: createAgentStream({ ingest: monitor.ingest, clock, log: silentLog, limits }),
    },
    maxMessageBytes: 262_144,
    maxStreams: 10_000,
    keepaliveMs: 20_000,
    keepaliveTimeoutMs: 10_000,
  });
}

async function serveViewers(monitor: Monitor, feed: Feed): Promise<Listener> {
  const app = createMonitorApp(monitor, {
    version: "0",
    assets: await loadWebAssets(),
    pageAssets: await loadPageAssets(),
    documentation: createDocumentation(),
    install: { listDownloads: async () => ({ items: [] }), script: "" },
    feed,
    // Lines are made and thrown away: a log costs the same on any machine, a terminal does not.
    log: createLog({ level: "info", write: () => undefined }),
    clock,
    metrics: createMetrics(),
    health: createHealth({ version: "0", clock, checks: {} }),
    allowedOrigins: [],
    trustedProxies: [],
    metricsPublic: false,
    grpcPort: () => 0,
    onSettings: () => undefined,
  });
  return runtime.serveHttp({
    hostname,
    port: 0,
    handler: (request, connection) => app.fetch(request, connection),
  });
}

/** Ours, whole: store and sample log on disk, gRPC, HTTP, feed. `servers` records exist at the start. */
async function startTrivet(servers: number): Promise<ServerInfo> {
  const monitor = await openMonitor();
  const agentKeys = await addServers(monitor, servers);
  const change = createChanges(monitor, servers);
  const feed = createFeed({
    publicSnapshot: monitor.publicSnapshot,
    countAlerts: () => ({}),
    checksRevision: () => 1,
    clock,
    upgradeWebSocket: runtime.upgradeWebSocket,
    // A thousand viewers come from this machine.
    limits: { maxViewersPerAddress: 10_000 },
  });
  const http = await serveViewers(monitor, feed);
  const grpc = await serveAgents(monitor);
  change(1);
  commands.set("change", () => change(2 / 3));
  commands.set("broadcast", () => void feed.tick());
  return { port: http.port, grpcPort: grpc.port, agentKeys };
}

/** nice-grpc that decodes a message and acknowledges it, and nothing else. */
async function startBareGrpc(): Promise<ServerInfo> {
  const server = createGrpcServer({ "grpc.max_receive_message_length": 262_144 });
  const definition = {
    connect: { ...rawConnect.connect, requestDeserialize: decodeAgentMessage },
  } as const;
  server.add(definition, {
    connect: async function* connect(requests: AsyncIterable<ReturnType<typeof decodeAgentMessage>>) {
      for await (const message of requests) {
        yield encodeControl(
          message.kind === "metrics" ? `metrics ${message.collectedAtUnixMs}` : message.kind,
        );
      }
    },
  });
  const grpcPort = await server.listen(`${hostname}:0`);
  return { port: 0, grpcPort };
}

/** `ws` that sends ready bytes to every client in a loop. The bytes come from the parent. */
async function startBareWs(): Promise<ServerInfo> {
  const http = createServer();
  const sockets = new WebSocketServer({ server: http, perMessageDeflate: false });
  await new Promise<void>((resolve) => http.listen(0, hostname, resolve));
  let frame: Buffer = Buffer.alloc(0);
  let binary = false;
  commands.set("frame", (data) => {
    const { base64, isBinary } = frameSchema.parse(JSON.parse(data));
    frame = Buffer.from(base64, "base64");
    binary = isBinary;
  });
  commands.set("change", () => undefined);
  commands.set("broadcast", () => {
    for (const socket of sockets.clients) socket.send(frame, { binary });
  });
  const address = http.address();
  return { port: typeof address === "object" && address !== null ? address.port : 0 };
}

/** Hono that answers a ready string. The string comes from the parent. */
async function startBareList(): Promise<ServerInfo> {
  let body = "";
  commands.set("body", (data) => {
    body = data;
  });
  const app = new Hono();
  app.get("/api/servers", (c) => c.body(body, 200, { "content-type": "application/json" }));
  const server = createAdaptorServer({ fetch: app.fetch });
  await new Promise<void>((resolve) => server.listen(0, hostname, resolve));
  const address = server.address();
  return { port: typeof address === "object" && address !== null ? address.port : 0 };
}

const commands = new Map<string, (data: string) => void>();

const starters: Readonly<Record<string, (servers: number) => Promise<ServerInfo>>> = {
  trivet: startTrivet,
  "bare-grpc": startBareGrpc,
  "bare-ws": startBareWs,
  "bare-list": startBareList,
};

async function main(kind: string, servers: number): Promise<void> {
  const start = starters[kind];
  if (start === undefined) throw new Error(`There is no server "${kind}"`);
  const info = await start(servers);
  process.on("message", (message: { command: string; data?: string }) => {
    if (message.command === "usage") {
      const { user, system } = process.cpuUsage();
      process.send?.({
        cpuMicroseconds: user + system,
        rssBytes: process.memoryUsage.rss(),
      } satisfies UsageAnswer);
      return;
    }
    commands.get(message.command)?.(message.data ?? "");
  });
  process.on("disconnect", () => process.exit(0));
  process.send?.(info);
}

await main(process.argv[2] ?? "", Number(process.argv[3] ?? 0));
