/** One HTTP request to one address that was checked before. */
import { Buffer } from "node:buffer";
import { type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type Socket } from "node:net";
import { type ConnectionOptions, TLSSocket } from "node:tls";
import { decodeText } from "./answers/charset.ts";
import { tooLong, unpack } from "./answers/codings.ts";
import { openTunnel, type Proxy, startTls } from "./tunnel.ts";

/** Bytes of a body to read by default; the rest is cut off with the connection. */
const MAX_ANSWER_BYTES = 65_536;

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
  /** How long connecting may take, in milliseconds; absent: as long as all of it. */
  readonly connectMs?: number | undefined;
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

/** Completed steps: connecting, the TLS handshake, the first byte. */
export type ExchangeStep = "connect" | "tls" | "firstByte";

export interface Answer {
  readonly status: number;
  /** Text next to the status; anything the receiver likes. */
  readonly statusText: string;
  /** As the answer says it. */
  readonly location: string | undefined;
  readonly retryAfter: string | undefined;
  readonly contentType: string | undefined;
  /** The body as text, unpacked and decoded, up to the bound. */
  readonly text: string;
  /** Where reading ended: at the end, at the bound, or because the connection did. */
  readonly ending: "whole" | "long" | "broken";
  /** Why `text` is not the whole body: one sentence without a full stop; undefined: it is. */
  readonly unread: string | undefined;
  /** False when letters of `text` beyond ASCII may be others than those that were meant. */
  readonly isCertain: boolean;
  readonly setCookies: readonly string[];
  readonly headers: Headers;
}

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

/** How TLS is spoken to the target. */
function toTlsOptions(exchange: Exchange): ConnectionOptions {
  const { ca, client, judge } = exchange;
  return {
    // A server that speaks HTTP/2 alone then says so.
    ALPNProtocols: ["http/1.1"],
    servername: toServerName(exchange),
    rejectUnauthorized: judge === undefined,
    ...(ca === undefined ? {} : { ca }),
    ...(client === undefined ? {} : { cert: client.cert, key: client.key }),
  };
}

/** `tunnel`: the connection through a proxy, with its TLS. */
function start(exchange: Exchange, tunnel: TLSSocket | undefined): ClientRequest {
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
  { tunnel, fail }: { readonly tunnel: TLSSocket | undefined; readonly fail: (error: unknown) => void },
): ClientRequest | undefined {
  try {
    return start(exchange, tunnel);
  } catch (error) {
    fail(error);
    return undefined;
  }
}

/** The connection to an https target through the proxy; undefined where none is needed. @throws ExchangeError */
async function openWay(exchange: Exchange): Promise<TLSSocket | undefined> {
  const { url, proxy, signal, connectMs, judge, onStep } = exchange;
  if (proxy === undefined || url.protocol !== "https:") return undefined;
  try {
    const onConnect = (): void => onStep?.("connect");
    const place = `${url.hostname}:${toPort(url)}`;
    const socket = await openTunnel({ ...proxy, place, signal, connectMs, onConnect });
    const secure = await startTls(socket, { ...toTlsOptions(exchange), signal });
    onStep?.("tls");
    if (judge === undefined || judge(secure)) return secure;
    secure.destroy();
  } catch (error) {
    throw new ExchangeError(false, error);
  }
  throw new ExchangeError(true, new Error("The certificate was rejected"));
}

interface ReadBody {
  readonly bytes: Buffer;
  readonly ending: Answer["ending"];
}

/** Resolves with what was read when the body ends, is too long, breaks off, or its time is over. */
function readBody(response: IncomingMessage, maxBytes: number): Promise<ReadBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (ending: Answer["ending"]): void =>
      resolve({ bytes: Buffer.concat(chunks).subarray(0, maxBytes), ending });
    response.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size <= maxBytes) return;
      end("long");
      chunks.length = 0;
      response.destroy();
    });
    response.on("end", () => end("whole"));
    response.on("close", () => end("broken"));
    response.on("error", () => end("broken"));
  });
}

/** Headers that `Headers` rejects are left out. */
function toHeaders({ headers }: IncomingMessage): Headers {
  const all = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    try {
      all.set(name, Array.isArray(value) ? value.join(", ") : (value ?? ""));
    } catch {
      // Such as a value with control characters.
    }
  }
  return all;
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

async function toAnswer(response: IncomingMessage, { maxBodyBytes, signal }: Exchange): Promise<Answer> {
  const { headers } = response;
  const maxBytes = maxBodyBytes ?? MAX_ANSWER_BYTES;
  const { bytes, ending } = await readBody(response, maxBytes);
  const unpacked = await unpack(bytes, headers["content-encoding"] ?? "", { maxBytes, signal });
  const contentType = headers["content-type"];
  return {
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? "",
    location: headers.location,
    retryAfter: headers["retry-after"],
    contentType,
    ...decodeText(unpacked.bytes, contentType),
    ending,
    unread: ending === "long" ? tooLong(maxBytes) : unpacked.problem,
    setCookies: headers["set-cookie"] ?? [],
    headers: toHeaders(response),
  };
}

/** Sends the request and reads the answer. @throws ExchangeError when there is none */
export async function runExchange(exchange: Exchange): Promise<Answer> {
  const tunnel = await openWay(exchange);
  try {
    return await exchangeOver(exchange, tunnel);
  } finally {
    tunnel?.destroy();
  }
}

function exchangeOver(exchange: Exchange, tunnel: TLSSocket | undefined): Promise<Answer> {
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
      void toAnswer(response, exchange).then(resolve);
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
