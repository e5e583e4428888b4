/** One HTTP/2 request over a connection of its own (RFC 9113). */
import { Buffer } from "node:buffer";
import { STATUS_CODES } from "node:http";
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from "node:http2";
import type { Duplex } from "node:stream";
import { codeOf } from "../thrown.ts";
import { type Answer, readAnswer } from "./answers/answer.ts";

/** As of HTTP/1.1. */
const MAX_HEADER_BYTES = 16_384;
/** Megabytes that one session may keep: a flood of frames ends it. */
const MAX_SESSION_MEMORY = 4;

/** Codes after which the server has not processed the request (RFC 9113 section 8.7), or wants HTTP/1.1. */
const UNPROCESSED = new Set<number>([
  constants.NGHTTP2_REFUSED_STREAM,
  constants.NGHTTP2_HTTP_1_1_REQUIRED,
  constants.NGHTTP2_INADEQUATE_SECURITY,
]);

/** HTTP/2 failed before an answer came. */
export class Http2Error extends Error {
  override readonly name = "Http2Error";
  /** Whether the server has certainly not processed the request. */
  readonly isUnprocessed: boolean;

  constructor(message: string, { isUnprocessed, cause }: { isUnprocessed: boolean; cause?: unknown }) {
    super(message, { cause });
    this.isUnprocessed = isUnprocessed;
  }
}

interface Http2Exchange {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly host?: string | undefined;
  readonly body: string | undefined;
  readonly maxBodyBytes?: number | undefined;
  readonly signal: AbortSignal;
  readonly onStep?: (step: "firstByte") => void;
}

/** By their codes (RFC 9113 section 7). */
const errorNames = [
  "NO_ERROR",
  "PROTOCOL_ERROR",
  "INTERNAL_ERROR",
  "FLOW_CONTROL_ERROR",
  "SETTINGS_TIMEOUT",
  "STREAM_CLOSED",
  "FRAME_SIZE_ERROR",
  "REFUSED_STREAM",
  "CANCEL",
  "COMPRESSION_ERROR",
  "CONNECT_ERROR",
  "ENHANCE_YOUR_CALM",
  "INADEQUATE_SECURITY",
  "HTTP_1_1_REQUIRED",
];

function nameOf(code: number): string {
  return errorNames[code] ?? `code ${code}`;
}

/** What is known of the exchange when it fails. */
interface Known {
  stream?: ClientHttp2Stream;
  /** Of GOAWAY. */
  goaway?: { readonly code: number; readonly lastStreamId: number };
}

function toError(error: unknown, { stream, goaway }: Known): Http2Error {
  const code = stream?.rstCode ?? 0;
  if (goaway !== undefined) {
    // A later stream than the last one that was processed (RFC 9113 section 6.8).
    const isUnprocessed = (stream?.id ?? 0) > goaway.lastStreamId || UNPROCESSED.has(goaway.code);
    return new Http2Error(`the server ended the connection: GOAWAY, ${nameOf(goaway.code)}`, {
      isUnprocessed,
      cause: error,
    });
  }
  if (code !== 0)
    return new Http2Error(`the server reset the stream: ${nameOf(code)}`, {
      isUnprocessed: UNPROCESSED.has(code),
      cause: error,
    });
  const reason = codeOf(error) ?? "the connection was closed";
  return new Http2Error(reason, { isUnprocessed: false, cause: error });
}

function open(socket: Duplex, { url }: Http2Exchange): ClientHttp2Session {
  return connect(url.origin, {
    createConnection: () => socket,
    maxSessionMemory: MAX_SESSION_MEMORY,
    settings: { enablePush: false, maxHeaderListSize: MAX_HEADER_BYTES },
  });
}

function send(session: ClientHttp2Session, exchange: Http2Exchange): ClientHttp2Stream {
  const { url, method, headers, host, body } = exchange;
  const stream = session.request(
    {
      ":method": method,
      ":path": `${url.pathname}${url.search}`,
      ":scheme": url.protocol.slice(0, -1),
      ":authority": host ?? url.host,
      "accept-encoding": "identity",
      ...headers,
      ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }),
    },
    { endStream: body === undefined },
  );
  if (body !== undefined) stream.end(body);
  return stream;
}

/** Sends the request over a connection that speaks HTTP/2, and closes it. @throws Http2Error when no answer came */
export async function runHttp2(socket: Duplex, exchange: Http2Exchange): Promise<Answer> {
  const { signal, onStep, maxBodyBytes } = exchange;
  let session: ClientHttp2Session | undefined;
  const abort = (): void => session?.destroy();
  try {
    return await new Promise<Answer>((resolve, reject) => {
      const known: Known = {};
      let isAnswered = false;
      // A body that broke off still counts: the status is known.
      const fail = (error: unknown): void => {
        if (!isAnswered) reject(toError(error, known));
      };
      if (signal.aborted) return fail(signal.reason);
      signal.addEventListener("abort", abort, { once: true });
      session = open(socket, exchange);
      session.on("goaway", (code: number, lastStreamId: number) => (known.goaway = { code, lastStreamId }));
      session.on("error", fail);
      session.on("close", () => fail(undefined));
      const sent = send(session, exchange);
      known.stream = sent;
      sent.on("response", (fields) => {
        isAnswered = true;
        onStep?.("firstByte");
        const status = fields[":status"] ?? 0;
        // HTTP/2 has no text beside the status; people know the one of HTTP/1.1.
        const head = { status, statusText: STATUS_CODES[status] ?? "", httpVersion: "2", fields };
        const isWhole = (): boolean => sent.rstCode === constants.NGHTTP2_NO_ERROR && !sent.aborted;
        void readAnswer(sent, head, { maxBodyBytes, signal, isWhole }).then(resolve);
      });
      sent.on("error", fail);
      sent.on("close", () => fail(undefined));
    });
  } finally {
    signal.removeEventListener("abort", abort);
    session?.destroy();
    socket.destroy();
  }
}
