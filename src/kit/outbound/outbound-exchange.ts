/** One HTTP request to one address that was checked before. */
import { Buffer } from "node:buffer";
import { type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type Socket } from "node:net";
import { type ConnectionOptions, TLSSocket } from "node:tls";
import { type Answer, type AnswerHead, readAnswer } from "./answers/answer.ts";
import { Http2Error, runHttp2 } from "./http2-exchange.ts";
import { openDirect, openTunnel, type Proxy, startTls } from "./tunnel.ts";

export type { Answer } from "./answers/answer.ts";

export interface Exchange {
  readonly url: URL;
  /** Where to connect; the name is not looked up again. */
  readonly address: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** The `Host` header where it is not the host of the URL. */
  readonly host?: string | undefined;
  /** Bytes of the body that are read, as they come and unpacked; default 64 KiB. */
  readonly maxBodyBytes?: number | undefined;
  /** Whether the answer has the body as bytes and not as text; default false. */
  readonly wantsBytes?: boolean;
  /** How long connecting may take, in milliseconds; absent: as long as all of it. */
  readonly connectMs?: number | undefined;
  /** Versions of HTTP that are offered (ALPN), without TLS the one that is spoken; default: HTTP/1.1. */
  readonly httpVersions?: HttpVersions | undefined;
  /** Ends it all. */
  readonly signal: AbortSignal;
  /** Authorities (PEM) to trust instead of the well-known ones. */
  readonly ca: string | undefined;
  /** The client's certificate with its chain, and its key (PEM). */
  readonly client?: { readonly cert: string; readonly key: string } | undefined;
  /** Where to connect instead; `address` is then unused. */
  readonly proxy?: Proxy | undefined;
  /** Called at the end of each step; from "connect" on, the receiver may see the request. */
  readonly onStep?: (step: ExchangeStep) => void;
  /**
   * Judges what the receiver shows in TLS, before anything is sent: false ends the exchange. Absent: the certificate
   * must be trusted.
   */
  readonly judge?: (socket: TLSSocket) => boolean;
}

/** "both": HTTP/2 where the server offers it, and HTTP/1.1 where it does not, or where its HTTP/2 does not work. */
export type HttpVersions = "1.1" | "2" | "both";

/** Completed steps: connecting, the TLS handshake, the first byte. */
export type ExchangeStep = "connect" | "tls" | "firstByte";

/** No answer came. `connected`: whether the receiver may have seen the request. */
export class ExchangeError extends Error {
  override readonly name = "ExchangeError";
  readonly connected: boolean;

  constructor(connected: boolean, cause: unknown) {
    super("The exchange failed", { cause });
    this.connected = connected;
  }
}

/** URLs have IPv6 addresses in brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/gu, "");
}

/**
 * For whom the certificate must be: the host of the URL, or that of an own `Host` header where the URL has an address
 * alone, as behind a load balancer.
 */
export function toCertificateName({ url, host }: Pick<Exchange, "url" | "host">): string {
  const name = hostOf(url);
  if (host === undefined || isIP(name) === 0 || !URL.canParse(`https://${host}`)) return name;
  return hostOf(new URL(`https://${host}`));
}

/** An address is no server name (RFC 6066 section 3); the certificate is then checked against the address. */
function toServerName(exchange: Exchange): string {
  const name = toCertificateName(exchange);
  return isIP(name) === 0 ? name : "";
}

function toPort(url: URL): number {
  return url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
}

const protocols: Readonly<Record<HttpVersions, readonly string[]>> = {
  "1.1": ["http/1.1"],
  "2": ["h2"],
  both: ["h2", "http/1.1"],
};

/** How TLS is spoken to the target. */
function toTlsOptions(exchange: Exchange): ConnectionOptions {
  const { ca, client, judge } = exchange;
  return {
    // A server that speaks none of them then says so.
    ALPNProtocols: [...protocols[exchange.httpVersions ?? "1.1"]],
    servername: toServerName(exchange),
    rejectUnauthorized: judge === undefined,
    ...(ca === undefined ? {} : { ca }),
    ...(client === undefined ? {} : { cert: client.cert, key: client.key }),
  };
}

/** `tunnel`: the connection through a proxy, with its TLS. */
function start(exchange: Exchange, tunnel: Socket | undefined): ClientRequest {
  const { url, address, method, headers, body, proxy } = exchange;
  const authorization = proxy?.authorization;
  const options = {
    host: proxy?.address ?? address,
    port: proxy?.port ?? toPort(url),
    // A proxy receives the absolute URL (RFC 9112 section 3.2.2).
    path:
      proxy === undefined || tunnel !== undefined
        ? `${url.pathname}${url.search}`
        : url.href.slice(0, url.href.length - url.hash.length),
    method,
    maxHeaderSize: 16_384,
    headers: {
      "accept-encoding": "identity",
      ...headers,
      host: exchange.host ?? url.host,
      connection: "close",
      ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }),
      ...(authorization === undefined || tunnel !== undefined
        ? {}
        : { "proxy-authorization": authorization }),
    },
  };
  if (tunnel !== undefined) return requestHttp({ ...options, createConnection: () => tunnel });
  // `agent: false`: a new connection, so that no other request's checked address is used.
  if (url.protocol === "http:") return requestHttp({ ...options, agent: false });
  return requestHttps({ ...options, ...toTlsOptions(exchange), agent: false });
}

/** Headers that cannot be sent are refused at once, not by an event. */
function tryStart(
  exchange: Exchange,
  { tunnel, fail }: { readonly tunnel: Socket | undefined; readonly fail: (error: unknown) => void },
): ClientRequest | undefined {
  try {
    return start(exchange, tunnel);
  } catch (error) {
    fail(error);
    return undefined;
  }
}

/** Whether this module opens the connection: then it knows the version that TLS chose before it sends anything. */
function opensItself({ url, proxy, httpVersions = "1.1" }: Exchange): boolean {
  if (url.protocol === "https:") return proxy !== undefined || httpVersions !== "1.1";
  return proxy === undefined && httpVersions === "2";
}

/** The connection to the target, if need be through the proxy; undefined where `start` opens it. @throws ExchangeError */
async function openWay(exchange: Exchange): Promise<Socket | undefined> {
  const { url, address, proxy, signal, connectMs, judge, onStep } = exchange;
  if (!opensItself(exchange)) return undefined;
  let isConnected = false;
  try {
    const onConnect = (): void => {
      isConnected = proxy === undefined;
      onStep?.("connect");
    };
    const place = `${url.hostname}:${toPort(url)}`;
    const shared = { signal, connectMs, onConnect };
    const socket = await (proxy === undefined
      ? openDirect({ address, port: toPort(url), ...shared })
      : openTunnel({ ...proxy, place, ...shared }));
    if (url.protocol === "http:") return socket;
    const secure = await startTls(socket, { ...toTlsOptions(exchange), signal });
    onStep?.("tls");
    if (judge === undefined || judge(secure)) return secure;
    secure.destroy();
  } catch (error) {
    throw new ExchangeError(isConnected, error);
  }
  throw new ExchangeError(true, new Error("The certificate was rejected"));
}

/** Calls back when there is a connection, and once it may be used: after TLS where the address says so. */
function followSocket(socket: Socket, { judge, onStep }: Exchange, events: SocketEvents): void {
  socket.once("connect", () => {
    onStep?.("connect");
    events.onConnect();
    if (!(socket instanceof TLSSocket)) events.onReady();
  });
  if (!(socket instanceof TLSSocket)) return;
  socket.once("secureConnect", () => {
    onStep?.("tls");
    if (judge === undefined || judge(socket)) events.onReady();
    else socket.destroy(new Error("The certificate was rejected"));
  });
}

interface SocketEvents {
  readonly onConnect: () => void;
  readonly onReady: () => void;
}

/** Requests that may be sent twice. */
const harmless = new Set(["GET", "HEAD", "OPTIONS"]);

function speaksHttp2(socket: Socket): boolean {
  return !(socket instanceof TLSSocket) || socket.alpnProtocol === "h2";
}

async function runOnce(exchange: Exchange): Promise<Answer> {
  const socket = await openWay(exchange);
  try {
    const { httpVersions = "1.1" } = exchange;
    if (socket === undefined || httpVersions === "1.1") return await exchangeOver(exchange, socket);
    if (speaksHttp2(socket)) return await runHttp2(socket, exchange);
    if (httpVersions === "both") return await exchangeOver(exchange, socket);
  } catch (error) {
    if (error instanceof Http2Error) throw new ExchangeError(true, error);
    throw error;
  } finally {
    socket?.destroy();
  }
  throw new ExchangeError(true, new Http2Error("the server does not offer it", { isUnprocessed: true }));
}

/** Why HTTP/1.1 may be tried instead; undefined: it may not. */
function findHttp2Fault(error: unknown, { method, httpVersions, signal }: Exchange): string | undefined {
  const cause = error instanceof ExchangeError ? error.cause : undefined;
  if (httpVersions !== "both" || !(cause instanceof Http2Error) || signal.aborted) return undefined;
  return cause.isUnprocessed || harmless.has(method) ? cause.message : undefined;
}

/** Sends the request and reads the answer. @throws ExchangeError when there is none */
export async function runExchange(exchange: Exchange): Promise<Answer> {
  try {
    return await runOnce(exchange);
  } catch (error) {
    const http2Fault = findHttp2Fault(error, exchange);
    if (http2Fault === undefined) throw error;
    const answer = await runOnce({ ...exchange, httpVersions: "1.1" }).catch(() => undefined);
    // Where HTTP/1.1 fails too, the first failure is the one that a browser meets.
    if (answer === undefined) throw error;
    return { ...answer, http2Fault };
  }
}

function toHead({ statusCode, statusMessage, httpVersion, headers }: IncomingMessage): AnswerHead {
  return { status: statusCode ?? 0, statusText: statusMessage ?? "", httpVersion, fields: headers };
}

function exchangeOver(exchange: Exchange, tunnel: Socket | undefined): Promise<Answer> {
  const { signal, connectMs, body } = exchange;
  return new Promise((resolve, reject) => {
    let connected = tunnel !== undefined;
    let answered: IncomingMessage | undefined;
    const fail = (error: unknown): void => {
      if (answered === undefined) reject(new ExchangeError(connected, error));
      else answered.destroy();
    };
    if (signal.aborted) return fail(signal.reason);
    const request = tryStart(exchange, { tunnel, fail });
    if (request === undefined) return;
    const abort = (): void => void request.destroy(new Error("The request timed out"));
    const tooSlow = (): void => void request.destroy(new Error("The connection timed out"));
    const limit = connectMs === undefined || connected ? undefined : setTimeout(tooSlow, connectMs);
    signal.addEventListener("abort", abort, { once: true });
    const onConnect = (): void => {
      connected = true;
      clearTimeout(limit);
    };
    // Nothing goes out before the certificate was looked at: headers may hold what only the right one may read.
    const onReady = (): void => void request.end(body);
    if (tunnel === undefined)
      request.on("socket", (socket) => followSocket(socket, exchange, { onConnect, onReady }));
    else onReady();
    request.on("response", (response) => {
      answered = response;
      exchange.onStep?.("firstByte");
      // A body that broke off still counts: the status is known.
      void readAnswer(response, toHead(response), exchange).then(resolve);
    });
    request.on("error", fail);
    request.on("close", () => {
      clearTimeout(limit);
      signal.removeEventListener("abort", abort);
      // For example, an unsolicited protocol switch closes without an error.
      fail(new Error("The connection was closed without a response"));
    });
  });
}
