/** Targets on free loopback ports that behave as a suite tells them, and what a probe needs to be run at them. */
import { createServer as createHttp, type RequestListener } from "node:http";
import { createServer as createHttps } from "node:https";
import { createServer as createTcp, type AddressInfo, type Server, type Socket } from "node:net";
import type { ProbeContext, ProbeResult } from "../../../src/kit/probes/probe.ts";
import { runProbe } from "../../../src/kit/probes/probes.ts";
import { targetSchema } from "../../../src/kit/probes/targets.ts";
import { authority, type Pair } from "./certificates.ts";

export interface TargetServer {
  readonly port: number;
  /** Connections so far. */
  readonly connections: () => number;
  /** Connections that are open now. */
  readonly open: () => number;
  /** Bytes that the other sides sent, all of them; of TLS those that are encrypted. */
  readonly received: () => string;
  close(): Promise<void>;
}

async function serve(server: Server): Promise<TargetServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  let received = "";
  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("data", (bytes: Buffer) => {
      if (received.length < 100_000) received += bytes.toString("latin1");
    });
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // `as`: a listener on a port has an address of this shape.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    connections: () => connections,
    open: () => sockets.size,
    received: () => received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Answers over HTTP, or over HTTPS with a certificate. */
export function serveHttp(listener: RequestListener, pair?: Pair): Promise<TargetServer> {
  const safe: RequestListener = (request, response) => {
    response.on("error", () => undefined);
    listener(request, response);
  };
  return serve(pair === undefined ? createHttp(safe) : createHttps(pair, safe));
}

/** Hands every connection to the suite. */
export function serveTcp(onSocket: (socket: Socket) => void = () => undefined): Promise<TargetServer> {
  return serve(createTcp(onSocket));
}

/** What must have been sent, and the answer; undefined: sent without waiting. */
export type ScriptStep = readonly [RegExp | undefined, string | Buffer];

/** A server that goes through a script, step by step. */
export async function serveScript(...steps: readonly ScriptStep[]): Promise<TargetServer> {
  const server = await serveTcp((socket: Socket) => {
    let at = 0;
    let unread = "";
    const go = (): void => {
      for (let step = steps[at]; step !== undefined; step = steps[at]) {
        const [wanted, answer] = step;
        if (wanted !== undefined) {
          if (!wanted.test(unread)) return;
          unread = "";
        }
        at += 1;
        socket.write(answer);
      }
    };
    socket.on("data", (bytes: Buffer) => {
      unread += bytes.toString("latin1");
      go();
    });
    go();
  });
  return server;
}

/** Bytes of a text in hex; spaces are for people. */
export const hexBytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(" ", ""), "hex");

/** A port that was free a moment ago. */
export async function findClosedPort(): Promise<number> {
  const server = await serveTcp();
  await server.close();
  return server.port;
}

/** Every name is this machine, and the authority of the tests the only one. */
export function createContext(options: Partial<ProbeContext> = {}): ProbeContext {
  return {
    rules: { allowPrivate: true, privateRemedy: "set the switch to allow that" },
    userAgent: "Trivet/test",
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    lookup: () => Promise.resolve(["127.0.0.1"]),
    ca: authority,
    ...options,
  };
}

/** Runs a probe at a target as an administrator would set it. */
export function look(target: unknown, options: Partial<ProbeContext> = {}): Promise<ProbeResult> {
  return runProbe(targetSchema.parse(target), createContext(options));
}

/** What of a result is the same on every machine: "up 200 OK", "status 500 Internal Server Error". */
export function sayResult({ fault, detail }: ProbeResult): string {
  return `${fault ?? "up"} | ${detail}`;
}
