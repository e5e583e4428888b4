/** A real HTTP receiver on a free loopback port that notes what it got and answers as a suite tells it. */
import {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  createServer,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { cert, key } from "../support/tls-pair.ts";

export interface ReceivedRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface Receiver {
  readonly port: number;
  /** Origin, by the name localhost. */
  readonly origin: string;
  readonly requests: readonly ReceivedRequest[];
  readonly connections: () => number;
  /** What answers from now on; without it, an empty 200. */
  answer(handler: (request: ReceivedRequest, response: ServerResponse) => void): void;
  close(): Promise<void>;
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}

/** Starts a receiver; `tls` gives it the certificate of the tests. */
export async function startReceiver(options: { tls?: boolean } = {}): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let handler: (request: ReceivedRequest, response: ServerResponse) => void = (_request, response) =>
    void response.end();
  const listener: RequestListener = (request, response) => {
    response.on("error", () => undefined);
    void readBody(request).then(
      (body) => {
        const { method = "", url = "", headers } = request;
        const received = { method, url, headers, body };
        requests.push(received);
        handler(received, response);
      },
      () => undefined,
    );
  };
  const server: Server =
    options.tls === true ? createTlsServer({ key, cert }, listener) : createServer(listener);
  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // `as`: a listener on a port has an address of this shape.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `${options.tls === true ? "https" : "http"}://localhost:${port}`,
    requests,
    connections: () => connections,
    answer: (next) => {
      handler = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
