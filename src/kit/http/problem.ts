/** Errors as problem documents (RFC 9457). */
import { HTTPException } from "hono/http-exception";
import { NoHandshakeError } from "../../runtime/runtime.ts";
import { DamagedError, StoreError, type StoreErrorCode } from "../../store/store.ts";
import { codeOf } from "../thrown.ts";
import { AppError, commonErrors, type CommonErrorCode, toShownCode } from "../errors.ts";

/** Seconds after which a client of a store that takes no writes should ask again. */
const STORE_RETRY_SECONDS = 5;

const storeCodes = {
  unique_violation: "already_exists",
  conflict: "version_conflict",
  check_violation: "conflict",
  not_found: "not_found",
  invalid_record: "internal",
  bad_cursor: "bad_request",
  store_unavailable: "store_unavailable",
} as const satisfies Record<StoreErrorCode, CommonErrorCode>;

const INTERNAL = "An internal error occurred. The log of the service has the details under the requestId";

const storeMessages: Readonly<Record<StoreErrorCode, string>> = {
  unique_violation: "A record with this value already exists",
  conflict: "Someone else changed this record. Reload it and try again",
  check_violation: "The change violates a rule of the record",
  not_found: "This record does not exist",
  invalid_record: INTERNAL,
  bad_cursor: "The cursor is malformed. Start again without it",
  store_unavailable: "The database cannot store changes at the moment. Try again later",
};

const DAMAGED =
  "Part of the stored data is damaged and cannot be read. The log of the service names the file and the remedy";

const statusCodes: Readonly<Record<number, CommonErrorCode>> = {
  400: "bad_request",
  401: "unauthenticated",
  403: "forbidden",
  404: "not_found",
  405: "method_not_allowed",
  409: "conflict",
  413: "too_large",
  415: "unsupported_media_type",
  422: "invalid",
  426: "upgrade_required",
  429: "rate_limited",
  503: "unavailable",
};

/** Temporary shortages of the system: open files, ports, space. */
const shortages: ReadonlySet<string | undefined> = new Set([
  "EMFILE",
  "ENFILE",
  "ENOBUFS",
  "ENOSPC",
  "EDQUOT",
]);
const MAX_CAUSES = 5;

/** Whether an error, or what caused it, says that the system has run out of something. */
export function isShortage(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth += 1) {
    if (shortages.has(codeOf(cause))) return true;
    ({ cause } = cause);
  }
  return false;
}

/** The AppError of any error; an unknown one becomes `internal` and reveals nothing. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof DamagedError) return new AppError("store_unavailable", DAMAGED, { cause: error });
  if (error instanceof StoreError) {
    const code = storeCodes[error.code];
    const retry = code === "store_unavailable" ? { retryAfterSeconds: STORE_RETRY_SECONDS } : {};
    return new AppError(code, storeMessages[error.code], { cause: error, ...retry });
  }
  if (error instanceof NoHandshakeError) {
    return new AppError("upgrade_required", "This path accepts only WebSocket connections", { cause: error });
  }
  if (error instanceof HTTPException) {
    const code = statusCodes[error.status];
    if (code !== undefined)
      return new AppError(code, error.message || commonErrors[code].title, { cause: error });
  }
  if (isShortage(error))
    return new AppError(
      "unavailable",
      "The server has run out of file handles, ports or disk space. Try again later",
      {
        cause: error,
        retryAfterSeconds: STORE_RETRY_SECONDS,
      },
    );
  return new AppError("internal", INTERNAL, { cause: error });
}

/** Creates the response for an error. Details cannot replace the standard members. */
export function toProblemResponse(error: AppError, requestId: string): Response {
  const { kind } = error;
  const code = toShownCode(error.code, kind);
  const body = {
    ...error.details,
    // A name, not the address of a page.
    type: `urn:trivet:problem:${code}`,
    title: kind.title,
    status: kind.http,
    detail: error.message,
    code,
    requestId,
    ...(error.errors.length === 0 ? {} : { errors: error.errors }),
  };
  const headers = new Headers({ "content-type": "application/problem+json", "cache-control": "no-store" });
  if (error.retryAfterSeconds !== undefined) {
    headers.set("retry-after", String(Math.max(0, Math.ceil(error.retryAfterSeconds))));
  }
  // RFC 9110 sections 11.6.1, 15.5.6 and 15.5.22: what these statuses must or should carry.
  // RFC 6750 section 3.1: a token that was shown and is not valid.
  const challenge = error.code === "token_invalid" ? 'Bearer error="invalid_token"' : "Bearer";
  if (kind.http === 401) headers.set("www-authenticate", challenge);
  const { scope, acr_values: acr, max_age: maxAge } = error.details;
  // RFC 9470 section 3.
  if (error.code === "insufficient_user_authentication") {
    const wanted = typeof acr === "string" ? `acr_values="${acr}"` : `max_age="${String(maxAge)}"`;
    headers.set("www-authenticate", `Bearer error="${error.code}", ${wanted}`);
  }
  if (error.code === "insufficient_scope" && typeof scope === "string")
    headers.set("www-authenticate", `Bearer error="insufficient_scope", scope="${scope}"`);
  if (kind.http === 426) headers.set("upgrade", "websocket");
  const { allow } = error.details;
  if (kind.http === 405 && Array.isArray(allow)) headers.set("allow", allow.join(", "));
  return new Response(JSON.stringify(body), { status: kind.http, headers });
}
