/** Requests to the monitor. */

/** An answer that is no success. `code` is the problem's; "offline" when there was no answer at all. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: string;
  /** What is wrong with single fields: JSON pointer → message. */
  readonly fields: ReadonlyMap<string, string>;
  /** Seconds after which a new try makes sense, when the monitor said so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    message: string,
    problem: {
      status: number;
      code: string;
      fields?: ReadonlyMap<string, string>;
      retryAfterSeconds?: number | undefined;
    },
  ) {
    super(message);
    this.status = problem.status;
    this.code = problem.code;
    this.fields = problem.fields ?? new Map();
    this.retryAfterSeconds = problem.retryAfterSeconds;
  }
}

interface Problem {
  readonly title?: string;
  readonly detail?: string;
  readonly code?: string;
  readonly errors?: readonly { readonly pointer: string; readonly message: string }[];
}

function readRetryAfter(response: Response): number | undefined {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : undefined;
}

async function toApiError(response: Response): Promise<ApiError> {
  const problem = (await response.json().catch(() => ({}))) as Problem;
  return new ApiError(problem.detail ?? problem.title ?? response.statusText, {
    status: response.status,
    code: problem.code ?? "unknown",
    fields: new Map((problem.errors ?? []).map(({ pointer, message }) => [pointer, message])),
    retryAfterSeconds: readRetryAfter(response),
  });
}

/**
 * Sends a request; the answer's JSON is taken as `T`, which the server's schema promises.
 * @throws ApiError
 */
export async function request<T>(
  path: string,
  { method = "GET", body, signal }: { method?: string; body?: unknown; signal?: AbortSignal } = {},
): Promise<T> {
  const response = await fetch(path, {
    method,
    ...(signal === undefined ? {} : { signal }),
    ...(body === undefined
      ? {}
      : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new ApiError("The monitor cannot be reached", { status: 0, code: "offline" });
  });
  if (!response.ok) throw await toApiError(response);
  return (response.status === 204 ? undefined : await response.json()) as T;
}
