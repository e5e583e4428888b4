/**
 * The closed set of error codes and what each means to HTTP and gRPC. Logic throws AppError; only
 * edges turn it into a Response, a gRPC status or a close code.
 */
import { type GrpcStatus, grpcStatus } from "../runtime/runtime.ts";

interface ErrorKind {
  readonly http: number;
  readonly grpc: GrpcStatus;
  readonly title: string;
  /** The code that people are shown, where two statuses share one. */
  readonly shownAs?: string;
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
  // Accounts
  invalid_credentials: { http: 401, grpc: grpcStatus.unauthenticated, title: "The credentials are wrong" },
  token_invalid: { http: 401, grpc: grpcStatus.unauthenticated, title: "The token is not valid" },
  refresh_invalid: { http: 401, grpc: grpcStatus.unauthenticated, title: "The refresh token is not valid" },
  refresh_reused: { http: 401, grpc: grpcStatus.unauthenticated, title: "The refresh token was used before" },
  code_invalid: { http: 400, grpc: grpcStatus.invalidArgument, title: "The code is not valid" },
  too_many_attempts: { http: 429, grpc: grpcStatus.resourceExhausted, title: "Too many attempts" },
  registration_closed: { http: 403, grpc: grpcStatus.permissionDenied, title: "Registration is closed" },
  invite_invalid: { http: 403, grpc: grpcStatus.permissionDenied, title: "The invite code is not valid" },
  email_unverified: {
    http: 403,
    grpc: grpcStatus.permissionDenied,
    title: "The e-mail address is not verified",
  },
  account_pending: { http: 403, grpc: grpcStatus.permissionDenied, title: "The account waits for approval" },
  account_suspended: { http: 403, grpc: grpcStatus.permissionDenied, title: "The account is suspended" },
  account_too_new: { http: 403, grpc: grpcStatus.permissionDenied, title: "The account is too new" },
  checkin_disabled: { http: 403, grpc: grpcStatus.permissionDenied, title: "Check-in is switched off" },
  reauth_required: { http: 403, grpc: grpcStatus.permissionDenied, title: "A recent sign-in is required" },
  audience_not_allowed: {
    http: 403,
    grpc: grpcStatus.permissionDenied,
    title: "The audience is not allowed",
  },
  username_taken: { http: 409, grpc: grpcStatus.alreadyExists, title: "The username is taken" },
  email_taken: { http: 409, grpc: grpcStatus.alreadyExists, title: "The e-mail address is taken" },
  email_limit: { http: 409, grpc: grpcStatus.failedPrecondition, title: "There are enough e-mail addresses" },
  last_login_email: {
    http: 409,
    grpc: grpcStatus.failedPrecondition,
    title: "It is the last address for signing in",
  },
  self_like: { http: 409, grpc: grpcStatus.failedPrecondition, title: "Nobody likes their own profile" },
  last_admin: { http: 409, grpc: grpcStatus.failedPrecondition, title: "It is the last administrator" },
  password_blocked: {
    http: 422,
    grpc: grpcStatus.invalidArgument,
    title: "The password is too easy to guess",
  },
  terms_required: { http: 422, grpc: grpcStatus.invalidArgument, title: "The terms must be accepted" },
  // Orders
  checkout_closed: { http: 403, grpc: grpcStatus.permissionDenied, title: "Nothing can be ordered now" },
  out_of_stock: { http: 409, grpc: grpcStatus.failedPrecondition, title: "There is not enough left" },
  price_changed: { http: 409, grpc: grpcStatus.failedPrecondition, title: "The price is another one now" },
  idempotency_in_progress: {
    http: 409,
    grpc: grpcStatus.aborted,
    title: "The same request is being worked on",
  },
  idempotency_key_reused: {
    http: 422,
    grpc: grpcStatus.invalidArgument,
    title: "The key was used for another request",
  },
  illegal_transition: {
    http: 409,
    grpc: grpcStatus.failedPrecondition,
    title: "The order cannot become that",
  },
  coupon_invalid: { http: 422, grpc: grpcStatus.failedPrecondition, title: "The coupon cannot be used" },
  quantity_limit: { http: 422, grpc: grpcStatus.invalidArgument, title: "Too few or too many" },
  too_many_pending: {
    http: 429,
    grpc: grpcStatus.resourceExhausted,
    title: "Too many orders wait for payment",
  },
  smtp_failed: { http: 502, grpc: grpcStatus.unavailable, title: "The mail server did not take it" },
  auth_unavailable: {
    http: 503,
    grpc: grpcStatus.unavailable,
    title: "The auth center cannot be asked now",
  },
  // If-Match named a version that is not the present one (RFC 9110 section 15.5.13).
  stale_version: {
    http: 412,
    grpc: grpcStatus.aborted,
    title: "It was changed in the meantime",
    shownAs: "version_conflict",
  },
  internal: { http: 500, grpc: grpcStatus.internal, title: "Something went wrong on our side" },
  store_unavailable: { http: 503, grpc: grpcStatus.unavailable, title: "The store cannot take writes now" },
  unavailable: { http: 503, grpc: grpcStatus.unavailable, title: "Not available now" },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorKinds;

/** The code that people are shown for an error. */
export function toShownCode(code: ErrorCode): string {
  const kind: ErrorKind = errorKinds[code];
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
