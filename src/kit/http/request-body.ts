/** Request bodies under a limit, and JSON only in its strict form. */
import type { Context } from "hono";
import { AppError } from "../errors.ts";
import { type Encoding, encodings } from "../files/decode-text.ts";
import { parseStrictJson, readStrictJson } from "../text/strict-json.ts";

/** Why the body of a request could not be taken, if so. */
const failures = new WeakMap<Request, AppError>();

/** The error that reading the body of `request` ended with, also when a validator replaced it by its own. */
export function findBodyFailure(context: Context): AppError | undefined {
  return failures.get(context.req.raw);
}

function tooLarge(limitBytes: number): AppError {
  return new AppError("too_large", `The body is larger than ${limitBytes} bytes`, {
    details: { limitBytes },
  });
}

/** Passes the body on until it has grown past the limit, then fails both the reader and the source. */
function limitStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  limitBytes: number,
  onExcess: (error: AppError) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  let size = 0;
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) {
        controller.close();
        return;
      }
      size += value.byteLength;
      if (size <= limitBytes) {
        controller.enqueue(value);
        return;
      }
      const error = tooLarge(limitBytes);
      onExcess(error);
      controller.error(error);
      reader.cancel(error).catch(() => undefined);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** The request with this body under a limit. */
function toLimited(
  raw: Request,
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  limitBytes: number,
): Request {
  const body = limitStream(stream, limitBytes, (error) => failures.set(limited, error));
  // `duplex` is required for streams (Fetch standard) and missing in the DOM types.
  const init: RequestInit & { duplex: "half" } = { body, duplex: "half" };
  const limited: Request = new Request(raw, init);
  return limited;
}

/** A charset other than UTF-8 would be read wrongly (RFC 8259 section 8.1 knows no other). */
function refuseCharset(contentType: string | undefined): void {
  const charset = findCharset(contentType);
  if (charset !== undefined && charset !== "utf-8" && charset !== "utf8") {
    throw new AppError("unsupported_media_type", "JSON must be UTF-8");
  }
}

/** The whole body. @throws AppError `bad_request`, `too_large` */
export async function readBytes(context: Context): Promise<Uint8Array> {
  try {
    return new Uint8Array(await context.req.arrayBuffer());
  } catch (cause) {
    throw (
      findBodyFailure(context) ?? new AppError("bad_request", "The request body could not be read", { cause })
    );
  }
}

/**
 * The beginning of a body, up to `maxBytes`; the rest is read and dropped, so that the sender hears the answer.
 * @throws AppError `bad_request`, `too_large`
 */
export async function readBodyStart(
  context: Context,
  maxBytes: number,
): Promise<{ readonly bytes: Uint8Array; readonly isCut: boolean }> {
  const parts: Uint8Array[] = [];
  let kept = 0;
  let isCut = false;
  try {
    for await (const part of context.req.raw.body ?? []) {
      const start = part.subarray(0, maxBytes - kept);
      if (start.length > 0) parts.push(start);
      kept += start.length;
      isCut ||= start.length < part.length;
    }
  } catch (cause) {
    throw (
      findBodyFailure(context) ?? new AppError("bad_request", "The request body could not be read", { cause })
    );
  }
  const bytes = new Uint8Array(kept);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { bytes, isCut };
}

/** The charset of a Content-Type in small letters, without quotes. */
export function findCharset(contentType: string | undefined): string | undefined {
  return /;\s*charset\s*=\s*"?([^";\s]+)/iu.exec(contentType ?? "")?.[1]?.toLowerCase();
}

/** The media type of a Content-Type in small letters; undefined with a charset other than UTF-8. */
export function readUtf8Type(contentType: string | undefined): string | undefined {
  const charset = findCharset(contentType) ?? "utf-8";
  return charset === "utf-8" || charset === "utf8" ? toMediaType(contentType) : undefined;
}

/**
 * The encoding that a Content-Type names for a text; undefined where it names none.
 * @throws AppError `unsupported_media_type`
 */
export function findEncoding(contentType: string | undefined): Encoding | undefined {
  const charset = findCharset(contentType)?.replace(/^utf8$/u, "utf-8");
  const found = encodings.find((encoding) => encoding === charset);
  if (charset === undefined || found !== undefined) return found;
  throw new AppError("unsupported_media_type", `The charset must be one of ${encodings.join(", ")}`);
}

async function readJson(context: Context): Promise<unknown> {
  refuseCharset(context.req.header("content-type"));
  return parseStrictJson(await readBytes(context));
}

const lenientUtf8 = new TextDecoder();

/**
 * The whole body of another program's request as text; with `isJson` it must be strict JSON, and `json` is what it says,
 * without U+0000 and lone surrogates.
 * @throws AppError `bad_request`, `too_large`, `unsupported_media_type`
 */
export async function readText(
  context: Context,
  { isJson }: { readonly isJson: boolean },
): Promise<{ readonly text: string; readonly json?: unknown }> {
  if (isJson) refuseCharset(context.req.header("content-type"));
  const bytes = await readBytes(context);
  if (!isJson) return { text: lenientUtf8.decode(bytes) };
  const { text, value } = readStrictJson(bytes, { isForeign: true });
  return { text, json: value };
}

function installStrictJson(context: Context): void {
  let value: Promise<unknown> | undefined;
  const json = (): Promise<unknown> => {
    value ??= readJson(context).catch((error: unknown) => {
      if (error instanceof AppError) failures.set(context.req.raw, error);
      throw error;
    });
    return value;
  };
  // An own property shadows the method that zod-openapi's validators call; Hono types it as any.
  Object.defineProperty(context.req, "json", { value: json });
}

/**
 * Refuses a body that announces more than `limitBytes` before it is read, bounds one that announces
 * nothing, and makes `c.req.json()` strict. Throws AppError `too_large`.
 */
export function guardBody(context: Context, limitBytes: number): void {
  const { raw } = context.req;
  const announced = raw.headers.get("content-length");
  if (announced !== null && Number(announced) > limitBytes) throw tooLarge(limitBytes);
  if ((announced === null || raw.headers.has("transfer-encoding")) && raw.body !== null) {
    context.req.raw = toLimited(raw, raw.body, limitBytes);
  }
  installStrictJson(context);
}

/**
 * Decompresses a body that came as gzip, up to `limitBytes`; call it before the body is read. What is no gzip is then
 * `bad_request`. Throws AppError `unsupported_media_type` for another content coding.
 */
export function inflateBody(context: Context, limitBytes: number): void {
  const { raw } = context.req;
  const coding = raw.headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  if (coding === "identity" || raw.body === null) return;
  if (coding !== "gzip" && coding !== "x-gzip")
    throw new AppError("unsupported_media_type", "Send the body as it is or with Content-Encoding: gzip");
  const inflated = raw.body.pipeThrough(new DecompressionStream("gzip"));
  context.req.raw = toLimited(raw, inflated, limitBytes);
}

/** The fields of a URL-encoded body. @throws AppError `bad_request`, `too_large` */
export async function readFields(context: Context): Promise<URLSearchParams> {
  return new URLSearchParams(lenientUtf8.decode(await readBytes(context)));
}

/** The fields and files of a form, URL-encoded or multipart. @throws AppError `bad_request`, `too_large` */
export async function readFormBody(context: Context): Promise<Record<string, string | File>> {
  try {
    // Hono gives a list for names that end with "[]", whatever its types say: the last one counts, as for other names.
    const entries = Object.entries(await context.req.parseBody());
    return Object.fromEntries(entries.map(([name, value]) => [name, [value].flat().at(-1) ?? ""]));
  } catch (cause) {
    throw (
      findBodyFailure(context) ??
      new AppError("bad_request", "The request body is not a valid form", { cause })
    );
  }
}

/** The media type of a Content-Type field, in lower case and without its parameters; "" without one. */
export function toMediaType(contentType: string | undefined): string {
  return (contentType ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

/** The logout token that an auth center sends (OpenID Connect Back-Channel Logout 1.0 section 2.5). Throws `bad_request` for any other body. */
export async function readLogoutToken(context: Context): Promise<string> {
  const type = toMediaType(context.req.header("content-type"));
  const isForm = type === "application/x-www-form-urlencoded";
  const token = isForm ? (await readFields(context)).get("logout_token") : null;
  if (token !== null) return token;
  throw new AppError("bad_request", "The request body must be a form with the field logout_token");
}
