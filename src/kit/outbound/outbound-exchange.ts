/** One HTTP request to one address that was checked before. */
import { Buffer } from "node:buffer";
import { type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";

/** Bytes of an answer's body that are read; the rest is cut off with the connection. */
const MAX_ANSWER_BYTES = 65_536;

export interface Exchange {
  readonly url: URL;
  /** Where to connect; the name is not looked up again. */
  readonly address: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** How long connecting may take, in milliseconds. */
  readonly connectMs: number;
  /** Ends it all. */
  readonly signal: AbortSignal;
  /** Authorities (PEM) to trust instead of the well-known ones. */
  readonly ca: string | undefined;
  /** Called once the receiver may see the request. */
  readonly onConnect?: () => void;
}

export interface Answer {
  readonly status: number;
  /** As the answer says it. */
  readonly location: string | undefined;
  readonly retryAfter: string | undefined;
  readonly contentType: string | undefined;
  /** The body as text, up to 64 KiB of it. */
  readonly text: string;
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
  const { url, address, method, headers, body, ca } = exchange;
  const host = hostOf(url);
  const options = {
    host: address,
    port: url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port),
    path: `${url.pathname}${url.search}`,
    method,
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

/** Resolves with what was read when the body ends, is too long, breaks off, or its time is over. */
function readText(response: IncomingMessage): Promise<string> {
  const encoding = response.headers["content-encoding"] ?? "identity";
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (): void => {
      const bytes = Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES);
      resolve(encoding === "identity" ? bytes.toString("utf8") : "(a compressed answer)");
    };
    response.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size < MAX_ANSWER_BYTES) return;
      end();
      response.destroy();
    });
    response.on("end", end);
    response.on("close", end);
    response.on("error", end);
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
    const limit = setTimeout(() => request.destroy(new Error("Connecting took too long")), connectMs);
    signal.addEventListener("abort", abort, { once: true });
    request.on("socket", (socket) => {
      socket.once("connect", () => {
        connected = true;
        exchange.onConnect?.();
        clearTimeout(limit);
      });
    });
    request.on("response", (response) => {
      answered = response;
      const { location, "retry-after": retryAfter, "content-type": contentType } = response.headers;
      // What came before a body broke off counts: the status says what became of the request.
      void readText(response).then((text) =>
        resolve({
          ...{ status: response.statusCode ?? 0, location, retryAfter, contentType, text },
          headers: toHeaders(response),
        }),
      );
    });
    request.on("error", fail);
    request.on("close", () => {
      clearTimeout(limit);
      signal.removeEventListener("abort", abort);
      // A change of protocol that nobody asked for, for one, closes without an error.
      fail(new Error("The connection was closed without an answer"));
    });
    request.end(body);
  });
}
