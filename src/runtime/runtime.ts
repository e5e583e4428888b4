/**
 * PORT: the runtime. One adapter each for Node and Deno (`runtime/`), chosen by "#runtime" in
 * package.json; `main.ts` alone imports that. Everything else sees Request, Response and these types.
 */
import type { SocketAddress } from "../kit/text/socket-address.ts";

/** Where a request came from, handed to the application as its environment (`c.env` in Hono). */
export interface Connection {
  /** Address of the socket's other end, without brackets or zone: "127.0.0.1", "::1"; "unix" on a Unix socket. */
  readonly remoteAddress: string;
}

export type HttpHandler = (request: Request, connection: Connection) => Response | Promise<Response>;

export interface Listener {
  readonly hostname: string;
  /** The real port, also when 0 was requested; 0 on a Unix socket. */
  readonly port: number;
  /** Stops taking connections, lets what runs finish, and after `graceMs` (default 10,000) ends the rest. */
  close(options?: { graceMs?: number }): Promise<void>;
}

export interface HttpOptions {
  readonly hostname: string;
  /** 0 picks a free one; a Unix socket needs no `hostname`. */
  readonly port: number | SocketAddress;
  /** Permissions of a Unix socket. */
  readonly socketMode?: number;
  readonly handler: HttpHandler;
  /** Told of what a handler or a socket's callback threw; the listener itself goes on. */
  readonly onError?: (error: unknown) => void;
}

/** The server's end of a WebSocket. Frames are sent as they are: there is no compression. */
export interface ServerSocket {
  readonly readyState: "connecting" | "open" | "closing" | "closed";
  /** Bytes accepted by `send` that the kernel has not taken yet. */
  readonly bufferedBytes: number;
  /** Strings go as text, bytes as binary. Does nothing unless open. Bytes must not change afterwards. */
  send(data: string | Uint8Array): void;
  /** Sends UTF-8 bytes as a text frame, so that one encoding serves many sockets. */
  sendText(utf8: Uint8Array): void;
  ping(): void;
  /** Starts the closing handshake (RFC 6455 section 7); an unanswered one ends after 5 s. */
  close(code: number, reason?: string): void;
  /** Drops the connection at once. */
  terminate(): void;
  onopen: (() => void) | undefined;
  onmessage: ((data: string | Uint8Array) => void) | undefined;
  onpong: (() => void) | undefined;
  /**
   * Called exactly once: with the client's code, with ours when the client broke the protocol
   * (1002, 1007, 1009), or with 1006 when the connection went away without a closing handshake.
   */
  onclose: ((code: number, reason: string) => void) | undefined;
}

export interface UpgradeOptions {
  /** A longer message from the client closes with 1009. Default 4,096. */
  readonly maxMessageBytes?: number;
}

/** Thrown when a request that is no WebSocket handshake is to be upgraded; edges answer 426. */
export class NoHandshakeError extends TypeError {
  override readonly name = "NoHandshakeError";
}

/**
 * Turns a request into a WebSocket. The returned response must be the handler's answer; the socket
 * opens after it. Throws {@link NoHandshakeError} when the request is no WebSocket handshake.
 */
export type UpgradeWebSocket = (
  request: Request,
  options?: UpgradeOptions,
) => { socket: ServerSocket; response: Response };

/** gRPC status codes that Trivet gives (https://grpc.github.io/grpc/core/md_doc_statuscodes.html). */
export const grpcStatus = {
  ok: 0,
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  alreadyExists: 6,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;
export type GrpcStatus = (typeof grpcStatus)[keyof typeof grpcStatus];

/** Thrown by a stream handler to end its stream with a status other than OK. */
export class GrpcError extends Error {
  override readonly name = "GrpcError";
  readonly status: GrpcStatus;

  constructor(status: GrpcStatus, message: string) {
    super(message);
    this.status = status;
  }
}

export interface GrpcCall {
  /** Address of the socket's other end; "unix" on a Unix socket. */
  readonly remoteAddress: string;
  /** Aborts when the client went away or the listener ends. The requests may also just end: runtimes differ. */
  readonly signal: AbortSignal;
}

/** A bidirectional stream of encoded messages. The listener pulls requests only as fast as they are read. */
export type GrpcStreamHandler = (
  requests: AsyncIterable<Uint8Array>,
  call: GrpcCall,
) => AsyncIterable<Uint8Array>;

export interface GrpcOptions {
  readonly hostname: string;
  readonly port: number | SocketAddress;
  /** Permissions of a Unix socket. */
  readonly socketMode?: number;
  /** PEM texts; without them plaintext HTTP/2 (h2c). */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Full method path ("/monitor.v1.AgentIngest/Connect") to handler. */
  readonly methods: Readonly<Record<string, GrpcStreamHandler>>;
  /** Largest message in bytes. */
  readonly maxMessageBytes: number;
  /** Streams at once in this process; more are refused with RESOURCE_EXHAUSTED. */
  readonly maxStreams: number;
  readonly keepaliveMs: number;
  readonly keepaliveTimeoutMs: number;
  /** Told of what an administrator should know, such as a restart of the listener's process. */
  readonly onEvent?: (event: { readonly level: "info" | "warn" | "error"; readonly message: string }) => void;
}

export interface GrpcListener extends Listener {
  /** False while nothing listens, for example between two lives of a supervised child. */
  readonly healthy: boolean;
}

export interface Runtime {
  readonly name: "node" | "deno";
  readonly version: string;
  /** The named environment variables; one that is not set or that the process may not read is absent. */
  env(names: readonly string[]): Readonly<Record<string, string | undefined>>;
  /** Whether the standard output is a terminal, where people read. */
  readonly isTerminal: boolean;
  /** Command-line arguments after the program. */
  readonly args: readonly string[];
  /** Throws with a `code` such as "EADDRINUSE" or "EACCES" when it cannot listen. */
  serveHttp(options: HttpOptions): Promise<Listener>;
  readonly upgradeWebSocket: UpgradeWebSocket;
  serveGrpc(options: GrpcOptions): Promise<GrpcListener>;
  /** Calls `handler` for each SIGTERM or SIGINT. */
  onStopSignal(handler: (signal: string) => void): void;
  /** Writes a line to the standard output, soon, and at the latest when the process ends. */
  print(line: string): void;
  readTextFile(path: string): Promise<string>;
  /** Runs this program again with other arguments, and ends it with this process. Its output is the last 4 kB of both streams. */
  runSelf(args: readonly string[]): Promise<{ readonly code: number | undefined; readonly output: string }>;
  exit(code: number): never;
}
