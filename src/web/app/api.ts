/** Requests to the service. */
import { basePath } from "./path.ts";

/** One thing that is wrong with what was sent; `pointer` is a JSON pointer, or the name of a parameter. */
export interface FieldFault {
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
}

/** An answer that is no success. `code` is the problem's; "offline" when there was no answer at all. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: string;
  /** Errors of single fields. */
  readonly faults: readonly FieldFault[];
  /** Seconds after which a new try makes sense, when the monitor said so. */
  readonly retryAfterSeconds: number | undefined;
  /** Everything that the answer says, such as members of this problem alone. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    message: string,
    problem: {
      status: number;
      code: string;
      faults?: readonly FieldFault[] | undefined;
      retryAfterSeconds?: number | undefined;
      details?: Readonly<Record<string, unknown>>;
    },
  ) {
    super(message);
    this.status = problem.status;
    this.code = problem.code;
    this.faults = problem.faults ?? [];
    this.retryAfterSeconds = problem.retryAfterSeconds;
    this.details = problem.details ?? {};
  }
}

interface Problem {
  readonly title?: string;
  readonly detail?: string;
  readonly code?: string;
  readonly errors?: readonly FieldFault[];
}

function readRetryAfter(response: Response): number | undefined {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : undefined;
}

/** The error of a failed response. */
export async function toApiError(response: Response): Promise<ApiError> {
  const problem = (await response.json().catch(() => ({}))) as Problem;
  return new ApiError(problem.detail ?? problem.title ?? response.statusText, {
    status: response.status,
    code: problem.code ?? "unknown",
    faults: problem.errors,
    retryAfterSeconds: readRetryAfter(response),
    details: { ...problem },
  });
}

export interface RequestOptions {
  readonly method?: string;
  readonly body?: unknown;
  /** Sent as If-Match: refused with `stale_version` when the record has another one by now. */
  readonly version?: number;
  readonly signal?: AbortSignal;
}

/**
 * Sends a request; the answer's JSON is taken as `T`, which the server's schema promises.
 * @throws ApiError
 */
export async function request<T>(
  path: string,
  { method = "GET", body, version, signal }: RequestOptions = {},
): Promise<T> {
  const fail = (error: unknown): never => {
    if (signal?.aborted === true) throw error;
    // With a SyntaxError something else has answered in place of the service.
    const code = error instanceof SyntaxError ? "unknown" : "offline";
    throw new ApiError("The service cannot be reached", { status: 0, code });
  };
  const response = await fetch(basePath + path, {
    method,
    ...(signal === undefined ? {} : { signal }),
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(version === undefined ? {} : { "if-match": `"${version}"` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(fail);
  if (!response.ok) throw await toApiError(response);
  // The answer is what the server's schema promises.
  return (response.status === 204 ? undefined : await response.json().catch(fail)) as T;
}
