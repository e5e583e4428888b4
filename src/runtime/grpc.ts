/**
 * gRPC in this process, over nice-grpc. Hidden here: nice-grpc and grpc-js with their options, and what
 * it takes to end a listener without cutting streams that still have something to say.
 */
import type {
  ChannelOptions,
  ServerInterceptingCallInterface,
  ServerInterceptor,
} from "@grpc/grpc-js";
import { logVerbosity, ServerCredentials, ServerInterceptingCall, setLogVerbosity, status } from "@grpc/grpc-js";
import type { CallContext } from "nice-grpc";
import { createServer, ServerError } from "nice-grpc";
import { toGrpcOutcome } from "../kit/grpc.ts";
import type { GrpcListener, GrpcOptions, GrpcStreamHandler } from "../runtime.ts";
import { GrpcError, grpcStatus } from "../runtime.ts";
import { toRemoteAddress, watchResponses } from "./grpc-call.ts";

// grpc-js writes lines of its own to stderr; all that matters comes as an error, too.
setLogVerbosity(logVerbosity.NONE);

/** One connection (a proxy, perhaps) may hold this much in the HTTP/2 layer. */
const sessionMemoryMb = 256;
const defaultGraceMs = 10_000;

/** The streams that run, and whether new ones are taken. */
interface Streams {
  live: number;
  draining: boolean;
  /** Called whenever `live` falls to 0. */
  onIdle: () => void;
}

/**
 * Refuses compressed calls before their first message: grpc-js unpacks everything that fits in the
 * flow-control window at once, so that 64 KiB from one client could become hundreds of megabytes.
 */
const refuseCompression: ServerInterceptor = (_method, call) => {
  const encoding: unknown = Reflect.get(call, "incomingEncoding");
  if (encoding === "identity") return passOn(call);
  return new ServerInterceptingCall(call, {
    start: () =>
      call.sendStatus({ code: status.UNIMPLEMENTED, details: "Compressed messages are not supported: send identity" }),
  });
};

function passOn(call: ServerInterceptingCallInterface): ServerInterceptingCall {
  // The type asks for the class, grpc-js only for the interface; a wrapper would cost each message.
  return call as ServerInterceptingCall;
}

function toChannelOptions(options: GrpcOptions): ChannelOptions & { interceptors: ServerInterceptor[] } {
  return {
    "grpc.keepalive_time_ms": options.keepaliveMs,
    "grpc.keepalive_timeout_ms": options.keepaliveTimeoutMs,
    "grpc.keepalive_permit_without_calls": 1,
    "grpc.max_receive_message_length": options.maxMessageBytes,
    "grpc.max_send_message_length": options.maxMessageBytes,
    "grpc.max_concurrent_streams": options.maxStreams,
    "grpc-node.max_session_memory": sessionMemoryMb,
    interceptors: [refuseCompression],
  };
}

function toServerError(error: unknown, onEvent: GrpcOptions["onEvent"]): ServerError {
  const outcome = toGrpcOutcome(error);
  if (outcome.unexpected) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    onEvent?.({ level: "error", message: `A gRPC handler failed: ${text}` });
  }
  return new ServerError(outcome.status, outcome.message);
}

function checkRoom(streams: Streams, maxStreams: number): void {
  if (streams.draining) throw new GrpcError(grpcStatus.unavailable, "The service is shutting down");
  if (streams.live >= maxStreams) throw new GrpcError(grpcStatus.resourceExhausted, "Too many streams");
}

function toImplementation(handler: GrpcStreamHandler, scope: { options: GrpcOptions; streams: Streams }) {
  const { options, streams } = scope;
  const toError = (error: unknown): ServerError => toServerError(error, options.onEvent);
  return (requests: AsyncIterable<Uint8Array>, context: CallContext): AsyncIterableIterator<Uint8Array> => {
    try {
      checkRoom(streams, options.maxStreams);
      const call = { remoteAddress: toRemoteAddress(context.peer), signal: context.signal };
      const responses = handler(requests, call);
      streams.live += 1;
      return watchResponses(responses, {
        toError,
        onEnd: () => {
          streams.live -= 1;
          if (streams.live === 0) streams.onIdle();
        },
      });
    } catch (error) {
      throw toError(error);
    }
  };
}

const identity = (bytes: Uint8Array): Uint8Array => bytes;

/** A service of one method; nice-grpc and grpc-js route by its path alone. */
function toDefinition(path: string) {
  return {
    stream: {
      path,
      requestStream: true,
      responseStream: true,
      requestSerialize: identity,
      requestDeserialize: identity,
      responseSerialize: identity,
      responseDeserialize: identity,
      options: {},
    },
  } as const;
}

function toCredentials(tls: GrpcOptions["tls"]): ServerCredentials {
  if (tls === undefined) return ServerCredentials.createInsecure();
  const pair = { cert_chain: Buffer.from(tls.cert), private_key: Buffer.from(tls.key) };
  return ServerCredentials.createSsl(null, [pair]);
}

/** grpc-js reports a failed bind by a text alone; callers want `code`. */
function toListenError(error: unknown, address: string): Error {
  const text = error instanceof Error ? error.message : String(error);
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
 * Listens for gRPC in this process.
 *
 * @throws an Error with `code` "EADDRINUSE" or "EACCES" when it cannot listen
 */
export async function serveGrpcInProcess(options: GrpcOptions): Promise<GrpcListener> {
  const streams: Streams = { live: 0, draining: false, onIdle: () => undefined };
  const server = createServer(toChannelOptions(options));
  for (const [path, handler] of Object.entries(options.methods)) {
    server.add(toDefinition(path), { stream: toImplementation(handler, { options, streams }) });
  }
  const host = options.hostname.includes(":") ? `[${options.hostname}]` : options.hostname;
  const address = `${host}:${options.port}`;
  const port = await server.listen(address, toCredentials(options.tls)).catch((error: unknown) => {
    throw toListenError(error, address);
  });
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
    const done = server.shutdown();
    if (!(await within(done, Math.max(0, deadline - performance.now())))) {
      server.forceShutdown();
      await done;
    }
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
