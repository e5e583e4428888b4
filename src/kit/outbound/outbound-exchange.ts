/** One HTTP request to one address that was checked before. */
import { Buffer } from "node:buffer";
import { type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type Socket } from "node:net";
import { TLSSocket } from "node:tls";

/** Bytes of an answer's body that are read; the rest is cut off with the connection. */
const MAX_ANSWER_BYTES = 65_536;

export interface Exchange {
  readonly url: URL;
  /** Where to connect; the name is not looked up again. */
  readonly address: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** How long connecting may take, in milliseconds; absent: as long as all of it. */
  readonly connectMs?: number | undefined;
  /** Ends it all. */
  readonly signal: AbortSignal;
  /** Authorities (PEM) to trust instead of the well-known ones. */
  readonly ca: string | undefined;
  /** Called at the end of each step; from "connect" on, the receiver may see the request. */
  readonly onStep?: (step: ExchangeStep) => void;
  /**
   * Judges what the receiver shows in TLS, before anything is sent: false ends the exchange. Absent: the certificate
   * must be trusted.
   */
  readonly judge?: (socket: TLSSocket) => boolean;
}

/** What is over: connecting, the TLS handshake, waiting for the first of the answer. */
export type ExchangeStep = "connect" | "tls" | "firstByte";

export interface Answer {
  readonly status: number;
  /** What stands beside the status; anything the receiver likes. */
  readonly statusText: string;
  /** As the answer says it. */
  readonly location: string | undefined;
  readonly retryAfter: string | undefined;
  readonly contentType: string | undefined;
  /** The body as text, up to 64 KiB of it. */
  readonly text: string;
  /** Where reading ended: at the end, at 64 KiB, or because the connection did. */
  readonly ending: "whole" | "long" | "broken";
  /** Then `text` is not what was sent. */
  readonly isCompressed: boolean;
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

/** Names in URLs of IPv6 addresses stand in brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/gu, "");
}

function start(exchange: Exchange): ClientRequest {
  const { url, address, method, headers, body, ca, judge } = exchange;
  const host = hostOf(url);
  const options = {
    host: address,
    port: url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port),
    path: `${url.pathname}${url.search}`,
    method,
    maxHeaderSize: 16_384,
    // A connection of its own, so that no other request's checked address is used.
    agent: false,
    headers: {
      ...headers,
      host: url.host,
      // Nothing is ever unpacked, so nothing small can become large.
      "accept-encoding": "identity",
      connection: "close",
      ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }),
    },
  };
  if (url.protocol === "http:") return requestHttp(options);
  return requestHttps({
    ...options,
    // An address is no server name (RFC 6066 section 3); the certificate is then checked against the address.
    servername: isIP(host) === 0 ? host : "",
    ...(ca === undefined ? {} : { ca }),
    rejectUnauthorized: judge === undefined,
  });
}

/** Headers that cannot be sent are refused at once, not by an event. */
function tryStart(exchange: Exchange, fail: (error: unknown) => void): ClientRequest | undefined {
  try {
    return start(exchange);
  } catch (error) {
    fail(error);
    return undefined;
  }
}

type ReadBody = Pick<Answer, "text" | "ending" | "isCompressed">;

/** Resolves with what was read when the body ends, is too long, breaks off, or its time is over. */
function readText(response: IncomingMessage): Promise<ReadBody> {
  const isCompressed = (response.headers["content-encoding"] ?? "identity") !== "identity";
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (ending: Answer["ending"]): void => {
      const bytes = Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES);
      resolve({
        text: isCompressed ? "(a compressed answer)" : bytes.toString("utf8"),
        ending,
        isCompressed,
      });
    };
    response.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size < MAX_ANSWER_BYTES) return;
      end("long");
      chunks.length = 0;
      response.destroy();
    });
    response.on("end", () => end("whole"));
    response.on("close", () => end("broken"));
    response.on("error", () => end("broken"));
  });
}

/** What Headers cannot hold is left out. */
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
    else socket.destroy(new Error("The certificate was refused"));
  });
}

interface SocketEvents {
  readonly onConnect: () => void;
  readonly onReady: () => void;
}

async function toAnswer(response: IncomingMessage): Promise<Answer> {
  const { location, "retry-after": retryAfter, "content-type": contentType } = response.headers;
  const read = await readText(response);
  return {
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? "",
    ...{ location, retryAfter, contentType },
    ...read,
    headers: toHeaders(response),
  };
}

/** Sends the request and reads the answer. @throws ExchangeError when there is none */
export function runExchange(exchange: Exchange): Promise<Answer> {
  const { signal, connectMs, body } = exchange;
  return new Promise((resolve, reject) => {
    let connected = false;
    let answered: IncomingMessage | undefined;
    const fail = (error: unknown): void => {
      if (answered === undefined) reject(new ExchangeError(connected, error));
      else answered.destroy();
    };
    if (signal.aborted) return fail(signal.reason);
    const request = tryStart(exchange, fail);
    if (request === undefined) return;
    const abort = (): void => void request.destroy(new Error("The time is over"));
    const tooSlow = (): void => void request.destroy(new Error("Connecting took too long"));
    const limit = connectMs === undefined ? undefined : setTimeout(tooSlow, connectMs);
    signal.addEventListener("abort", abort, { once: true });
    const onConnect = (): void => {
      connected = true;
      clearTimeout(limit);
    };
    // Nothing goes out before the certificate was looked at: headers may hold what only the right one may read.
    const onReady = (): void => void request.end(body);
    request.on("socket", (socket) => followSocket(socket, exchange, { onConnect, onReady }));
    request.on("response", (response) => {
      answered = response;
      exchange.onStep?.("firstByte");
      // What came before a body broke off counts: the status says what became of the request.
      void toAnswer(response).then(resolve);
    });
    request.on("error", fail);
    request.on("close", () => {
      clearTimeout(limit);
      signal.removeEventListener("abort", abort);
      // A change of protocol that nobody asked for, for one, closes without an error.
      fail(new Error("The connection was closed without an answer"));
    });
  });
}
