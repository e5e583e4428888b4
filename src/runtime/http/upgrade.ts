/** WebSocket handshakes that pass through the same handler as every other request. */
import { STATUS_CODES, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { NoHandshakeError, type Connection, type HttpHandler, type UpgradeWebSocket } from "../runtime.ts";
import { WsServerSocket } from "./server-socket.ts";

const DEFAULT_MAX_MESSAGE_BYTES = 4_096;
const CLOSE_TIMEOUT_MS = 5_000;
/** How long a refused client may take to close its end. */
const LINGER_MS = 2_000;

interface Handshake {
  readonly report: (error: unknown) => void;
  socket?: WsServerSocket;
  maxMessageBytes: number;
}

const handshakes = new WeakMap<Request, Handshake>();
const responseHeaders = new WeakMap<IncomingMessage, Headers>();
const servers = new Map<number, WebSocketServer>();

/** Headers that belong to the connection or the handshake and are written by ws or here. */
const ownHeaders = new Set([
  "connection",
  "content-length",
  "content-type",
  "keep-alive",
  "sec-websocket-accept",
  "sec-websocket-extensions",
  "sec-websocket-protocol",
  "transfer-encoding",
  "upgrade",
]);

/** ws fixes the payload limit per server object; these objects hold no sockets, so one per limit is kept. */
function serverFor(maxMessageBytes: number): WebSocketServer {
  const known = servers.get(maxMessageBytes);
  if (known !== undefined) return known;
  const options = {
    noServer: true,
    clientTracking: false,
    autoPong: false, // answered with a bound, see server-socket.ts
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    closeTimeout: CLOSE_TIMEOUT_MS,
  };
  const server = new WebSocketServer(options);
  server.on("headers", (lines, request) => {
    responseHeaders.get(request)?.forEach((value, name) => {
      if (!ownHeaders.has(name)) lines.push(`${name}: ${value}`);
    });
  });
  servers.set(maxMessageBytes, server);
  return server;
}

/** RFC 6455 section 4.2.1: what a handshake must carry. */
function isHandshake(request: Request): boolean {
  const key = request.headers.get("sec-websocket-key") ?? "";
  return (
    request.method === "GET" &&
    request.headers.get("upgrade")?.toLowerCase() === "websocket" &&
    /^[+/0-9A-Za-z]{22}==$/u.test(key) &&
    request.headers.get("sec-websocket-version") === "13"
  );
}

/** See {@link UpgradeWebSocket}; works for requests that came through {@link handleUpgrade}. */
export const upgradeWebSocket: UpgradeWebSocket = (request, options = {}) => {
  const handshake = handshakes.get(request);
  if (handshake === undefined || !isHandshake(request)) {
    throw new NoHandshakeError("The request is not a WebSocket handshake");
  }
  if (handshake.socket !== undefined) throw new TypeError("The request was upgraded before");
  const socket = new WsServerSocket(handshake.report);
  handshake.socket = socket;
  handshake.maxMessageBytes = options.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES;
  // Response refuses status 101 (Fetch standard), so acceptance is 200 with this header.
  return { socket, response: new Response(null, { headers: { upgrade: "websocket" } }) };
};

/** Whether `response` accepts a handshake. */
function isAcceptance(response: Response): boolean {
  return response.status === 200 && response.headers.get("upgrade") === "websocket";
}

function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (let i = 0; i + 1 < incoming.rawHeaders.length; i += 2) {
    headers.append(incoming.rawHeaders[i] ?? "", incoming.rawHeaders[i + 1] ?? "");
  }
  const target = incoming.url ?? "/";
  const base = `http://${incoming.headers.host ?? "localhost"}`;
  const url = new URL(target.startsWith("/") ? `${base}${target}` : target);
  return new Request(url, { method: incoming.method ?? "GET", headers, signal });
}

async function writeResponse(raw: Duplex, response: Response, withBody: boolean): Promise<void> {
  const body = new Uint8Array(await response.arrayBuffer());
  if (raw.destroyed) return;
  const lines = [`HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? ""}`];
  response.headers.forEach((value, name) => {
    if (name === "upgrade" || name === "content-type" || !ownHeaders.has(name))
      lines.push(`${name}: ${value}`);
  });
  lines.push(`date: ${new Date().toUTCString()}`, `content-length: ${body.byteLength}`, "connection: close");
  raw.write(Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"));
  raw.end(withBody ? body : undefined);
  const timer = setTimeout(() => raw.destroy(), LINGER_MS);
  raw.once("close", () => clearTimeout(timer));
  raw.resume();
}

function completeHandshake(
  incoming: IncomingMessage,
  raw: Duplex,
  options: { head: Buffer; handshake: Handshake; response: Response },
): void {
  responseHeaders.set(incoming, options.response.headers);
  serverFor(options.handshake.maxMessageBytes).handleUpgrade(incoming, raw, options.head, (ws) => {
    options.handshake.socket?.attach(ws);
  });
}

/** Parameters of an upgrade other than the request. */
export interface UpgradeContext {
  readonly handler: HttpHandler;
  readonly connection: Connection;
  readonly report: (error: unknown) => void;
}

async function answer(request: Request, context: UpgradeContext): Promise<Response> {
  try {
    return await context.handler(request, context.connection);
  } catch (error) {
    context.report(error);
    return new Response(null, { status: 500 });
  }
}

/** Runs the handler for an upgrade request on its raw socket: completes the handshake or writes the refusal. */
export async function handleUpgrade(
  incoming: IncomingMessage,
  raw: Duplex,
  options: { head: Buffer; context: UpgradeContext },
): Promise<void> {
  const abort = new AbortController();
  const onGone = (): void => abort.abort();
  raw.on("error", onGone); // without a listener a reset would end the process
  raw.once("close", onGone);
  const handshake: Handshake = {
    report: options.context.report,
    maxMessageBytes: DEFAULT_MAX_MESSAGE_BYTES,
  };
  try {
    const request = toRequest(incoming, abort.signal);
    handshakes.set(request, handshake);
    const response = await answer(request, options.context);
    raw.off("close", onGone);
    if (!raw.destroyed && handshake.socket !== undefined && isAcceptance(response)) {
      completeHandshake(incoming, raw, { head: options.head, handshake, response });
      return;
    }
    if (!raw.destroyed) await writeResponse(raw, response, incoming.method !== "HEAD");
  } catch (error) {
    // A target or a header that makes no Request; anything else would be a fault here.
    if (!(error instanceof TypeError)) options.context.report(error);
    if (!raw.destroyed) await writeResponse(raw, new Response(null, { status: 400 }), true);
  }
  handshake.socket?.end(1006, "");
}
