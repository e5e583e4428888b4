import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createConnection, createServer } from "node:net";
import process from "node:process";
import { afterEach, beforeEach, describe, it } from "node:test";
import type { GrpcListener, GrpcStreamHandler } from "../../../src/runtime/runtime.ts";
import { serveGrpcSupervised } from "../../../src/runtime/deno-grpc/grpc-supervised.ts";
import { toRunArguments } from "../../support/own-runtime.ts";
import { createTestClient, type TestClient } from "../grpc/grpc-client.ts";
import { supervisedKind, toLaunch, toOptions } from "../grpc/grpc-listeners.ts";
import { toFrame, toHeaders, toPreface } from "../grpc/http2-frames.ts";

const path = "/test.T/Run";

/** Events of a listener, and promises for those to come. */
function createEventLog(): {
  readonly push: (event: { message: string }) => void;
  next(pattern: RegExp): Promise<string>;
} {
  const messages: string[] = [];
  const waiters = new Set<() => void>();
  return {
    push: ({ message }) => {
      messages.push(message);
      for (const wake of waiters) wake();
    },
    next: async (pattern) => {
      for (;;) {
        const index = messages.findIndex((message) => pattern.test(message));
        if (index >= 0) return messages.splice(0, index + 1).at(-1) ?? "";
        await new Promise<void>((resolve) => {
          const wake = (): void => {
            waiters.delete(wake);
            resolve();
          };
          waiters.add(wake);
        });
      }
    },
  };
}

function readPid(message: string): number {
  const pid = /process (\d+) listens/u.exec(message)?.[1];
  assert.ok(pid !== undefined, `no pid in "${message}"`);
  return Number(pid);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Sends bytes on a connection of its own; resolves when they were processed: a ping is answered or refused. */
async function sendAndWait(port: number, bytes: Uint8Array): Promise<void> {
  const mark = Buffer.from("answered");
  // GOAWAY: 8 bytes, type 7, no flags. Node leaves the connection open after it.
  const goaway = Buffer.from([0, 0, 8, 7, 0]);
  const socket = createConnection(port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(Buffer.concat([bytes, toFrame({ type: 6, payload: mark })]));
  let received = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    if (received.includes(mark) || received.includes(goaway)) socket.destroy();
  });
  await once(socket, "close");
}

describe("serveGrpcSupervised", () => {
  let listener: GrpcListener | undefined;
  let clients: TestClient[] = [];
  let log = createEventLog();

  beforeEach(() => {
    clients = [];
    log = createEventLog();
  });
  afterEach(async () => {
    for (const client of clients) client.close();
    await listener?.close({ graceMs: 200 });
    listener = undefined;
  });

  async function serve(handler: GrpcStreamHandler): Promise<{ listener: GrpcListener; pid: number }> {
    const running = await supervisedKind.serve(toOptions({ [path]: handler }, { onEvent: log.push }));
    listener = running;
    return { listener: running, pid: readPid(await log.next(/listens on port/u)) };
  }
  function connect(port: number): TestClient {
    const client = createTestClient(`127.0.0.1:${port}`);
    clients.push(client);
    return client;
  }

  it("outlives a crash of its child under load: streams end, the port comes back, no answer is invented", async () => {
    const handled = new Set<string>();
    let ended = 0;
    let aborted = 0;
    const { listener: running, pid } = await serve(async function* (requests, call) {
      call.signal.addEventListener("abort", () => (aborted += 1));
      for await (const message of requests) {
        handled.add(Buffer.from(message).toString());
        yield message;
      }
      ended += 1;
    });
    const first = connect(running.port);
    const answered: string[] = [];
    const crashed = log.next(/ended and will restart/u);
    const load = Array.from({ length: 10 }, async (_, worker) => {
      const stream = first.open(path);
      for (let index = 0; ; index += 1) {
        stream.send(`${worker}.${index}`);
        const answer = await stream.next();
        if (answer === undefined) return stream.status;
        answered.push(Buffer.from(answer).toString());
        if (worker === 0 && index === 20) process.kill(pid, "SIGABRT");
      }
    });
    assert.match(await crashed, /SIGABRT/u);
    assert.equal(running.healthy, false);
    for (const status of await Promise.all(load)) assert.notEqual(status.code, 0);
    assert.deepEqual(
      answered.filter((name) => !handled.has(name)),
      [],
    );
    const newPid = readPid(await log.next(/listens again/u));
    assert.notEqual(newPid, pid);
    assert.equal(running.healthy, true);
    assert.deepEqual({ ended, aborted }, { ended: 10, aborted: 10 });
    const stream = connect(running.port).open(path);
    stream.send("back");
    assert.equal(Buffer.from((await stream.next()) ?? []).toString(), "back");
  });

  it("starts again after each of several crashes, whatever their kind", async () => {
    let { pid } = await serve(async function* (requests) {
      yield* requests;
    });
    for (const signal of ["SIGABRT", "SIGKILL"] as const) {
      process.kill(pid, signal);
      pid = readPid(await log.next(/listens again/u));
    }
    const stream = connect(listener?.port ?? 0).open(path);
    stream.send("back");
    assert.ok(await stream.next());
  });

  it("refuses TLS with a text that says what to do", async () => {
    const options = toOptions({}, { tls: { cert: "c", key: "k" } });
    await assert.rejects(supervisedKind.serve(options), /at the proxy/u);
  });

  it("can be closed between two lives of the child", async () => {
    const { listener: running, pid } = await serve(async function* (requests) {
      yield* requests;
    });
    process.kill(pid, "SIGKILL");
    await log.next(/ended and will restart/u);
    await running.close();
    assert.equal(running.healthy, false);
  });

  it("leaves no child behind after close, also when stop signals reach the child first", async () => {
    const { listener: running, pid } = await serve(async function* (requests) {
      yield* requests;
    });
    const client = connect(running.port);
    const stream = client.open(path);
    stream.send("in");
    await stream.next();
    process.kill(pid, "SIGTERM");
    process.kill(pid, "SIGINT");
    stream.send("still in");
    assert.equal(Buffer.from((await stream.next()) ?? []).toString(), "still in");
    stream.end();
    await stream.status;
    // Deno's client has been seen to abort the process on GOAWAY beside a stream that just ended.
    client.close();
    await running.close();
    assert.equal(isAlive(pid), false);
  });

  it("ends the child when the parent is killed", async () => {
    const script = new URL("./grpc-orphan.ts", import.meta.url).pathname;
    const parent = spawn(process.execPath, [...toRunArguments(script)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = await once(parent.stdout, "data");
    const pid = readPid(String(line));
    const port = Number(/port (\d+)/u.exec(String(line))?.[1]);
    assert.ok(isAlive(pid));
    // The child's end shows on a connection to it.
    const socket = createConnection(port, "127.0.0.1");
    await once(socket, "connect");
    const gone = once(socket, "close");
    socket.resume();
    parent.kill("SIGKILL");
    await gone;
  });

  it("waits for a port that the child of a killed program still holds", async () => {
    const orphan = createServer().listen(0, "127.0.0.1").unref();
    await once(orphan, "listening");
    const { port } = orphan.address() as AddressInfo;
    let lives = 0;
    const options = toOptions({}, { port });
    const launch = toLaunch(options.hostname);
    listener = await serveGrpcSupervised(options, (...place) => {
      lives += 1;
      if (lives === 2) orphan.close();
      return launch(...place);
    });
    assert.equal(listener.port, port);
    assert.ok(lives >= 2);
  });

  it("survives two HEADERS frames without a content type, and a broken reset after one", async () => {
    const { listener: running, pid } = await serve(async function* (requests) {
      yield* requests;
    });
    const stream = connect(running.port).open(path);
    stream.send("in");
    await stream.next();
    const headers = toFrame({ type: 1, flags: 5, stream: 1, payload: toHeaders({ path }) });
    const badReset = toFrame({ type: 3, stream: 1, payload: Buffer.alloc(2) });
    const attacks = [headers, badReset].map((second) => Buffer.concat([toPreface(), headers, second]));
    for (const attack of [...attacks, ...attacks]) await sendAndWait(running.port, attack);
    stream.send("still here");
    assert.equal(Buffer.from((await stream.next()) ?? []).toString(), "still here");
    assert.ok(isAlive(pid));
    assert.equal(running.healthy, true);
  });
});
