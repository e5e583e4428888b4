/** Broadcast: the time from a change of the fleet until the last viewer has the frame. */
import { WebSocket } from "ws";
import { type BenchRow, median } from "./measure.ts";
import { pause, startSide } from "./monitor-sides.ts";

const VIEWERS = 1_000;
const SERVERS = 1_000;

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

/** One frame of a thousand servers to a thousand viewers, beside `ws` alone. */
export async function benchBroadcast(encoding: "plain" | "gzip", rounds: number): Promise<BenchRow> {
  const trivet = await startSide("trivet", SERVERS);
  const plain = await startSide("bare-ws");
  const ourViewers = await connectViewers(
    `ws://127.0.0.1:${trivet.info.port}/api/ws/monitor?mode=delta&encoding=${encoding}`,
    VIEWERS,
  );
  const bareViewers = await connectViewers(`ws://127.0.0.1:${plain.info.port}/`, VIEWERS);
  const ours = { ms: [] as number[], cpu: [] as number[] };
  const bare = { ms: [] as number[], cpu: [] as number[] };
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
