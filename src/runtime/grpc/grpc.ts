/**
 * gRPC in this process: nice-grpc serves, over grpc-js with bounds for what a client may send. A close lets
 * streams end that still have something to say.
 */
import { Readable } from "node:stream";
import {
  type ServerInterceptingCallInterface,
  type ServerInterceptor,
  type ServerOptions,
  logVerbosity,
  ServerCredentials,
  ServerInterceptingCall,
  setLogVerbosity,
  status,
} from "@grpc/grpc-js";
import { type CallContext, type MethodDefinition, type Server, createServer, ServerError } from "nice-grpc";
import { toErrorText, toGrpcOutcome } from "../../kit/http/grpc-status.ts";
import { UNIX_PEER, isSocketAddress } from "../../kit/text/socket-address.ts";
import { textOf } from "../../kit/thrown.ts";
import { openSocket, prepareSocket, toSocketError } from "../listen-socket.ts";
import {
  type GrpcListener,
  type GrpcOptions,
  type GrpcStreamHandler,
  GrpcError,
  grpcStatus,
} from "../runtime.ts";
import { createMessageDecoder } from "./grpc-decoder.ts";

// grpc-js writes log lines to stderr; everything that matters also arrives as an error.
setLogVerbosity(logVerbosity.NONE);

/** One connection (a proxy, perhaps) may hold this much in the HTTP/2 layer. */
const sessionMemoryMb = 256;
/** Streams at once of one connection; a client that wants more opens another or waits. Each takes up to 25 KB. */
const maxConnectionStreams = 1_000;
/** A connection without a stream is closed after this; agents hold their stream, and come on a new connection. */
const connectionIdleMs = 10_000;
const defaultGraceMs = 10_000;
/** Interval of the check whether grpc-js has closed everything during shutdown. */
const askAgainMs = 50;
/** How long destroyed connections may take to close. */
const lastMs = 500;

/** The streams that run, and whether new ones are taken. */
interface Streams {
  live: number;
  draining: boolean;
  /** Called whenever `live` falls to 0. */
  onIdle: () => void;
}

/**
 * Bounds what one client's bytes can become. Compressed calls are refused before their first message:
 * grpc-js unpacks everything that fits in the flow-control window at once, so that 64 KiB could become
 * hundreds of megabytes. The other calls get a decoder that keeps no more than what came.
 */
function createBounds(maxMessageBytes: number): ServerInterceptor {
  return (_method, call) => {
    const encoding: unknown = Reflect.get(call, "incomingEncoding");
    if (encoding === "identity") {
      const stream: unknown = Reflect.get(call, "stream");
      const putBack = (rest: Uint8Array): void => {
        if (!(stream instanceof Readable)) throw new Error("Too many messages in one frame");
        // grpc-js resumes it when it has handed out all messages that it was given.
        stream.pause();
        stream.unshift(rest);
      };
      Reflect.set(call, "decoder", createMessageDecoder({ maxMessageBytes, putBack }));
      return passOn(call);
    }
    return new ServerInterceptingCall(call, {
      start: () =>
        call.sendStatus({
          code: status.UNIMPLEMENTED,
          details: "Compressed messages are not supported. Use the identity encoding",
        }),
    });
  };
}

function passOn(call: ServerInterceptingCallInterface): ServerInterceptingCall {
  // The type asks for the class, grpc-js only for the interface; a wrapper would cost each message.
  return call as ServerInterceptingCall;
}

function toServerOptions(options: GrpcOptions): ServerOptions {
  return {
    "grpc.keepalive_time_ms": options.keepaliveMs,
    "grpc.keepalive_timeout_ms": options.keepaliveTimeoutMs,
    "grpc.keepalive_permit_without_calls": 1,
    "grpc.max_receive_message_length": options.maxMessageBytes,
    "grpc.max_send_message_length": options.maxMessageBytes,
    "grpc.max_concurrent_streams": Math.min(options.maxStreams, maxConnectionStreams),
    "grpc.max_connection_idle_ms": connectionIdleMs,
    "grpc-node.max_session_memory": sessionMemoryMb,
    interceptors: [createBounds(options.maxMessageBytes)],
  };
}

function checkRoom(streams: Streams, maxStreams: number): void {
  if (streams.draining) throw new GrpcError(grpcStatus.unavailable, "The service is shutting down");
  if (streams.live >= maxStreams) throw new GrpcError(grpcStatus.resourceExhausted, "Too many streams");
}

/** "1.2.3.4:5" or "[::1]:5" or "::ffff:1.2.3.4:5" → the address alone, IPv4 in its short form. */
function toRemoteAddress(peer: string): string {
  const end = peer.lastIndexOf(":");
  const host = end < 0 ? peer : peer.slice(0, end);
  const bare = host.replace(/^\[|\]$/gu, "").replace(/%.*/u, "");
  return bare.replace(/^::ffff:(?=\d+\.)/iu, "");
}

/** Runs one call and counts it while its handler runs. @throws ServerError, which nice-grpc makes the status */
async function* runCall(
  requests: AsyncIterable<Uint8Array>,
  context: CallContext,
  scope: { handler: GrpcStreamHandler; options: GrpcOptions; streams: Streams },
): AsyncGenerator<Uint8Array> {
  const { handler, options, streams } = scope;
  let counted = false;
  try {
    checkRoom(streams, options.maxStreams);
    streams.live += 1;
    counted = true;
    const remoteAddress = isSocketAddress(options.port) ? UNIX_PEER : toRemoteAddress(context.peer);
    yield* handler(requests, { remoteAddress, signal: context.signal });
  } catch (error) {
    const { status: code, message, unexpected } = toGrpcOutcome(error);
    if (unexpected)
      options.onEvent?.({ level: "error", message: `A gRPC handler failed: ${toErrorText(error)}` });
    throw new ServerError(code, message);
  } finally {
    if (counted) streams.live -= 1;
    if (streams.live === 0) streams.onIdle();
  }
}

function toBytes(bytes: Uint8Array): Uint8Array {
  return bytes;
}

/** A bidirectional method whose messages stay bytes. */
function toDefinition(
  path: string,
): MethodDefinition<Uint8Array, Uint8Array, Uint8Array, Uint8Array, true, true> {
  return {
    path,
    requestStream: true,
    responseStream: true,
    requestSerialize: toBytes,
    requestDeserialize: toBytes,
    responseSerialize: toBytes,
    responseDeserialize: toBytes,
    options: {},
  };
}

function toCredentials(tls: GrpcOptions["tls"]): ServerCredentials {
  if (tls === undefined) return ServerCredentials.createInsecure();
  const pair = { cert_chain: Buffer.from(tls.cert), private_key: Buffer.from(tls.key) };
  return ServerCredentials.createSsl(null, [pair]);
}

/** grpc-js reports a failed bind by a text alone; callers want `code`. */
function toListenError(error: unknown, address: string): Error {
  const text = textOf(error);
  const code = /\b(EADDRINUSE|EACCES|EADDRNOTAVAIL|ENOTFOUND)\b/u.exec(text)?.[1];
  const message = `Cannot listen on "${address}": ${code ?? text}`;
  return Object.assign(new Error(message, { cause: error }), code === undefined ? {} : { code });
}

/** Resolves true when `work` is done before `ms` have passed. */
async function within(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Resolves true when all is closed, false at the deadline. It asks more than once, because grpc-js forgets
 * whom to call when a connection is just being destroyed.
 */
async function shutDown(server: Server, deadline: number): Promise<boolean> {
  do {
    if (await within(server.shutdown(), askAgainMs)) return true;
  } while (performance.now() < deadline);
  return false;
}

/**
 * Listens for gRPC in this process.
 *
 * @throws an Error with `code` "EADDRINUSE" or "EACCES" when it cannot listen
 */
export async function serveGrpcInProcess(options: GrpcOptions): Promise<GrpcListener> {
  const streams: Streams = { live: 0, draining: false, onIdle: () => undefined };
  const server = createServer(toServerOptions(options));
  for (const [path, handler] of Object.entries(options.methods)) {
    const scope = { handler, options, streams };
    server.add(
      { run: toDefinition(path) },
      { run: (requests, context) => runCall(requests, context, scope) },
    );
  }
  const host = options.hostname.includes(":") ? `[${options.hostname}]` : options.hostname;
  const path = isSocketAddress(options.port) ? await prepareSocket(options.port) : undefined;
  const address = path === undefined ? `${host}:${options.port}` : `unix:${path}`;
  const bound = await server.listen(address, toCredentials(options.tls)).catch((error: unknown) => {
    const fault = toListenError(error, address);
    throw isSocketAddress(options.port) ? toSocketError(options.port, fault) : fault;
  });
  if (path !== undefined && options.socketMode !== undefined) await openSocket(path, options.socketMode);
  const port = path === undefined ? bound : 0;
  let listening = true;

  async function close(graceMs: number): Promise<void> {
    const deadline = performance.now() + graceMs;
    streams.draining = true;
    // Shutting grpc-js down first would end the open streams: its next keepalive ping fails by then.
    const idle = new Promise<void>((resolve) => {
      streams.onIdle = resolve;
      if (streams.live === 0) resolve();
    });
    await within(idle, graceMs);
    listening = false;
    if (await shutDown(server, deadline)) return;
    const gone = server.shutdown();
    server.forceShutdown();
    // The port is free. What may be left is a connection whose peer does not even take its last bytes.
    await within(gone, lastMs);
  }

  let closing: Promise<void> | undefined;
  return {
    hostname: options.hostname,
    port,
    get healthy() {
      return listening;
    },
    close: (closeOptions = {}) => (closing ??= close(closeOptions.graceMs ?? defaultGraceMs)),
  };
}
