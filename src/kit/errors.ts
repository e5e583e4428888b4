/**
 * The closed set of error codes and what each means to HTTP and gRPC. Logic throws AppError; only
 * edges turn it into a Response, a gRPC status or a close code.
 */
import type { GrpcStatus } from "../runtime.ts";
import { grpcStatus } from "../runtime.ts";

interface ErrorKind {
  readonly http: number;
  readonly grpc: GrpcStatus;
  readonly title: string;
}

/** Code → HTTP status, gRPC status and title, for every service. */
export const errorKinds = {
  bad_request: { http: 400, grpc: grpcStatus.invalidArgument, title: "The request is malformed" },
  unauthenticated: { http: 401, grpc: grpcStatus.unauthenticated, title: "Credentials are missing or wrong" },
  forbidden: { http: 403, grpc: grpcStatus.permissionDenied, title: "Not allowed" },
  origin_refused: { http: 403, grpc: grpcStatus.permissionDenied, title: "The origin is not allowed" },
  not_found: { http: 404, grpc: grpcStatus.notFound, title: "Not found" },
  method_not_allowed: { http: 405, grpc: grpcStatus.unimplemented, title: "The method is not allowed here" },
  conflict: { http: 409, grpc: grpcStatus.aborted, title: "The request conflicts with the present state" },
  already_exists: { http: 409, grpc: grpcStatus.alreadyExists, title: "It exists already" },
  version_conflict: { http: 409, grpc: grpcStatus.aborted, title: "It was changed in the meantime" },
  too_large: { http: 413, grpc: grpcStatus.resourceExhausted, title: "The request is too large" },
  unsupported_media_type: {
    http: 415,
    grpc: grpcStatus.invalidArgument,
    title: "The content type is not supported",
  },
  invalid: { http: 422, grpc: grpcStatus.invalidArgument, title: "Some values are not valid" },
  upgrade_required: {
    http: 426,
    grpc: grpcStatus.failedPrecondition,
    title: "A WebSocket handshake is required",
  },
  rate_limited: { http: 429, grpc: grpcStatus.resourceExhausted, title: "Too many requests" },
  internal: { http: 500, grpc: grpcStatus.internal, title: "Something went wrong on our side" },
  store_unavailable: { http: 503, grpc: grpcStatus.unavailable, title: "The store cannot take writes now" },
  unavailable: { http: 503, grpc: grpcStatus.unavailable, title: "Not available now" },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorKinds;

/** One thing that is wrong with the input; `pointer` is a JSON pointer (RFC 6901) into the body, or a parameter name. */
export interface FieldError {
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
}

export interface AppErrorOptions {
  readonly cause?: unknown;
  readonly errors?: readonly FieldError[];
  /** Seconds after which a new try makes sense; becomes Retry-After. */
  readonly retryAfterSeconds?: number;
  /** Further members of the problem document; never a secret. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** An error with a code of {@link errorKinds}. Messages say what to do, in sentence case without a full stop. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[];
  readonly retryAfterSeconds: number | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.errors = options.errors ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.details = options.details ?? {};
  }
}
