/**
 * Ingest against a bare nice-grpc server that only acknowledges: the same connections and reports, both
 * sides in turn, each server in a process of its own. Prints reports a second and the server's own cost,
 * which says more where the client is the slower half.
 *
 *   node --import tsx test/lab/bench/ingest-bare.ts [--reports=40000] [--rounds=3] [--only=bare,edge,store]
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Client, credentials } from "@grpc/grpc-js";
import { createServer } from "nice-grpc";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { silentLog } from "../../../src/kit/observe/log.ts";
import type { AgentIngest, AgentSession } from "../../../src/monitor/ingest/agent-session.ts";
import { createAgentStream } from "../../../src/monitor/ingest/agent-stream.ts";
import { connectPath, encodeAgentMessage, encodeControl } from "../../../src/monitor/proto/codec.ts";
import { parseReport } from "../../../src/monitor/ingest/report.ts";
import { serveGrpcInProcess } from "../../../src/runtime/grpc/grpc.ts";
import { createAppendLog } from "../../../src/store/series/append-log.ts";
import { nodeFileLayer } from "../../../src/kit/files/file-layer.ts";
import { identity, rawConnect } from "./raw-connect.ts";

const sides = ["bare", "edge", "store"] as const;
type Side = (typeof sides)[number];

const connections = 4;
const streamsPerConnection = 12;
const unacknowledged = 48;

const payload = JSON.stringify({
  v: 1,
  intervalMs: 3000,
  uptimeSeconds: 86400,
  cpu: { usagePercent: 12.3, perCorePercent: [9, 14, 22, 3], iowaitPercent: 0.4, stealPercent: 0 },
  load: { one: 0.12, five: 0.1, fifteen: 0.09 },
  memory: { totalBytes: 8345231360, usedBytes: 3345231360, cacheBytes: 1200000000 },
  swap: { totalBytes: 2147483648, usedBytes: 0 },
  disk: { totalBytes: 84345231360, usedBytes: 34345231360, readBytesPerSecond: 0, writeBytesPerSecond: 4096 },
  network: {
    rxBytesPerSecond: 12345,
    txBytesPerSecond: 2345,
    rxTotalBytes: 1234567890,
    txTotalBytes: 987654321,
  },
  connections: { tcp: 123, udp: 12 },
  processes: 145,
});

/** Acknowledges whatever comes and looks at nothing. */
async function serveBare(): Promise<number> {
  const ack = encodeControl("metrics 1754000000000");
  const server = createServer();
  server.add(rawConnect, {
    async *connect(requests: AsyncIterable<Uint8Array>) {
      for await (const request of requests) if (request.byteLength > 0) yield ack;
    },
  });
  return server.listen("127.0.0.1:0");
}

/** Our edge; with "store" each report is parsed and made durable as a row first. */
async function serveEdge(side: Side): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "trivet-bench-"));
  process.on("exit", () => void rm(folder, { recursive: true, force: true }));
  const rows = createAppendLog(await nodeFileLayer.openAppend(join(folder, "rows")));
  const report: AgentSession["report"] = async (payloadJson, at) => {
    if (side === "store") {
      const parsed = parseReport(payloadJson, { collectedAt: at, now: Date.now() });
      if (!parsed.ok) throw new Error(parsed.reason);
      await rows.append(new Uint8Array(Float64Array.from(parsed.row).buffer));
    }
    return { accepted: true, ack: `metrics ${at}` };
  };
  const ingest: AgentIngest = {
    open: async ({ serverId }) => ({
      serverId,
      report,
      heartbeat: () => undefined,
      ended: new AbortController().signal,
      close: () => undefined,
    }),
  };
  const limits = { messagesPerSecond: Number.POSITIVE_INFINITY };
  const handler = createAgentStream({ ingest, clock: systemClock, log: silentLog, limits });
  const listener = await serveGrpcInProcess({
    hostname: "127.0.0.1",
    port: 0,
    methods: { [connectPath]: handler },
    maxMessageBytes: 256 * 1024,
    maxStreams: 10_000,
    keepaliveMs: 20_000,
    keepaliveTimeoutMs: 10_000,
  });
  return listener.port;
}

/** One stream: keeps some reports under way until `count` are acknowledged. */
function runStream(client: Client, count: number): Promise<void> {
  const copy = (bytes: Uint8Array): Buffer => Buffer.from(bytes);
  return new Promise((resolve, reject) => {
    const call = client.makeBidiStreamRequest(connectPath, copy, identity);
    const total = count + 1;
    let sent = 0;
    let acknowledged = 0;
    const send = (): void => {
      const collectedAtUnixMs = 1_754_000_000_000 + sent;
      sent += 1;
      call.write(encodeAgentMessage({ kind: "metrics", payloadJson: payload, collectedAtUnixMs }));
    };
    call.on("error", reject);
    call.on("data", () => {
      acknowledged += 1;
      if (acknowledged === total) call.end();
      else while (sent < total && sent - acknowledged < unacknowledged) send();
    });
    call.on("end", resolve);
    call.write(encodeAgentMessage({ kind: "hello", serverId: "s", agentKey: "k", hostname: "h" }));
    sent = 1;
  });
}

interface Measured {
  readonly perSecond: number;
  /** Processor time of the server for one report, in microseconds. */
  readonly costUs: number;
}

async function measure(side: Side, reports: number): Promise<Measured> {
  const script = fileURLToPath(import.meta.url);
  const server = spawn(process.execPath, ["--import=tsx", script, `--serve=${side}`], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const cpuMs = async (): Promise<number> => {
    server.send("cpu");
    const answer: unknown[] = await once(server, "message");
    return Number(answer[0]);
  };
  if (server.stdout === null) throw new Error("The server has no output");
  const line: unknown[] = await once(server.stdout, "data");
  const clients = Array.from(
    { length: connections },
    () =>
      new Client(`127.0.0.1:${Number(line[0])}`, credentials.createInsecure(), {
        "grpc.use_local_subchannel_pool": 1,
      }),
  );
  const count = Math.ceil(reports / (connections * streamsPerConnection));
  const runAll = (each: number): Promise<unknown> =>
    Promise.all(
      clients.flatMap((client) =>
        Array.from({ length: streamsPerConnection }, () => runStream(client, each)),
      ),
    );
  await runAll(Math.ceil(count / 5));
  const cpuBefore = await cpuMs();
  const start = performance.now();
  await runAll(count);
  const seconds = (performance.now() - start) / 1000;
  const done = count * connections * streamsPerConnection;
  const costUs = ((await cpuMs()) - cpuBefore) * (1000 / done);
  for (const client of clients) client.close();
  server.kill();
  await once(server, "exit");
  return { perSecond: done / seconds, costUs };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

const { values } = parseArgs({
  options: {
    reports: { type: "string", default: "40000" },
    rounds: { type: "string", default: "3" },
    only: { type: "string", default: sides.join(",") },
    serve: { type: "string" },
  },
});
if (values.serve === undefined) {
  const chosen = sides.filter((side) => values.only.split(",").includes(side));
  const results = new Map<Side, Measured[]>(chosen.map((side) => [side, []]));
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const side of chosen) results.get(side)?.push(await measure(side, Number(values.reports)));
  }
  const toMedians = (side: Side): Measured => {
    const all = results.get(side) ?? [];
    return {
      perSecond: median(all.map((one) => one.perSecond)),
      costUs: median(all.map((one) => one.costUs)),
    };
  };
  const base = toMedians("bare");
  for (const side of chosen) {
    const { perSecond, costUs } = toMedians(side);
    const ratios = `${(perSecond / base.perSecond).toFixed(2)} of bare by rate, ${(base.costUs / costUs).toFixed(2)} by cost`;
    process.stdout.write(
      `${side.padEnd(6)} ${Math.round(perSecond)} reports/s, ${costUs.toFixed(1)} us each; ${ratios}\n`,
    );
  }
} else {
  const port = values.serve === "bare" ? serveBare() : serveEdge(values.serve === "store" ? "store" : "edge");
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send?.((user + system) / 1000);
  });
  process.stdout.write(String(await port));
}
