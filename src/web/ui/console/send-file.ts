/** Bytes that are sent to the service as administrator, with news of how far they are. */
import { ApiError, toApiError } from "../../app/api.ts";
import { basePath } from "../../app/path.ts";
import { asAdministrator } from "./session.ts";

export interface SentFile {
  readonly method: "POST" | "PUT";
  readonly body: Blob;
  /** Its media type. */
  readonly type: string;
  /** Sent as If-Match. */
  readonly version?: number | undefined;
  /** Told how much has been sent, from 0 to 1. */
  readonly onProgress?: ((share: number) => void) | undefined;
  /** Aborts the upload; the promise is rejected with `offline`. */
  readonly signal?: AbortSignal | undefined;
}

function send(path: string, file: SentFile): Promise<Response> {
  // fetch says nothing of what it has sent so far.
  const request = new XMLHttpRequest();
  return new Promise((resolve, reject) => {
    const fail = (): void =>
      reject(new ApiError("The service cannot be reached", { status: 0, code: "offline" }));
    request.open(file.method, basePath + path);
    request.responseType = "arraybuffer";
    request.setRequestHeader("content-type", file.type);
    if (file.version !== undefined) request.setRequestHeader("if-match", `"${file.version}"`);
    request.upload.onprogress = ({ loaded, total }) => file.onProgress?.(total === 0 ? 0 : loaded / total);
    request.onerror = fail;
    request.ontimeout = fail;
    request.onabort = fail;
    request.onload = () => {
      const { status } = request;
      const retryAfter = request.getResponseHeader("retry-after");
      const headers = retryAfter === null ? undefined : { "retry-after": retryAfter };
      // A response of this status has no body.
      const bytes: unknown = request.response;
      const body = status !== 204 && bytes instanceof ArrayBuffer ? bytes : null;
      resolve(new Response(body, { status, headers }));
    };
    file.signal?.addEventListener("abort", () => request.abort(), { once: true });
    if (file.signal?.aborted === true) fail();
    else request.send(file.body);
  });
}

/**
 * Sends a file; the answer's JSON is taken as `T`, which the server's schema promises.
 * @throws ApiError
 */
export function sendFile<T>(path: string, file: SentFile): Promise<T> {
  return asAdministrator(async () => {
    const response = await send(path, file);
    if (!response.ok) throw await toApiError(response);
    // What it is, the schema of the service says.
    return (response.status === 204 ? undefined : await response.json()) as T;
  });
}
