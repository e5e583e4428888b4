/**
 * gRPC with the listener in a child process, for runtimes whose HTTP/2 can end the process. Handlers run here; the
 * child only translates.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { type SocketAddress, isSocketAddress } from "../../kit/text/socket-address.ts";
import { codeOf } from "../../kit/thrown.ts";
import type { GrpcListener, GrpcOptions } from "../runtime.ts";
import type { ChildSettings } from "./grpc-child.ts";
import { type StreamHost, createStreamHost } from "./grpc-host.ts";
import type { GrpcLaunch } from "./grpc-launch.ts";
import { type Frame, type Link, createLink, frameTypes, readJson } from "./grpc-link.ts";

const firstDelayMs = 100;
const maxDelayMs = 10_000;
/** A child that ran this long resets the delays. */
const steadyMs = 30_000;
const defaultGraceMs = 10_000;
/** Extra time of the child before it is killed. */
const killAfterMs = 2_000;
/** A child that does not listen by then is killed. */
const startLimitMs = 30_000;
/** The child of a program that was killed may hold the port until it sees that its parent is gone. */
const orphanLimitMs = 3_000;
const orphanPauseMs = 200;
const stderrTailLength = 2_000;

/** One life of the child. */
interface Life {
  readonly process: ChildProcess;
  readonly link: Link;
  readonly host: StreamHost;
  /** Resolves with the port, rejects when the child cannot listen or ends before. */
  readonly ready: Promise<number>;
  /** Resolves with the way it ended. */
  readonly ended: Promise<string>;
}

function toFailure(value: unknown): Error {
  const record = typeof value === "object" && value !== null ? value : {};
  const message = "message" in record ? String(record.message) : "The gRPC process cannot listen";
  return Object.assign(new Error(message), "code" in record ? { code: String(record.code) } : {});
}

function readPort(frame: Frame): number {
  const value = readJson(frame);
  if (typeof value === "object" && value !== null && "port" in value && typeof value.port === "number")
    return value.port;
  throw new Error("A ready frame without a port");
}

function toSettings(options: GrpcOptions, port: number | SocketAddress): ChildSettings {
  const { hostname, socketMode, maxMessageBytes, maxStreams, keepaliveMs, keepaliveTimeoutMs } = options;
  const mode = socketMode === undefined ? {} : { socketMode };
  const paths = Object.keys(options.methods);
  return { hostname, port, ...mode, paths, maxMessageBytes, maxStreams, keepaliveMs, keepaliveTimeoutMs };
}

/** Passes on an event of the child, whatever it holds. */
function tellEvent(options: GrpcOptions, frame: Frame): void {
  const value = readJson(frame);
  if (typeof value !== "object" || value === null || !("message" in value)) return;
  const level =
    "level" in value && (value.level === "info" || value.level === "warn") ? value.level : "error";
  options.onEvent?.({ level, message: String(value.message) });
}

interface Outcome<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

function createOutcome<T>(): Outcome<T> {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((accept, refuse) => {
    resolve = accept;
    reject = refuse;
  });
  promise.catch(() => undefined); // Also rejects for callers that wait for the end.
  return { promise, resolve, reject };
}

/** Keeps the last words of the child, which say why it crashed. */
function keepTail(child: ChildProcess): () => string {
  let tail = "";
  const decoder = new TextDecoder();
  child.stderr?.on("data", (chunk: Uint8Array) => {
    tail = (tail + decoder.decode(chunk, { stream: true })).slice(-stderrTailLength);
  });
  return () => tail.trim();
}

function startLife(options: GrpcOptions, launch: GrpcLaunch, port: number | SocketAddress): Life {
  const { command, args, env } = launch(port);
  const child = spawn(command, [...args], { env: { ...env }, stdio: ["pipe", "pipe", "pipe"] });
  const lastWords = keepTail(child);
  const ready = createOutcome<number>();
  const ended = createOutcome<string>();
  const startTimer = setTimeout(() => child.kill("SIGKILL"), startLimitMs);
  let killTimer: ReturnType<typeof setTimeout> | undefined;
  let failure: string | undefined;
  const link = createLink({
    input: child.stdout,
    output: child.stdin,
    onFrame: (frame) => {
      if (frame.type === frameTypes.ready) {
        clearTimeout(startTimer);
        ready.resolve(readPort(frame));
      } else if (frame.type === frameTypes.failed) {
        const error = toFailure(readJson(frame));
        failure = error.message;
        ready.reject(error);
      } else if (frame.type === frameTypes.event) tellEvent(options, frame);
      else host.onFrame(frame);
    },
    // Without a pipe the child is of no use. It exits by itself, and how it did is worth knowing.
    onClose: () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      killTimer = setTimeout(() => child.kill("SIGKILL"), killAfterMs);
    },
  });
  const host = createStreamHost(options, link);
  const end = (how: string): void => {
    clearTimeout(startTimer);
    clearTimeout(killTimer);
    const reason = [how, failure ?? lastWords()].filter((text) => text !== "").join(": ");
    ready.reject(new Error(`The gRPC process ended (${reason})`));
    host.endAll();
    ended.resolve(reason);
  };
  child.on("error", (error) => end(error.message));
  child.on("exit", (code, signal) => end(signal ?? `exit code ${code}`));
  link.sendJson(frameTypes.start, 0, toSettings(options, port));
  return { process: child, link, host, ready: ready.promise, ended: ended.promise };
}

/** The first life, with its port. @throws what says why it cannot listen */
async function startFirstLife(
  options: GrpcOptions,
  launch: GrpcLaunch,
): Promise<{ readonly life: Life; readonly port: number }> {
  const until = performance.now() + orphanLimitMs;
  const pause = createPause();
  for (;;) {
    const life = startLife(options, launch, options.port);
    try {
      return { life, port: await life.ready };
    } catch (error) {
      if (codeOf(error) !== "EADDRINUSE" || performance.now() > until) throw error;
    }
    await pause.sleep(orphanPauseMs);
  }
}

/** A wait that can be cut short. */
function createPause(): { sleep(ms: number): Promise<void>; wake(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let done: () => void = () => undefined;
  return {
    sleep: (ms) =>
      new Promise((resolve) => {
        done = resolve;
        timer = setTimeout(resolve, ms);
      }),
    wake: () => {
      clearTimeout(timer);
      done();
    },
  };
}

/**
 * Listens for gRPC in a child process, and starts it again on the same port whenever it ends.
 *
 * @throws an Error with `code` "EADDRINUSE" or "EACCES" when it cannot listen, "ERR_TLS_UNSUPPORTED" for TLS
 */
export async function serveGrpcSupervised(options: GrpcOptions, launch: GrpcLaunch): Promise<GrpcListener> {
  if (options.tls !== undefined) {
    const message =
      "gRPC over TLS is not supported on this runtime. Terminate TLS at the proxy, or run on Node";
    throw Object.assign(new Error(message), { code: "ERR_TLS_UNSUPPORTED" });
  }
  const first = await startFirstLife(options, launch);
  const { port } = first;
  const place = isSocketAddress(options.port) ? options.port : port;
  let { life } = first;
  let healthy = true;
  let closing: Promise<void> | undefined;
  const pause = createPause();
  const tell = (level: "info" | "warn", message: string): void => options.onEvent?.({ level, message });

  function tellListening(again = ""): void {
    tell(
      "info",
      `The gRPC process ${life.process.pid} listens ${again}on ${isSocketAddress(place) ? place : `port ${place}`}`,
    );
  }

  async function restart(delayMs: number): Promise<void> {
    await pause.sleep(delayMs);
    if (closing !== undefined) return;
    life = startLife(options, launch, place);
    // A child that never listens exits, which is reported like every exit.
    healthy = await life.ready.then(
      () => true,
      () => false,
    );
    if (healthy) tellListening("again ");
  }

  async function watch(): Promise<void> {
    let delayMs = firstDelayMs;
    while (closing === undefined) {
      const since = performance.now();
      const how = await life.ended;
      healthy = false;
      if (closing !== undefined) return;
      if (performance.now() - since > steadyMs) delayMs = firstDelayMs;
      tell("warn", `The gRPC process ended and will restart in ${delayMs} ms (${how})`);
      await restart(delayMs);
      delayMs = Math.min(delayMs * 2, maxDelayMs);
    }
  }
  tellListening();
  const watching = watch();

  async function close(graceMs: number): Promise<void> {
    pause.wake();
    life.link.sendJson(frameTypes.drain, 0, { graceMs });
    const timer = setTimeout(() => life.process.kill("SIGKILL"), graceMs + killAfterMs);
    await Promise.all([life.ended, watching]);
    clearTimeout(timer);
  }
  return {
    hostname: options.hostname,
    port,
    get healthy() {
      return healthy;
    },
    close: (closeOptions = {}) => (closing ??= close(closeOptions.graceMs ?? defaultGraceMs)),
  };
}
