/** Unpacks the content codings of HTTP answers (RFC 9110 section 8.4.1), up to a bound. */
import { Buffer } from "node:buffer";
import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";

/** As many as curl follows. */
const MAX_CODINGS = 5;
/** Past the first MiB, a larger ratio of output to input is a bomb and no page. DEFLATE itself ends at 1,032. */
const MAX_RATIO = 2_000;
const RATIO_FREE_BYTES = 1_048_576;

export interface Unpacked {
  readonly bytes: Buffer;
  /** Why `bytes` is not all that was packed: one sentence without a full stop; undefined: it is. */
  readonly problem: string | undefined;
}

interface Bounds {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

type Decoder = (bytes: Buffer, bounds: Bounds) => Promise<Unpacked>;

/** Runs a stream of zlib off the event loop; keeps what came out before an error. */
function unpackBy(create: (bytes: Buffer) => Transform): Decoder {
  return (bytes, { maxBytes, signal }) =>
    new Promise((resolve) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const stream = create(bytes);
      const finish = (problem: string | undefined): void => {
        signal.removeEventListener("abort", stop);
        stream.destroy();
        resolve({ bytes: Buffer.concat(chunks).subarray(0, maxBytes), problem });
      };
      const stop = (): void => finish("The response could not be decompressed in time");
      signal.addEventListener("abort", stop, { once: true });
      stream.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.byteLength;
        if (size > RATIO_FREE_BYTES && size > MAX_RATIO * bytes.byteLength)
          finish(`The response decompresses to more than ${MAX_RATIO} times its size`);
        else if (size > maxBytes) finish(tooLong(maxBytes));
      });
      stream.on("end", () => finish(undefined));
      stream.on("error", () => finish("The response cannot be decompressed: its data is damaged"));
      stream.end(bytes);
    });
}

/** "deflate" is zlib by the standard; servers that send it raw are as old as the standard, and browsers take both. */
function createDeflateReader(bytes: Buffer): Transform {
  const [method = 0, flags = 0] = bytes;
  const isZlib = (method & 0x0f) === 8 && (method * 256 + flags) % 31 === 0;
  return isZlib ? createInflate() : createInflateRaw();
}

/**
 * libzstd as WebAssembly: Node 20 has no zstd. It unpacks into one buffer of the maximum size, so it neither
 * follows a bomb nor reserves the window that a frame requests; it returns nothing of a longer response.
 */
const unpackZstd: Decoder = async (bytes, { maxBytes }) => {
  const { ZSTDDecoder } = await import("zstddec");
  const decoder = new ZSTDDecoder();
  await decoder.init();
  const unpacked = Buffer.from(decoder.decode(bytes, maxBytes + 1));
  // It gives an empty array for an error.
  const problem =
    unpacked.byteLength === 0
      ? `The response cannot be decompressed: it is longer than ${showBytes(maxBytes)}, or its compressed data is damaged`
      : undefined;
  return unpacked.byteLength > maxBytes
    ? { bytes: unpacked.subarray(0, maxBytes), problem: tooLong(maxBytes) }
    : { bytes: unpacked, problem };
};

const unpackGzip = unpackBy(() => createGunzip());

const decoders: ReadonlyMap<string, Decoder> = new Map([
  ["gzip", unpackGzip],
  ["x-gzip", unpackGzip],
  ["deflate", unpackBy(createDeflateReader)],
  ["br", unpackBy(() => createBrotliDecompress())],
  ["zstd", unpackZstd],
]);

/** "1 MiB", "64 KiB". */
export function showBytes(bytes: number): string {
  return bytes >= 1_048_576 ? `${bytes / 1_048_576} MiB` : `${bytes / 1_024} KiB`;
}

/** The error for a response that was cut off at the limit. */
export function tooLong(maxBytes: number): string {
  return `The response is longer than ${showBytes(maxBytes)}`;
}

/** For text in an unknown encoding. ESC is part of Japanese text. */
const NO_TEXT = /[^\t\n\v\f\r\u001b -\u{10ffff}]/u;

const plain = new Set(["", "identity", "none"]);

/** Names that say that nothing is packed; some servers put a character set there. */
function isPlain(name: string): boolean {
  if (plain.has(name)) return true;
  try {
    return new TextDecoder(name).encoding !== "";
  } catch {
    return false;
  }
}

/** Unpacks what a server sent under a `Content-Encoding`, its outermost coding first. Never rejects. */
export async function unpack(sent: Buffer, contentEncoding: string, bounds: Bounds): Promise<Unpacked> {
  const names = contentEncoding
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => !isPlain(name))
    .toReversed();
  if (names.length > MAX_CODINGS)
    return { bytes: Buffer.alloc(0), problem: `The response is compressed more than ${MAX_CODINGS} times` };
  let unpacked: Unpacked = { bytes: sent, problem: undefined };
  for (const name of names) {
    const { bytes, problem } = unpacked;
    if (bytes.byteLength === 0) break;
    const next = await decode(bytes, name, bounds);
    unpacked = { bytes: next.bytes, problem: problem ?? next.problem };
  }
  return unpacked;
}

async function decode(bytes: Buffer, name: string, bounds: Bounds): Promise<Unpacked> {
  const decoder = decoders.get(name);
  try {
    if (decoder !== undefined) return await decoder(bytes, bounds);
  } catch {
    return { bytes: Buffer.alloc(0), problem: `The response cannot be decompressed here (${name})` };
  }
  const isText = !NO_TEXT.test(bytes.subarray(0, 1_024).toString("latin1"));
  const problem = isText ? undefined : `The response has an unknown content encoding (${name.slice(0, 20)})`;
  return { bytes, problem };
}
