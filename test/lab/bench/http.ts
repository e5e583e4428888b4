/**
 * What the listener and the application's middleware cost: a GET of a ready string through a bare
 * @hono/node-server, through our listener, and through our application, each in a process of its own
 * and in turn in one run. `node --import tsx test/lab/bench/http.ts [seconds] [rounds]`
 */
import { fork, type ChildProcess } from "node:child_process";
import { connect } from "node:net";
import process from "node:process";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { createServiceApp } from "../../../src/kit/http/app.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { createLog } from "../../../src/kit/observe/log.ts";
import { createMetrics } from "../../../src/kit/observe/metrics.ts";
import { serveHttp } from "../../../src/runtime/http/http.ts";

const CONNECTIONS = 32;
const cases = ["bare", "listener", "app"] as const;
type Case = (typeof cases)[number];

/** One record of a list, about as long as a server's public view with its latest sample. */
function createItem(index: number): unknown {
  const bytes = { totalBytes: 8_345_231_360, usedBytes: 3_345_231_360 + index };
  return {
    id: `srv_${index}`,
    name: `server ${index}`,
    group: "a",
    state: "online",
    memory: bytes,
    disk: bytes,
    cpu: 12.5,
  };
}

const bodies: Readonly<Record<string, string>> = {
  "/20": JSON.stringify({ items: Array.from({ length: 20 }, (_, i) => createItem(i)) }),
  "/1000": JSON.stringify({ items: Array.from({ length: 1_000 }, (_, i) => createItem(i)) }),
};

function createBareApp(): Hono {
  const app = new Hono();
  for (const [path, body] of Object.entries(bodies)) {
    app.get(path, (c) => c.body(body, 200, { "content-type": "application/json" }));
  }
  return app;
}

async function serve(name: Case): Promise<number> {
  if (name === "bare") {
    const server = createAdaptorServer({ fetch: createBareApp().fetch });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }
  if (name === "listener") {
    const app = createBareApp();
    const listener = await serveHttp({
      hostname: "127.0.0.1",
      port: 0,
      handler: (request) => app.fetch(request),
    });
    return listener.port;
  }
  let lines = 0;
  const app = createServiceApp({
    name: "bench",
    title: "Bench",
    version: "0",
    description: "",
    log: createLog({ level: "info", write: () => (lines += 1) }),
    clock: systemClock,
    metrics: createMetrics(),
    bodyLimitBytes: 1_048_576,
    allowedOrigins: [],
    trustedProxies: [],
  });
  app.route("/", createBareApp());
  const handler = (request: Request, connection: { remoteAddress: string }): Response | Promise<Response> =>
    app.fetch(request, connection);
  return (await serveHttp({ hostname: "127.0.0.1", port: 0, handler })).port;
}

interface Server {
  readonly child: ChildProcess;
  readonly port: number;
}

/** The requests to a server and their cost: throughput depends on the machine's other work, CPU time hardly does. */
interface Sample {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
}

function readCpu(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once("message", (message) => resolve(Number(message)));
    child.send("cpu");
  });
}

async function measure(server: Server, options: { path: string; seconds: number }): Promise<Sample> {
  const before = await readCpu(server.child);
  const perSecond = await load(server.port, options);
  const spent = (await readCpu(server.child)) - before;
  return { perSecond, cpuMicroseconds: spent / (perSecond * options.seconds) };
}

/** Keeps one request at a time on each connection; returns answers per second. */
async function load(port: number, { path, seconds }: { path: string; seconds: number }): Promise<number> {
  const request = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n\r\n`);
  let answers = 0;
  let isOver = false;
  const until = performance.now() + seconds * 1_000;
  await Promise.all(
    Array.from(
      { length: CONNECTIONS },
      () =>
        new Promise<void>((resolve, reject) => {
          const socket = connect(port, "127.0.0.1", () => socket.write(request));
          let received = 0;
          let expected = 0;
          socket.on("error", reject);
          socket.on("close", () => resolve());
          socket.on("data", (chunk) => {
            if (expected === 0) {
              const head = chunk.toString("latin1");
              if (!head.startsWith("HTTP/1.1 200")) reject(new Error(head));
              const length = /content-length: (\d+)/iu.exec(head)?.[1] ?? "0";
              expected = head.indexOf("\r\n\r\n") + 4 + Number(length);
            }
            received += chunk.byteLength;
            if (received < expected) return;
            received = 0;
            answers += 1;
            isOver ||= performance.now() > until;
            if (isOver) socket.end();
            else socket.write(request);
          });
        }),
    ),
  );
  return answers / seconds;
}

function start(name: Case): Promise<Server> {
  const child = fork(new URL(import.meta.url).pathname, ["serve", name]);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("message", (message) => resolve({ child, port: Number(message) }));
  });
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function summarise(samples: readonly Sample[]): Sample {
  return {
    perSecond: median(samples.map((sample) => sample.perSecond)),
    cpuMicroseconds: median(samples.map((sample) => sample.cpuMicroseconds)),
  };
}

async function compare(
  servers: ReadonlyMap<Case, Server>,
  options: { path: string; seconds: number; rounds: number },
): Promise<void> {
  const results = new Map<Case, Sample[]>(cases.map((name) => [name, []]));
  for (const { port } of servers.values()) await load(port, { path: options.path, seconds: 1 }); // warm
  for (let round = 0; round < options.rounds; round += 1) {
    for (const [name, server] of servers) results.get(name)?.push(await measure(server, options));
  }
  const bare = summarise(results.get("bare") ?? []);
  process.stdout.write(`GET ${options.path}, ${bodies[options.path]?.length ?? 0} bytes\n`);
  for (const [name, samples] of results) {
    const { perSecond, cpuMicroseconds } = summarise(samples);
    const rates = `${Math.round(perSecond)} requests/s (${(perSecond / bare.perSecond).toFixed(2)} of bare)`;
    const cost = `${cpuMicroseconds.toFixed(1)} µs CPU each (${(bare.cpuMicroseconds / cpuMicroseconds).toFixed(2)})`;
    process.stdout.write(`  ${name.padEnd(9)} ${rates}, ${cost}\n`);
  }
}

async function main(seconds: number, rounds: number): Promise<void> {
  const servers = new Map<Case, Server>();
  try {
    for (const name of cases) servers.set(name, await start(name));
    for (const path of Object.keys(bodies)) await compare(servers, { path, seconds, rounds });
  } finally {
    for (const { child } of servers.values()) child.kill();
  }
}

const [mode, second] = process.argv.slice(2);
if (mode === "serve") {
  const name = cases.find((known) => known === second) ?? "bare";
  process.send?.(await serve(name));
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
} else {
  await main(Number(mode ?? 3), Number(second ?? 5));
}
