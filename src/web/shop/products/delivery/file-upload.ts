/** A file upload in parts: resumes after an interruption, even after a reload of the page. */
import type { UploadView } from "../../../../shop/files/answer-schema.ts";
import { ApiError } from "../../../app/api.ts";
import { sendFile } from "../../../ui/console/send-file.ts";
import { adminRequest } from "../../../ui/console/session.ts";
import { toProductPath } from "../product-data.ts";

/** Bytes of one request: what is lost at a break is less than this. */
const PART_BYTES = 8_388_608;
/** Breaks in a row after which somebody has to look. */
const MAX_BREAKS = 5;
const BREAK_MS = 2_000;
const KEY = "uploads";
/** Uploads that are remembered. */
const MAX_KEPT = 20;

interface Remembered {
  readonly name: string;
  readonly uploadId: string;
}

function readAll(): readonly Remembered[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? (stored as readonly Remembered[]) : [];
  } catch {
    return []; // storage is switched off, or holds something else
  }
}

function writeAll(all: readonly Remembered[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(all.slice(-MAX_KEPT)));
  } catch {
    // Without storage an upload goes on as long as the page is open.
  }
}

/** Identifies a file without reading its content. */
function toName(productId: string, { name, size, lastModified }: File): string {
  return [productId, name, size, lastModified].join("\n");
}

async function find(productId: string, file: File): Promise<UploadView | undefined> {
  const known = readAll().find(({ name }) => name === toName(productId, file));
  if (known === undefined) return undefined;
  try {
    return await adminRequest<UploadView>(`/api/admin/uploads/${known.uploadId}`);
  } catch (error) {
    // It was used, or its day is over.
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

async function begin(productId: string, file: File): Promise<UploadView> {
  const before = await find(productId, file);
  if (before !== undefined) return before;
  const body = { fileName: file.name, sizeBytes: file.size };
  const upload = await adminRequest<UploadView>(`${toProductPath(productId)}/uploads`, {
    method: "POST",
    body,
  });
  writeAll([...readAll(), { name: toName(productId, file), uploadId: upload.id }]);
  return upload;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}

/** Whether the line broke, or somebody else sent the same part: then the shop says how far the file is. */
function isBreak(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.code === "offline" || error.code === "conflict" || error.status >= 500)
  );
}

export interface UploadOptions {
  readonly productId: string;
  readonly file: File;
  readonly signal: AbortSignal;
  readonly onProgress: (sentBytes: number) => void;
}

/**
 * Sends a file and gives its upload, which a version of a file can then name. Called again for the same file it goes
 * on where it was.
 * @throws ApiError, `offline` after some breaks in a row or when it was stopped
 */
export async function upload({ productId, ...options }: UploadOptions): Promise<UploadView> {
  const view = await sendParts(await begin(productId, options.file), options);
  writeAll(readAll().filter(({ uploadId }) => uploadId !== view.id));
  return view;
}

/** Sends what a begun upload lacks. @throws ApiError as {@link upload} */
export async function sendParts(
  begun: UploadView,
  { file, signal, onProgress }: Omit<UploadOptions, "productId">,
): Promise<UploadView> {
  let view = begun;
  const path = `/api/admin/uploads/${view.id}`;
  let breaks = 0;
  while (view.receivedBytes < file.size) {
    const offset = view.receivedBytes;
    onProgress(offset);
    const body = file.slice(offset, offset + PART_BYTES);
    try {
      view = await sendFile<UploadView>(`${path}?offset=${offset}`, {
        method: "PUT",
        body,
        type: "application/octet-stream",
        signal,
        onProgress: (share) => onProgress(offset + share * body.size),
      });
      breaks = 0;
    } catch (error) {
      breaks += 1;
      if (!isBreak(error) || breaks > MAX_BREAKS || signal.aborted) throw error;
      await pause(BREAK_MS * breaks, signal);
      if (signal.aborted) throw error;
      view = await adminRequest<UploadView>(path).catch(() => view);
    }
  }
  onProgress(file.size);
  return view;
}

/** Cancels an upload. */
export async function forget(productId: string, file: File): Promise<void> {
  const known = await find(productId, file);
  writeAll(readAll().filter(({ name }) => name !== toName(productId, file)));
  if (known !== undefined) await adminRequest(`/api/admin/uploads/${known.id}`, { method: "DELETE" });
}
