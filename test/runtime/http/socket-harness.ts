/** A listener with sockets on a real port, and a client for it. */
import assert from "node:assert/strict";
import { WebSocket } from "ws";
import type { HttpHandler, Listener, ServerSocket } from "../../../src/runtime/runtime.ts";
import { serveHttp } from "../../../src/runtime/http/http.ts";
import { upgradeWebSocket } from "../../../src/runtime/http/upgrade.ts";

/** A listener with one WebSocket path, "/feed". */
export interface Harness extends Listener {
  readonly url: string;
  readonly errors: unknown[];
  /** The server's end of the newest socket. */
  socket(): ServerSocket;
  /** Resolves with the arguments of `onclose` for the first socket that closed. */
  readonly closed: Promise<[number, string]>;
  readonly closeCalls: () => number;
}

/** What the listener's sockets do. */
export interface HarnessOptions {
  readonly setUp?: (socket: ServerSocket) => void;
  readonly maxMessageBytes?: number;
}

/** Runs `work` with a listener of its own. */
export async function withSockets(
  options: HarnessOptions,
  work: (harness: Harness) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  let newest: ServerSocket | undefined;
  let closeCalls = 0;
  let tellClosed: (event: [number, string]) => void = () => undefined;
  const closed = new Promise<[number, string]>((resolve) => {
    tellClosed = resolve;
  });
  const handler: HttpHandler = (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/forbidden") {
      const headers = { "content-type": "application/problem+json", "x-request-id": "r1" };
      return new Response('{"code":"origin_refused"}', { status: 403, headers });
    }
    if (pathname !== "/feed") return new Response("nothing here", { status: 404 });
    const upgrade = upgradeWebSocket(request, { maxMessageBytes: options.maxMessageBytes ?? 1_000 });
    newest = upgrade.socket;
    upgrade.socket.onclose = (code, reason) => {
      closeCalls += 1;
      tellClosed([code, reason]);
    };
    options.setUp?.(upgrade.socket);
    upgrade.response.headers.set("x-request-id", "r2");
    if (request.headers.has("x-change-mind")) return new Response("sorry", { status: 409 });
    return upgrade.response;
  };
  const listener = await serveHttp({
    hostname: "127.0.0.1",
    port: 0,
    handler,
    onError: (error) => errors.push(error),
  });
  try {
    await work({
      ...listener,
      url: `ws://127.0.0.1:${listener.port}`,
      errors,
      closed,
      closeCalls: () => closeCalls,
      socket: () => {
        assert.ok(newest);
        return newest;
      },
    });
  } finally {
    await listener.close({ graceMs: 0 });
  }
}

/** Resolves with an open client. */
export function open(url: string): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const client = new WebSocket(url, { perMessageDeflate: true });
    client.once("open", () => resolve(client));
    client.once("error", reject);
  });
}

/** Resolves with the next message. */
export function nextMessage(client: WebSocket): Promise<string | Uint8Array> {
  return new Promise((resolve) => {
    client.once("message", (data, isBinary) => {
      assert.ok(Buffer.isBuffer(data));
      resolve(isBinary ? new Uint8Array(data) : data.toString("utf8"));
    });
  });
}

/** Resolves with the code and reason that the client was closed with. */
export function nextClose(client: WebSocket): Promise<[number, string]> {
  client.on("error", () => undefined);
  return new Promise((resolve) => {
    client.once("close", (code, reason) => resolve([code, reason.toString("utf8")]));
  });
}
