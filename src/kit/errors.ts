/**
 * The error codes that all services have in common, and how a service adds its own. Logic throws AppError or the
 * class of its service; only edges turn them into a Response, a gRPC status or a close code.
 */
import { type GrpcStatus, grpcStatus } from "../runtime/runtime.ts";

/** A code's statuses in HTTP and gRPC. */
export interface ErrorKind {
  readonly http: number;
  readonly grpc: GrpcStatus;
  readonly title: string;
  /** The code that people are shown, where two statuses share one. */
  readonly shownAs?: string;
}

/** The codes that every service may throw. */
export const commonErrors = {
  bad_request: { http: 400, grpc: grpcStatus.invalidArgument, title: "Malformed request" },
  unauthenticated: { http: 401, grpc: grpcStatus.unauthenticated, title: "Missing or invalid credentials" },
  forbidden: { http: 403, grpc: grpcStatus.permissionDenied, title: "Not permitted" },
  insufficient_scope: {
    http: 403,
    grpc: grpcStatus.permissionDenied,
    title: "The credential does not have the required scope",
  },
  reauth_required: { http: 403, grpc: grpcStatus.permissionDenied, title: "A recent sign-in is required" },
  origin_refused: { http: 403, grpc: grpcStatus.permissionDenied, title: "The origin is not allowed" },
  not_found: { http: 404, grpc: grpcStatus.notFound, title: "Not found" },
  method_not_allowed: { http: 405, grpc: grpcStatus.unimplemented, title: "Method not allowed" },
  conflict: { http: 409, grpc: grpcStatus.aborted, title: "The request conflicts with the current state" },
  already_exists: { http: 409, grpc: grpcStatus.alreadyExists, title: "The resource already exists" },
  version_conflict: { http: 409, grpc: grpcStatus.aborted, title: "Someone else changed the resource" },
  too_large: { http: 413, grpc: grpcStatus.resourceExhausted, title: "The request is too large" },
  unsupported_media_type: {
    http: 415,
    grpc: grpcStatus.invalidArgument,
    title: "Unsupported content type",
  },
  misdirected: { http: 421, grpc: grpcStatus.notFound, title: "No service has this host name" },
  invalid: { http: 422, grpc: grpcStatus.invalidArgument, title: "Invalid values" },
  upgrade_required: {
    http: 426,
    grpc: grpcStatus.failedPrecondition,
    title: "A WebSocket handshake is required",
  },
  rate_limited: { http: 429, grpc: grpcStatus.resourceExhausted, title: "Too many requests" },
  token_invalid: { http: 401, grpc: grpcStatus.unauthenticated, title: "Invalid token" },
  too_many_attempts: { http: 429, grpc: grpcStatus.resourceExhausted, title: "Too many attempts" },
  // If-Match named a version that is not the current one (RFC 9110 section 15.5.13).
  stale_version: {
    http: 412,
    grpc: grpcStatus.aborted,
    title: "Someone else changed the resource",
    shownAs: "version_conflict",
  },
  internal: { http: 500, grpc: grpcStatus.internal, title: "Internal error" },
  store_unavailable: {
    http: 503,
    grpc: grpcStatus.unavailable,
    title: "The database is unavailable for writes",
  },
  unavailable: { http: 503, grpc: grpcStatus.unavailable, title: "Temporarily unavailable" },
} as const satisfies Record<string, ErrorKind>;

export type CommonErrorCode = keyof typeof commonErrors;

/** The code that people are shown for a code of a kind. */
export function toShownCode(code: string, kind: ErrorKind): string {
  return kind.shownAs ?? code;
}

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

/** A code that a service defines, with its kind; made by {@link defineErrors}. */
interface OwnCode {
  readonly code: string;
  readonly kind: ErrorKind;
}

/** An error with a code. Messages say what to do, in sentence case without a full stop. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: string;
  readonly kind: ErrorKind;
  readonly errors: readonly FieldError[];
  readonly retryAfterSeconds: number | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: CommonErrorCode | OwnCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    const own = typeof code === "string" ? { code, kind: commonErrors[code] } : code;
    this.code = own.code;
    this.kind = own.kind;
    this.errors = options.errors ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.details = options.details ?? {};
  }
}

/** The class of a service's errors: takes the common codes and its own. */
interface ServiceErrors<Own> {
  new (code: CommonErrorCode | (keyof Own & string), message: string, options?: AppErrorOptions): AppError;
  readonly kinds: typeof commonErrors & Own;
}

/** Creates the base of a service's error class. A code that is a common one already does not compile. */
export function defineErrors<const Own extends Readonly<Record<string, ErrorKind>>>(
  own: Own & { readonly [C in CommonErrorCode]?: never },
): ServiceErrors<Own> {
  const kinds = { ...commonErrors, ...own };
  return class extends AppError {
    static readonly kinds = kinds;

    constructor(code: CommonErrorCode | (keyof Own & string), message: string, options?: AppErrorOptions) {
      super({ code, kind: kinds[code] }, message, options);
    }
  };
}
