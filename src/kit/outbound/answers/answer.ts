/** HTTP answers as they are read: the body unpacked and decoded up to a bound, whatever the HTTP version. */
import { Buffer } from "node:buffer";
import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { decodeText } from "./charset.ts";
import { tooLong, unpack } from "./codings.ts";

/** Bytes of a body to read by default; the rest is cut off with the connection. */
const MAX_ANSWER_BYTES = 65_536;

export interface Answer {
  readonly status: number;
  /** Text next to the status; anything the receiver likes, in HTTP/2 the usual one. */
  readonly statusText: string;
  /** "1.1" or "2"; "1.0" of old servers. */
  readonly httpVersion: string;
  /** Why HTTP/1.1 was used although the server offered HTTP/2. */
  readonly http2Fault?: string | undefined;
  /** As the answer says it. */
  readonly location: string | undefined;
  readonly retryAfter: string | undefined;
  readonly contentType: string | undefined;
  /** The body as text, unpacked and decoded, up to the bound. */
  readonly text: string;
  /** Only with `wantsBytes`; `text` is empty then. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  /** Where reading ended: at the end, at the bound, or because the connection did. */
  readonly ending: "whole" | "long" | "broken";
  /** Why `text` is not the whole body: one sentence without a full stop; undefined: it is. */
  readonly unread: string | undefined;
  /** False when letters of `text` beyond ASCII may be others than those that were meant. */
  readonly isCertain: boolean;
  readonly setCookies: readonly string[];
  readonly headers: Headers;
}

/** What comes before the body. */
export type AnswerHead = Pick<Answer, "status" | "statusText" | "httpVersion"> & {
  readonly fields: IncomingHttpHeaders;
};

interface Reading {
  /** Default 64 KiB. */
  readonly maxBodyBytes?: number | undefined;
  /** Whether the answer has the body as bytes and not as text. */
  readonly wantsBytes?: boolean | undefined;
  readonly signal: AbortSignal;
  /** Whether the end of the body is one: a reset stream of HTTP/2 ends as well. Default: it is. */
  readonly isWhole?: (() => boolean) | undefined;
}

interface ReadBody {
  readonly bytes: Buffer;
  readonly ending: Answer["ending"];
}

/** Resolves with what was read when the body ends, is too long, breaks off, or its time is over. */
function readBody(
  body: Readable,
  { maxBytes, isWhole }: Pick<Reading, "isWhole"> & { maxBytes: number },
): Promise<ReadBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (ending: Answer["ending"]): void =>
      resolve({ bytes: Buffer.concat(chunks).subarray(0, maxBytes), ending });
    body.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size <= maxBytes) return;
      end("long");
      chunks.length = 0;
      body.destroy();
    });
    body.on("end", () => end(isWhole === undefined || isWhole() ? "whole" : "broken"));
    body.on("close", () => end("broken"));
    body.on("error", () => end("broken"));
  });
}

/** Headers that `Headers` rejects are left out. */
function toHeaders(fields: IncomingHttpHeaders): Headers {
  const all = new Headers();
  for (const [name, value] of Object.entries(fields)) {
    if (name.startsWith(":")) continue;
    try {
      all.set(name, Array.isArray(value) ? value.join(", ") : (value ?? ""));
    } catch {
      // Such as a value with control characters.
    }
  }
  return all;
}

/** Never rejects: `ending` says that a body broke off. */
export async function readAnswer(
  body: Readable,
  { fields, ...head }: AnswerHead,
  { maxBodyBytes: maxBytes = MAX_ANSWER_BYTES, wantsBytes = false, signal, isWhole }: Reading,
): Promise<Answer> {
  const { bytes, ending } = await readBody(body, { maxBytes, isWhole });
  const unpacked = await unpack(bytes, fields["content-encoding"] ?? "", { maxBytes, signal });
  const contentType = fields["content-type"];
  return {
    ...head,
    location: fields.location,
    retryAfter: fields["retry-after"],
    contentType,
    ...decodeText(wantsBytes ? Buffer.alloc(0) : unpacked.bytes, contentType),
    ...(wantsBytes ? { bytes: new Uint8Array(unpacked.bytes) } : {}),
    ending,
    unread: ending === "long" ? tooLong(maxBytes) : unpacked.problem,
    setCookies: fields["set-cookie"] ?? [],
    headers: toHeaders(fields),
  };
}
