/** What readers ask for: the list over HTTP and the first snapshot of the feed. */
import { Agent, request as httpRequest } from "node:http";
import { gunzipSync } from "node:zlib";
import { WebSocket } from "ws";
import { z } from "zod";
import { type BenchRow, type Effort, median } from "./measure.ts";
import { startSide } from "./monitor-sides.ts";

const SERVERS = 1_000;

const snapshotSchema = z.object({ servers: z.array(z.unknown()) });

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

/** The public list, beside Hono with the same text ready. */
export async function benchList(options: Effort): Promise<BenchRow> {
  const trivet = await startSide("trivet", SERVERS);
  const plain = await startSide("bare-list");
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

/** What one viewer more costs: time and size of the first snapshot. */
export async function benchFirstSnapshot(rounds: number): Promise<BenchRow[]> {
  const trivet = await startSide("trivet", 2_000);
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
