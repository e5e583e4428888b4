/** In place of `node:zlib`: what runs on threads runs at once, and the same text is compressed once a process. */
import * as real from "node:zlib";

type Callback = (error: Error | null, bytes: Buffer) => void;

const packed = new Map<string, Buffer>();

export function gzip(bytes: Uint8Array, ...rest: [Callback] | [real.ZlibOptions, Callback]): void {
  const [first, second] = rest;
  const callback = typeof first === "function" ? first : second;
  const options = typeof first === "function" ? undefined : first;
  const name = `${bytes.length} ${real.crc32(bytes)} ${options?.level ?? ""}`;
  const result = packed.get(name) ?? real.gzipSync(bytes, options);
  packed.set(name, result);
  queueMicrotask(() => callback?.(null, result));
}

export function gunzip(bytes: Uint8Array, callback: Callback): void {
  queueMicrotask(() => callback(null, real.gunzipSync(bytes)));
}
