/** The HTTP listener of both runtimes, on node:http. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { toPlainAddress } from "../../kit/outbound/ip-address.ts";
import { UNIX_PEER, isSocketAddress } from "../../kit/text/socket-address.ts";
import { codeOf } from "../../kit/thrown.ts";
import type { Connection, HttpOptions, Listener } from "../runtime.ts";
import { openSocket, prepareSocket, toSocketError } from "../listen-socket.ts";
import { handleUpgrade } from "./upgrade.ts";

/** Time and size limits of a listener. */
export interface HttpLimits {
  /** All request headers together. */
  readonly maxHeaderBytes: number;
  /** From the first byte to the end of the headers; also how long a new connection may stay silent. */
  readonly headersTimeoutMs: number;
  /** From the first byte of the headers to the last of the body. */
  readonly requestTimeoutMs: number;
  /** Longer than the 60 s that common proxies keep theirs, so that the proxy closes first. */
  readonly keepAliveTimeoutMs: number;
  /** A connection that moves no byte for so long is dropped; WebSockets are exempt. */
  readonly idleTimeoutMs: number;
}

const defaultLimits: HttpLimits = {
  maxHeaderBytes: 16_384,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  keepAliveTimeoutMs: 65_000,
  idleTimeoutMs: 120_000,
};

const DEFAULT_GRACE_MS = 10_000;

interface Peer {
  readonly connection: Connection;
  /** The newest response of the connection. */
  outgoing?: ServerResponse;
  isUpgraded: boolean;
  /** Bytes moved, and for how many looks of the sweep they have not changed. */
  bytes: number;
  quietSweeps: number;
}

/** The open connections; `isLocal`: those of a Unix socket, whose peers have no address. */
type Peers = Map<Socket, Peer> & { readonly isLocal: boolean };

function peerOf(peers: Peers, socket: Socket): Peer {
  const known = peers.get(socket);
  if (known !== undefined) return known;
  const peer: Peer = {
    connection: {
      remoteAddress: peers.isLocal ? UNIX_PEER : toPlainAddress(socket.remoteAddress ?? ""),
    },
    isUpgraded: false,
    bytes: 0,
    quietSweeps: 0,
  };
  peers.set(socket, peer);
  socket.once("close", () => peers.delete(socket));
  return peer;
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/** Header values arrive as latin1; bytes above ASCII must at least be UTF-8 (RFC 9110 section 5.5 leaves them opaque). */
function hasBrokenText(incoming: IncomingMessage): boolean {
  for (const text of incoming.rawHeaders) {
    if (!/[^\u0000-\u007f]/u.test(text)) continue;
    try {
      strictUtf8.decode(Buffer.from(text, "latin1"));
    } catch {
      return true;
    }
  }
  return false;
}

/** More than one Host is refused (RFC 9112 section 3.2): two programs on the way may each believe another one. */
function hasManyHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts > 1;
}

/** Accepted by node:http though parsers disagree about it. */
function isMalformed(incoming: IncomingMessage): boolean {
  return hasManyHosts(incoming) || hasBrokenText(incoming);
}

/** Whether an upgrade is one of HTTP/1.1 and has no body, whose bytes would be read as frames (RFC 6455 section 4.1). */
function canUpgrade({ httpVersion, headers }: IncomingMessage): boolean {
  const isEmpty = Number(headers["content-length"] ?? 0) === 0 && headers["transfer-encoding"] === undefined;
  return httpVersion === "1.1" && isEmpty;
}

function refuseMalformed(error: Error, socket: Socket, peer: Peer | undefined): void {
  // After the start of a response a second status line would be read as its body.
  if (!socket.writable || peer?.outgoing?.headersSent === true) {
    socket.destroy();
    return;
  }
  const code = codeOf(error);
  const line =
    code === "HPE_HEADER_OVERFLOW"
      ? "431 Request Header Fields Too Large"
      : code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? "408 Request Timeout"
        : "400 Bad Request";
  socket.end(`HTTP/1.1 ${line}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  socket.destroySoon();
}

/** Resolves with the port; 0 for a Unix socket. */
async function listen(server: Server, { port, hostname, socketMode }: HttpOptions): Promise<number> {
  const path = isSocketAddress(port) ? await prepareSocket(port) : undefined;
  await new Promise<void>((resolve, reject) => {
    const fail = (error: Error): void => reject(isSocketAddress(port) ? toSocketError(port, error) : error);
    server.once("error", fail);
    server.listen(path === undefined ? { port: Number(port), host: hostname } : { path }, () => {
      server.off("error", fail);
      resolve();
    });
  });
  if (path !== undefined && socketMode !== undefined) await openSocket(path, socketMode);
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

const SWEEPS = 4;

/**
 * Drops connections that moved nothing for `idleTimeoutMs`, give or take a quarter. A sweep, because
 * a timer on each socket costs every request two microseconds. Returns a function that ends it.
 */
function startSweep(peers: Peers, idleTimeoutMs: number): () => void {
  const timer = setInterval(() => {
    for (const [socket, peer] of peers) {
      const bytes = socket.bytesRead + socket.bytesWritten;
      peer.quietSweeps = bytes === peer.bytes ? peer.quietSweeps + 1 : 0;
      peer.bytes = bytes;
      if (peer.quietSweeps >= SWEEPS && !peer.isUpgraded) socket.destroy();
    }
  }, idleTimeoutMs / SWEEPS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Ends idle connections now, the others when their response is out, and all after `graceMs`. */
function windDown(server: Server, peers: Peers, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      for (const socket of peers.keys()) socket.destroy();
    }, graceMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    for (const [socket, peer] of peers) {
      if (peer.isUpgraded) continue;
      const { outgoing } = peer;
      if (outgoing === undefined || outgoing.writableFinished || outgoing.destroyed) {
        socket.destroySoon();
        continue;
      }
      if (!outgoing.headersSent) outgoing.shouldKeepAlive = false;
      outgoing.once("close", () => socket.destroySoon());
    }
  });
}

/** How long a client may go on with a body after its response; nginx calls this "lingering_time". */
const REST_MS = 30_000;

/**
 * Reads and drops what is left of a request's body once its response is out, so that a slow client reads the response in
 * place of a reset, and the connection can serve the next request. A handler that stopped reading leaves a paused reader
 * behind. hono's own clean-up closes the connection after half a second, unless the body counts as ended.
 */
function discardRest(incoming: IncomingMessage): void {
  if (incoming.readableEnded || incoming.destroyed) return;
  Object.defineProperty(incoming, "readableEnded", { value: true });
  const timer = setTimeout(() => incoming.socket.destroy(), REST_MS);
  timer.unref();
  for (const event of ["end", "close"]) incoming.once(event, () => clearTimeout(timer));
  incoming.removeAllListeners("data");
  incoming.resume();
}

function createHandlers(
  options: HttpOptions,
  peers: Peers,
): {
  request: (incoming: IncomingMessage, outgoing: ServerResponse) => void;
  report: (error: unknown) => void;
} {
  const report = options.onError ?? (() => undefined);
  const listener = getRequestListener(
    (request, { incoming }) => options.handler(request, peerOf(peers, incoming.socket).connection),
    {
      hostname: "localhost",
      errorHandler: (error) => {
        if (error instanceof Error && error.name === "RequestError")
          return new Response(null, { status: 400 });
        report(error);
        return new Response(null, { status: 500 });
      },
    },
  );
  return {
    report,
    request: (incoming, outgoing) => {
      peerOf(peers, incoming.socket).outgoing = outgoing;
      if (isMalformed(incoming)) {
        outgoing.writeHead(400, { connection: "close" }).end();
        return;
      }
      if (incoming.method !== "GET" && incoming.method !== "HEAD")
        outgoing.once("finish", () => discardRest(incoming));
      listener(incoming, outgoing).catch(report);
    },
  };
}

/** Starts a listener; see {@link HttpOptions}. Throws with a `code`, such as "EADDRINUSE" or "EACCES", when it cannot listen. */
export async function serveHttp(options: HttpOptions, limits: Partial<HttpLimits> = {}): Promise<Listener> {
  const bounds = { ...defaultLimits, ...limits };
  const peers: Peers = Object.assign(new Map<Socket, Peer>(), { isLocal: isSocketAddress(options.port) });
  const { request, report } = createHandlers(options, peers);
  const server = createServer(
    {
      maxHeaderSize: bounds.maxHeaderBytes,
      headersTimeout: bounds.headersTimeoutMs,
      requestTimeout: bounds.requestTimeoutMs,
      keepAliveTimeout: bounds.keepAliveTimeoutMs,
      connectionsCheckingInterval: Math.min(5_000, bounds.headersTimeoutMs),
    },
    request,
  );
  const endSweep = startSweep(peers, bounds.idleTimeoutMs);
  server.on("close", endSweep);
  server.on("connection", (socket) => peerOf(peers, socket));
  server.on("clientError", (error, socket: Socket) => refuseMalformed(error, socket, peers.get(socket)));
  server.on("upgrade", (incoming, socket: Socket, head) => {
    const peer = peerOf(peers, incoming.socket);
    if (isMalformed(incoming) || !canUpgrade(incoming)) {
      refuseMalformed(new Error("The request is malformed"), socket, undefined);
      return;
    }
    peer.isUpgraded = true;
    const context = { handler: options.handler, connection: peer.connection, report };
    handleUpgrade(incoming, socket, { head, context }).catch(report);
  });
  const port = await listen(server, options).catch((error: unknown) => {
    endSweep();
    throw error;
  });
  server.on("error", report);
  let closing: Promise<void> | undefined;
  return {
    hostname: options.hostname,
    port,
    close: (closeOptions = {}) =>
      (closing ??= windDown(server, peers, closeOptions.graceMs ?? DEFAULT_GRACE_MS)),
  };
}
