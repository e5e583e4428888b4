/** The process that `runLoad` starts: takes one message with options, sends one message with the result. */
import { Buffer } from "node:buffer";
import { once } from "node:events";
import { type Socket, connect } from "node:net";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { type Answer, createAnswerReader, toBody } from "./load-answer.ts";
import type { CreatePlan, LoadAnswer, LoadMessage, LoadRequest, LoadResult } from "./load.ts";

/** How long answers may take that are on their way at the end. */
const GRACE_MS = 10_000;

/** From a connection that broke to the next. */
const RETRY_MS = 10;

/** The server wants a new connection for the next request. */
const CLOSING = /\r\nconnection: *close\r\n/iu;

/** Gives the bytes of a connection's next request. */
type Source = (answer: LoadAnswer | undefined) => Buffer;

function toBytes({ method = "GET", path, headers = {}, body }: LoadRequest, host: string): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${host}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined) lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body ?? ""}`);
}

/** A source for each connection; a request that never changes is made once. */
async function createSources(options: LoadMessage): Promise<(connection: number) => Source> {
  const { url, method = "GET", headers = {}, body, values = [], plan } = options;
  const { host, pathname, search } = new URL(url);
  if (plan !== undefined) {
    const { createPlan } = (await import(plan)) as { createPlan: CreatePlan }; // the caller names such a module
    return (connection) => {
      const requests = createPlan(connection, options.planData);
      return (answer) => toBytes(requests.next(answer), host);
    };
  }
  const path = (pathname + search).replaceAll("%7B", "{").replaceAll("%7D", "}");
  const request = { method, path, headers, ...(body === undefined ? {} : { body }) };
  const template = JSON.stringify(request);
  if (!template.includes("{n}") && !template.includes("{value}")) {
    const bytes = toBytes(request, host);
    return () => () => bytes;
  }
  let n = 0;
  const fill = (text: string): string =>
    text.replaceAll("{n}", String(n)).replaceAll("{value}", () => values[n % values.length] ?? "");
  return () => () => {
    const filled: Record<string, string> = {};
    for (const [name, value] of Object.entries(headers)) filled[name] = fill(value);
    const bytes = toBytes(
      { method, path: fill(path), headers: filled, ...(body === undefined ? {} : { body: fill(body) }) },
      host,
    );
    n += 1;
    return bytes;
  };
}

/** Counts what falls between `fromMs` and `untilMs`. */
interface Tally {
  readonly latenciesMs: number[];
  readonly statuses: Record<string, number>;
  errors: number;
}

/** When the next request of a connection may go, and since when it was due. */
interface Pace {
  /** Calls `send` with the time at which the request was due, now or later. */
  take(send: (dueMs: number) => void): void;
}

function createPace(perSecond: number | undefined, untilMs: number): Pace {
  if (perSecond === undefined) return { take: (send) => send(performance.now()) };
  const idle: ((dueMs: number) => void)[] = [];
  const stepMs = 1_000 / perSecond;
  let dueMs = performance.now();
  // Idle connections take what is due; the rest stays due.
  setInterval(() => {
    const nowMs = performance.now();
    while (dueMs <= nowMs || nowMs >= untilMs) {
      const send = idle.shift();
      if (send === undefined) return;
      send(dueMs);
      dueMs += stepMs;
    }
  }, 1).unref();
  return { take: (send) => void idle.push(send) };
}

interface Connection {
  readonly port: number;
  readonly host: string;
  readonly source: Source;
  readonly pace: Pace;
  readonly needsBody: boolean;
  isOver(): boolean;
  onAnswer(answer: Answer, latencyMs: number): void;
  onError(): void;
}

/** One request at a time until it is over; reconnects when the server closes it. */
function runConnection(connection: Connection): { done: Promise<void>; abort(): void } {
  let socket: Socket | undefined;
  let isAborted = false;
  let last: LoadAnswer | undefined;
  async function runSocket(): Promise<void> {
    const current = connect({ port: connection.port, host: connection.host, noDelay: true });
    socket = current;
    const read = createAnswerReader();
    let isWaiting = true; // for the connection itself
    let startedMs = 0;
    const send = (): void =>
      connection.pace.take((dueMs) => {
        if (current.destroyed) return;
        if (connection.isOver()) return void current.end();
        isWaiting = true;
        startedMs = dueMs;
        current.write(connection.source(last));
      });
    current.on("error", () => undefined); // "close" follows
    current.on("data", (piece: Buffer) => {
      const answer = read(piece);
      if (answer === undefined) return;
      isWaiting = false;
      connection.onAnswer(answer, performance.now() - startedMs);
      const { status, head } = answer;
      if (connection.needsBody) last = { status, head, body: toBody(answer) };
      if (connection.isOver() || CLOSING.test(head)) current.end();
      else send();
    });
    current.on("connect", () => {
      isWaiting = false;
      send();
    });
    await once(current, "close").catch(() => undefined);
    if (!isWaiting) return;
    last = undefined;
    connection.onError();
    await setTimeout(RETRY_MS);
  }
  async function run(): Promise<void> {
    while (!connection.isOver() && !isAborted) await runSocket();
  }
  return {
    done: run(),
    abort: () => {
      isAborted = true;
      socket?.destroy();
    },
  };
}

function summarise(tally: Tally, seconds: number, clientCpuShare: number): LoadResult {
  const sorted = Float64Array.from(tally.latenciesMs).sort();
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return {
    requests: sorted.length,
    perSecond: sorted.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
    errors: tally.errors,
    statuses: tally.statuses,
    clientCpuShare,
  };
}

async function run(options: LoadMessage): Promise<LoadResult> {
  const createSource = await createSources(options);
  const { hostname, port } = new URL(options.url);
  const tally: Tally = { latenciesMs: [], statuses: {}, errors: 0 };
  const fromMs = performance.now() + (options.warmupSeconds ?? 0) * 1_000;
  const untilMs = fromMs + options.seconds * 1_000;
  const pace = createPace(options.perSecond, untilMs);
  const connections = Array.from({ length: options.connections }, (_, index) =>
    runConnection({
      port: Number(port),
      host: hostname,
      source: createSource(index),
      pace,
      needsBody: options.plan !== undefined,
      isOver: () => performance.now() >= untilMs,
      onAnswer: ({ status }, latencyMs) => {
        const nowMs = performance.now();
        // Also after the end a refusal counts as one; only the rate needs the window.
        tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
        if (nowMs >= fromMs && nowMs < untilMs) tally.latenciesMs.push(latencyMs);
      },
      onError: () => (tally.errors += 1),
    }),
  );
  const cpu = process.cpuUsage();
  const timer = globalThis.setTimeout(
    () => {
      for (const { abort } of connections) abort();
    },
    untilMs - performance.now() + GRACE_MS,
  );
  await Promise.all(connections.map(({ done }) => done));
  clearTimeout(timer);
  const { user, system } = process.cpuUsage(cpu);
  const loadSeconds = options.seconds + (options.warmupSeconds ?? 0);
  return summarise(tally, options.seconds, (user + system) / (loadSeconds * 1_000_000));
}

process.once("message", (message) => {
  void run(message as LoadMessage).then((result) => process.send?.(result)); // load.ts sends it
});
