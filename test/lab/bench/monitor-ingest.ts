/** Ingest: many streams on few connections, each sending as fast as it is acknowledged. */
import { createChannel, createClient, type Channel } from "nice-grpc";
import { decodeControl, encodeAgentMessage } from "../../../src/monitor/proto/codec.ts";
import { createSimulatedMachine } from "../fleet/payloads.ts";
import { type BenchRow, type BenchServer, type Effort, median } from "./measure.ts";
import type { ServerInfo } from "./monitor-servers.ts";
import { pause, startSide } from "./monitor-sides.ts";
import { rawConnect } from "./raw-connect.ts";

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
    const base = Date.now() - 60_000; // within what charts keep of single reports
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

/** Reports a second through everything, beside nice-grpc alone. */
export async function benchIngest(options: Effort): Promise<BenchRow[]> {
  const ours = { perSecond: [] as number[], cpu: [] as number[] };
  const bare = { perSecond: [] as number[], cpu: [] as number[] };
  const trivet = await startSide("trivet", STREAMS);
  const plain = await startSide("bare-grpc");
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
