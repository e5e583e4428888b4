/**
 * The monitor's figures: ingest, broadcast, list and first snapshot, each beside the bare library in the
 * same run. `npm run bench -- monitor-ingest`
 */
import { gunzipSync } from "node:zlib";
import { Agent, request as httpRequest } from "node:http";
import { createChannel, createClient } from "nice-grpc";
import type { Channel } from "nice-grpc";
import { WebSocket } from "ws";
import { z } from "zod";
import { decodeControl, encodeAgentMessage } from "../../src/monitor/proto/codec.ts";
import { createSimulatedMachine } from "../fleet/payloads.ts";
import type { Bench, BenchRow, BenchServer, Effort } from "./measure.ts";
import { median, startServer } from "./measure.ts";
import type { ServerInfo } from "./monitor-servers.ts";
import { rawConnect } from "./raw-connect.ts";

const script = new URL("monitor-servers.ts", import.meta.url);
const start = (kind: string, servers = 0): Promise<BenchServer<ServerInfo>> =>
  startServer(script, [kind, String(servers)]);

const snapshotSchema = z.object({ servers: z.array(z.unknown()) });

const STREAMS = 200;
const CONNECTIONS = 8;
/** Reports of a stream under way at once. */
const WINDOW = 8;

/** One agent that sends as fast as it is acknowledged; counts its acknowledgements. */
async function drive(
  channel: Channel,
  options: { id: string; key: string; payload: string; isOver: () => boolean; onAck: () => void },
): Promise<void> {
  let acknowledged = 0;
  let sent = 0;
  let wake: () => void = () => undefined;
  async function* messages(): AsyncGenerator<Uint8Array> {
    yield encodeAgentMessage({
      kind: "hello",
      serverId: options.id,
      agentKey: options.key,
      hostname: "bench",
    });
    const base = Date.now() - 3_600_000;
    while (!options.isOver()) {
      while (sent - acknowledged >= WINDOW) await new Promise<void>((resolve) => (wake = resolve));
      sent += 1;
      yield encodeAgentMessage({
        kind: "metrics",
        payloadJson: options.payload,
        collectedAtUnixMs: base + sent,
      });
    }
  }
  const client = createClient(rawConnect, channel);
  let isHello = true;
  for await (const bytes of client.connect(messages())) {
    const text = decodeControl(bytes) ?? "";
    if (isHello) {
      isHello = false;
      continue;
    }
    if (!text.startsWith("metrics ")) throw new Error(`Unexpected answer "${text}"`);
    acknowledged += 1;
    options.onAck();
    wake();
  }
}

async function measureIngest(
  server: BenchServer<ServerInfo>,
  seconds: number,
): Promise<{ perSecond: number; cpu: number }> {
  const channels = Array.from({ length: CONNECTIONS }, (_, i) =>
    createChannel(`127.0.0.1:${server.info.grpcPort ?? 0}`, undefined, {
      "bench.connection": i,
      "grpc.use_local_subchannel_pool": 1,
    }),
  );
  const machine = createSimulatedMachine(1, { intervalMs: 3_000, nowMs: Date.now() });
  machine.next(3_000); // the first one tells of the host, the others do not
  const payload = machine.next(3_000);
  let acks = 0;
  let counting = false;
  let over = false;
  const streams = Array.from({ length: STREAMS }, (_, i) => {
    const channel = channels[i % CONNECTIONS];
    if (channel === undefined) throw new Error("No channel");
    return drive(channel, {
      id: `bench-${i}`,
      key: server.info.agentKeys?.[i] ?? "bench",
      payload,
      isOver: () => over,
      onAck: () => {
        if (counting) acks += 1;
      },
    });
  });
  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  await pause(1_000); // warm
  const before = await server.usage();
  counting = true;
  const startedMs = performance.now();
  await pause(seconds * 1_000);
  counting = false;
  const elapsedSeconds = (performance.now() - startedMs) / 1_000;
  const cpu = (await server.usage()).cpuMicroseconds - before.cpuMicroseconds;
  over = true;
  await Promise.all(streams);
  for (const channel of channels) channel.close();
  return { perSecond: acks / elapsedSeconds, cpu: cpu / acks };
}

async function benchIngest(options: Effort): Promise<BenchRow[]> {
  const ours = { perSecond: [] as number[], cpu: [] as number[] };
  const bare = { perSecond: [] as number[], cpu: [] as number[] };
  const trivet = await start("trivet", STREAMS);
  const plain = await start("bare-grpc");
  for (let round = 0; round < options.rounds; round += 1) {
    for (const [server, into] of [
      [plain, bare],
      [trivet, ours],
    ] as const) {
      const { perSecond, cpu } = await measureIngest(server, options.seconds);
      into.perSecond.push(perSecond);
      into.cpu.push(cpu);
    }
  }
  await Promise.all([trivet.stop(), plain.stop()]);
  const ratio = median(ours.perSecond) / median(bare.perSecond);
  return [
    {
      name: `ingest, ${STREAMS} streams on ${CONNECTIONS} connections`,
      unit: "reports/s",
      ours: median(ours.perSecond),
      other: { name: "bare nice-grpc that only acknowledges", value: median(bare.perSecond) },
      target: "ratio ≥ 0.7",
      isReached: ratio >= 0.7,
      note: `server CPU a report: ${median(ours.cpu).toFixed(0)} µs, bare ${median(bare.cpu).toFixed(0)} µs`,
    },
  ];
}

/** Viewers that count the bytes of each frame without reading it. */
async function connectViewers(
  url: string,
  count: number,
): Promise<{ frame(): Promise<Buffer>; close(): void }> {
  const sockets: WebSocket[] = [];
  let waiting = 0;
  let last: Buffer = Buffer.alloc(0);
  let done: () => void = () => undefined;
  const onMessage = (data: Buffer): void => {
    last = data;
    waiting -= 1;
    if (waiting === 0) done();
  };
  for (let i = 0; i < count; i += 1) {
    const socket = new WebSocket(url, { perMessageDeflate: false, skipUTF8Validation: true });
    sockets.push(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once("open", () => resolve());
      socket.once("error", reject);
    });
    socket.on("message", onMessage);
  }
  return {
    frame: () => {
      waiting = count;
      return new Promise((resolve) => {
        done = () => resolve(last);
      });
    },
    close: () => {
      for (const socket of sockets) socket.terminate();
    },
  };
}

const VIEWERS = 1_000;
const SERVERS = 1_000;

async function benchBroadcast(encoding: "plain" | "gzip", rounds: number): Promise<BenchRow> {
  const trivet = await start("trivet", SERVERS);
  const plain = await start("bare-ws");
  const ourViewers = await connectViewers(
    `ws://127.0.0.1:${trivet.info.port}/api/ws/monitor?mode=delta&encoding=${encoding}`,
    VIEWERS,
  );
  const bareViewers = await connectViewers(`ws://127.0.0.1:${plain.info.port}/`, VIEWERS);
  const ours = { ms: [] as number[], cpu: [] as number[] };
  const bare = { ms: [] as number[], cpu: [] as number[] };
  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  await pause(1_000); // first snapshots arrive
  let bytes = 0;
  for (let round = -1; round < rounds; round += 1) {
    let frame: Buffer = Buffer.alloc(0);
    for (const [server, viewers, into] of [
      [trivet, ourViewers, ours],
      [plain, bareViewers, bare],
    ] as const) {
      server.send("change");
      if (server === plain)
        server.send(
          "frame",
          JSON.stringify({ base64: frame.toString("base64"), isBinary: encoding === "gzip" }),
        );
      const before = await server.usage();
      const received = viewers.frame();
      const startedMs = performance.now();
      server.send("broadcast");
      frame = await received;
      const ms = performance.now() - startedMs;
      const cpu = (await server.usage()).cpuMicroseconds - before.cpuMicroseconds;
      if (round < 0) continue; // warm
      into.ms.push(ms);
      into.cpu.push(cpu);
    }
    bytes = frame.byteLength;
  }
  ourViewers.close();
  bareViewers.close();
  await Promise.all([trivet.stop(), plain.stop()]);
  const ratio = median(bare.ms) / median(ours.ms);
  return {
    name: `broadcast ${encoding}: ${SERVERS} servers, two thirds changed, to ${VIEWERS} viewers`,
    unit: "frames/s",
    ours: (VIEWERS * 1_000) / median(ours.ms),
    other: { name: "bare ws loop, the same bytes", value: (VIEWERS * 1_000) / median(bare.ms) },
    target: "ratio ≥ 0.8",
    isReached: ratio >= 0.8,
    note: `${Math.round(bytes / 1_000)} kB a frame; server CPU ${(median(ours.cpu) / 1_000).toFixed(0)} ms, bare ${(median(bare.cpu) / 1_000).toFixed(0)} ms`,
  };
}

function get(port: number, agent: Agent): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    httpRequest({ host: "127.0.0.1", port, path: "/api/servers", agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve(Buffer.concat(chunks)));
    })
      .on("error", reject)
      .end();
  });
}

async function measureList(port: number, seconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  let answers = 0;
  const until = performance.now() + seconds * 1_000;
  const startedMs = performance.now();
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (performance.now() < until) {
        await get(port, agent);
        answers += 1;
      }
    }),
  );
  agent.destroy();
  return (answers * 1_000) / (performance.now() - startedMs);
}

async function benchList(options: Effort): Promise<BenchRow> {
  const trivet = await start("trivet", SERVERS);
  const plain = await start("bare-list");
  const agent = new Agent();
  const body = await get(trivet.info.port, agent);
  plain.send("body", body.toString());
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = -1; round < options.rounds; round += 1) {
    const bareRate = await measureList(plain.info.port, options.seconds);
    const ourRate = await measureList(trivet.info.port, options.seconds);
    if (round < 0) continue; // warm
    bare.push(bareRate);
    ours.push(ourRate);
  }
  await Promise.all([trivet.stop(), plain.stop()]);
  return {
    name: `GET /api/servers with ${SERVERS} servers`,
    unit: "requests/s",
    ours: median(ours),
    other: { name: "bare Hono, the same string ready", value: median(bare) },
    target: "ratio ≥ 0.8",
    isReached: median(ours) / median(bare) >= 0.8,
    note: `${Math.round(body.byteLength / 1_000)} kB`,
  };
}

async function benchFirstSnapshot(rounds: number): Promise<BenchRow[]> {
  const trivet = await start("trivet", 2_000);
  const times: number[] = [];
  let bytes = 0;
  let servers = 0;
  for (let round = 0; round < rounds; round += 1) {
    trivet.send("change");
    trivet.send("broadcast"); // a new tick: nothing of the snapshot is ready
    await trivet.usage();
    const startedMs = performance.now();
    const socket = new WebSocket(
      `ws://127.0.0.1:${trivet.info.port}/api/ws/monitor?mode=delta&encoding=gzip`,
      { perMessageDeflate: false },
    );
    const data = await new Promise<Buffer>((resolve, reject) => {
      socket.once("message", (message: Buffer) => resolve(message));
      socket.once("error", reject);
    });
    times.push(performance.now() - startedMs);
    socket.terminate();
    bytes = data.byteLength;
    const message = snapshotSchema.parse(JSON.parse(gunzipSync(data).toString()));
    servers = message.servers.length;
  }
  await trivet.stop();
  const name = `first snapshot of ${servers} servers, gzip`;
  return [
    {
      name: `${name}: time`,
      unit: "ms",
      ours: median(times),
      target: "≤ 1,000 ms",
      isReached: median(times) <= 1_000,
    },
    {
      name: `${name}: size`,
      unit: "kB",
      ours: bytes / 1_000,
      target: "≤ 300 kB",
      isReached: bytes <= 300_000,
    },
  ];
}

/** The monitor's cases by name. */
export const monitorBenches: Readonly<Record<string, Bench>> = {
  "monitor-ingest": benchIngest,
  "monitor-broadcast": async ({ rounds }) => [
    await benchBroadcast("plain", rounds),
    await benchBroadcast("gzip", rounds),
  ],
  "monitor-list": async (effort) => [await benchList(effort)],
  "monitor-first-snapshot": ({ rounds }) => benchFirstSnapshot(rounds),
};
