/** Readers that do not read, floods and huge bodies: what the process holds stays within its limit. */
import { request as httpRequest } from "node:http";
import { type Socket, connect } from "node:net";
import { Client, credentials, type ClientDuplexStream } from "@grpc/grpc-js";
import { connectPath, encodeAgentMessage } from "../../../src/monitor/proto/codec.ts";
import { ADMIN_TOKEN } from "../../shop/kill-load.ts";
import { childrenOf } from "../../support/processes.ts";
import { readProcessUsage } from "../fleet/process-usage.ts";
import { prepareServers } from "../fleet/servers.ts";
import { startCareless } from "./careless.ts";
import { type ChaosCase, type Found, type Surroundings, pause, waitFor } from "./case.ts";
import { createSubject, isHealthy } from "./subject.ts";
import { createMonitorTraffic } from "./traffic.ts";

const MIB = 1024 * 1024;
/** More than this a process must not grow by, whatever is sent to it or not read from it. */
const LIMIT_MIB = 150;
const BODY_MIB = 400;
const READERS = 20;
/** A ping after 25 s, as long for its pong, 5 s for the closing handshake; two sweeps of a second, and a look of ours. */
const DROPPED_LIMIT_MS = 60_000;

/** MiB of a process and of its children: under Deno agents talk to one. NaN when it is gone, which no limit allows. */
export function readRssMib(pid: number): number {
  const own = readProcessUsage(pid)?.rssBytes ?? Number.NaN;
  return childrenOf(pid).reduce((sum, child) => sum + (readProcessUsage(child)?.rssBytes ?? 0), own) / MIB;
}

/** Follows the memory of a process while `work` runs; gives by how much it grew at most, in MiB, NaN when it ended. */
export async function measureGrowth(pid: number, work: () => Promise<void>): Promise<number> {
  const before = readRssMib(pid);
  let peak = before;
  const look = (): void => {
    peak = Math.max(peak, readRssMib(pid));
  };
  const timer = setInterval(look, 100);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  look();
  return Math.round(peak - before);
}

function toGrown(mebibytes: number): string {
  return Number.isNaN(mebibytes) ? "the process ended" : `grew by ${mebibytes} MiB of ${LIMIT_MIB}`;
}

/** Sends a body without end in chunks; gives the answer's status, 0 when the connection was ended. */
function sendHuge(url: string, mebibytes: number): Promise<number> {
  return new Promise((resolve) => {
    const headers = { "content-type": "application/json", "transfer-encoding": "chunked" };
    const request = httpRequest(url, { method: "POST", headers });
    const chunk = Buffer.alloc(MIB, 0x20);
    let left = mebibytes;
    const send = (): void => {
      while (left > 0) {
        left -= 1;
        if (!request.write(chunk)) return void request.once("drain", send);
      }
      request.end();
    };
    request.on("response", (response) => {
      left = 0;
      response.resume().on("end", () => request.destroy());
      resolve(response.statusCode ?? 0);
    });
    request.on("error", () => resolve(0));
    send();
  });
}

async function sendHugeBodies(around: Surroundings): Promise<Found> {
  const subject = await createSubject(around, { services: ["monitor", "auth", "shop"] });
  const life = await subject.start();
  const mebibytes = around.isQuick ? BODY_MIB / 2 : BODY_MIB;
  const targets = [
    `${subject.url("shop")}/api/checkout`,
    `${subject.url("shop")}/api/webhooks/generic-pay`,
    `${subject.url("auth")}/api/auth/login`,
  ];
  const statuses: number[] = [];
  const grown = await measureGrowth(life.pid, async () => {
    for (const target of targets) statuses.push(await sendHuge(target, mebibytes));
  });
  const isWell = await isHealthy(subject.url("shop"));
  const areRefused = statuses.every((status) => status === 413 || status === 0);
  return {
    isKept: grown <= LIMIT_MIB && areRefused && isWell,
    done: `${targets.length} bodies of ${mebibytes} MiB`,
    acknowledged: "",
    found: `${toGrown(grown)}; answers ${statuses.join(", ")}`,
  };
}

/** Until the stream accepts more, or a moment later: a blocked one must not hold up the part. */
function waitForRoom(call: ClientDuplexStream<Buffer, Buffer>): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      call.off("drain", end);
      resolve();
    };
    const timer = setTimeout(end, 200);
    call.on("drain", end);
  });
}

/** One agent that sends reports as fast as the stream takes them. */
async function flood(around: Surroundings): Promise<Found> {
  const subject = await createSubject(around, { services: ["monitor"] });
  const life = await subject.start();
  const url = subject.url("monitor");
  const [key] = await prepareServers({ count: 1, url, adminToken: ADMIN_TOKEN, keysFile: undefined });
  const client = new Client(subject.grpc(), credentials.createInsecure());
  around.onEnd(() => client.close());
  const bare = (bytes: Buffer): Buffer => bytes;
  const call = client.makeBidiStreamRequest(connectPath, bare, bare);
  call.on("error", () => undefined).on("data", () => undefined);
  const identity = { serverId: key?.id ?? "", agentKey: key?.agentKey ?? "", hostname: "flood" };
  call.write(Buffer.from(encodeAgentMessage({ kind: "hello", ...identity })));
  let sent = 0;
  let at = Date.now() - 60_000;
  const payloadJson = JSON.stringify({ padding: "x".repeat(20_000) });
  const endMs = performance.now() + (around.isQuick ? 5_000 : 15_000);
  const grown = await measureGrowth(life.pid, async () => {
    while (performance.now() < endMs) {
      at += 1;
      const more = call.write(
        Buffer.from(encodeAgentMessage({ kind: "metrics", collectedAtUnixMs: at, payloadJson })),
      );
      sent += 1;
      if (!more) await waitForRoom(call);
    }
  });
  call.cancel();
  return {
    isKept: grown <= LIMIT_MIB && (await isHealthy(url)) && sent > 20,
    done: `an agent that sends reports of 20 kB as fast as it may`,
    acknowledged: `${sent} reports sent`,
    found: toGrown(grown),
  };
}

/** Opens a WebSocket and never reads what comes. */
async function openSlowReader(url: string, path: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  const key = Buffer.alloc(16, 1).toString("base64");
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  );
  await new Promise<void>((resolve) => socket.once("data", () => resolve()));
  socket.pause();
  return socket;
}

async function openSlowReaders(around: Surroundings, url: string, path: string): Promise<void> {
  for (let n = 0; n < READERS; n += 1) {
    const socket = await openSlowReader(url, path);
    around.onEnd(() => socket.destroy());
  }
}

async function readSlowly(around: Surroundings): Promise<Found> {
  const subject = await createSubject(around, { services: ["monitor"] });
  const life = await subject.start();
  const url = subject.url("monitor");
  const traffic = createMonitorTraffic(subject, { agents: 100, intervalMs: 2_000, viewers: 0 });
  await traffic.prepare();
  traffic.start();
  await pause(3_000);
  let droppedMs: number | undefined;
  const areDropped = async (): Promise<boolean> => {
    const response = await fetch(`${url}/metrics`, { headers: { "x-admin-token": ADMIN_TOKEN } });
    return /^trivet_feed_viewers 0$/mu.test(await response.text());
  };
  const grown = await measureGrowth(life.pid, async () => {
    await openSlowReaders(around, url, "/api/ws/monitor?mode=full");
    droppedMs = await waitFor(areDropped, { limitMs: around.within(DROPPED_LIMIT_MS), everyMs: 500 });
  });
  await traffic.stop();
  return {
    isKept: grown <= LIMIT_MIB && droppedMs !== undefined,
    done: `${READERS} viewers of 100 servers that never read`,
    acknowledged: "",
    found: `${toGrown(grown)}; ${droppedMs === undefined ? "not dropped" : `dropped after ${Math.round(droppedMs / 1_000)} s`}`,
  };
}

async function sendHugeToCareless(around: Surroundings): Promise<Found> {
  const server = await startCareless(around, "plain");
  const grown = await measureGrowth(server.pid, async () => {
    await sendHuge(server.url, BODY_MIB);
  });
  return {
    isKept: grown <= LIMIT_MIB,
    done: `a body of ${BODY_MIB} MiB`,
    acknowledged: "",
    found: toGrown(grown),
  };
}

async function readSlowlyFromCareless(around: Surroundings): Promise<Found> {
  const server = await startCareless(around, "plain");
  const grown = await measureGrowth(server.pid, async () => {
    await openSlowReaders(around, server.url, "/");
    await waitFor(() => readRssMib(server.pid) > 2 * LIMIT_MIB, { limitMs: 20_000 });
  });
  return {
    isKept: grown <= LIMIT_MIB,
    done: `${READERS} viewers that never read`,
    acknowledged: "",
    found: toGrown(grown),
  };
}

/** What is sent. */
export const memory: ChaosCase = {
  name: "memory",
  promise: `Memory: a flood or a huge body makes a process grow by at most ${LIMIT_MIB} MiB`,
  parts: [
    { name: "huge bodies", run: sendHugeBodies },
    { name: "a flood of reports", run: flood },
    { name: "a server that gathers bodies", isControl: true, run: sendHugeToCareless },
  ],
};

/** What is not read. */
export const slowReaders: ChaosCase = {
  name: "slow-readers",
  promise: `Slow readers are dropped a minute after their last sign of life, and make a process grow by at most ${LIMIT_MIB} MiB`,
  isPatient: true,
  parts: [
    { name: "monitor's feed", run: readSlowly },
    { name: "a server that queues frames", isControl: true, run: readSlowlyFromCareless },
  ],
};
