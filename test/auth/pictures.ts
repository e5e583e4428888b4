/** Pictures for tests: some from real encoders, and headers that say any size. */

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** 1 × 1 pixel, as encoders wrote it. */
export const realPng: Uint8Array<ArrayBuffer> = fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
);
export const realLossyWebp: Uint8Array<ArrayBuffer> = fromBase64(
  "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA",
);
export const realLosslessWebp: Uint8Array<ArrayBuffer> = fromBase64(
  "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==",
);

function bytesOf(...parts: readonly (string | readonly number[])[]): Uint8Array<ArrayBuffer> {
  const numbers = parts.flatMap((part) =>
    typeof part === "string" ? Array.from(part, (character) => character.charCodeAt(0)) : [...part],
  );
  return Uint8Array.from(numbers);
}

/** A number in `size` bytes, the high one first. */
function big(value: number, size: number): number[] {
  return Array.from({ length: size }, (_, i) => Math.floor(value / 256 ** (size - 1 - i)) % 256);
}

/** A number in `size` bytes, the low one first. */
function little(value: number, size: number): number[] {
  return big(value, size).reverse();
}

/** A chunk of a PNG with an invalid checksum, which is not checked. */
export function pngChunk(name: string, data: string | readonly number[] = ""): Uint8Array<ArrayBuffer> {
  return bytesOf(big(data.length, 4), name, data, big(0, 4));
}

/** A PNG with undecodable pixels; `data` makes pictures differ. */
export function png(width: number, height: number, data = ""): Uint8Array<ArrayBuffer> {
  return pngOf(width, height, pngChunk("IDAT", data));
}

/** A PNG with these chunks between its first and its last. */
export function pngOf(
  width: number,
  height: number,
  ...chunks: readonly Uint8Array[]
): Uint8Array<ArrayBuffer> {
  const header = pngChunk("IHDR", [...big(width, 4), ...big(height, 4), 8, 6, 0, 0, 0]);
  const parts = [header, ...chunks, pngChunk("IEND")].map((chunk) => [...chunk]);
  return bytesOf("\u0089PNG\r\n\u001a\n", ...parts);
}

/** A segment of a JPEG. */
export function jpegSegment(marker: number, ...data: readonly (string | readonly number[])[]): number[] {
  const bytes = bytesOf(...data);
  return [0xff, marker, ...big(bytes.length + 2, 2), ...bytes];
}

/** A JPEG whose frame header has the marker 0xc0 (baseline) or another, with `more` segments after its first. */
export function jpeg(
  width: number,
  height: number,
  marker = 0xc0,
  more: readonly number[] = [],
): Uint8Array<ArrayBuffer> {
  const jfif = jpegSegment(0xe0, "JFIF\0", [1, 1, 0, 0, 1, 0, 1, 0, 0]);
  // A table before the frame whose content looks like a frame header.
  const table = jpegSegment(0xdb, [0xff, 0xc0, 0, 17, 8, 0, 9, 0, 9, 3]);
  // A fill byte, which may come before any marker.
  const components = [1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0];
  const frame = [0xff, ...jpegSegment(marker, [8, ...big(height, 2), ...big(width, 2), 3, ...components])];
  // Coded data with a byte 0xff, a restart, and the end.
  const scan = [...jpegSegment(0xda, [1, 1, 0, 0, 63, 0]), 1, 0xff, 0, 2, 0xff, 0xd0, 3];
  return bytesOf([0xff, 0xd8], jfif, more, table, frame, scan, [0xff, 0xd9]);
}

/** A chunk of a WebP. */
export function webpChunk(name: string, data: string | readonly number[]): number[] {
  return [...bytesOf(name, little(data.length, 4), data, data.length % 2 === 1 ? [0] : [])];
}

/** A WebP of these chunks. */
export function webpOf(...chunks: readonly (readonly number[])[]): Uint8Array<ArrayBuffer> {
  const bytes = chunks.flat();
  return bytesOf("RIFF", little(bytes.length + 4, 4), "WEBP", bytes);
}

/** A WebP of one of its three kinds. */
export function webp(width: number, height: number, kind: "VP8 " | "VP8L" | "VP8X"): Uint8Array<ArrayBuffer> {
  const sizes = {
    "VP8 ": [0x30, 0x01, 0x00, 0x9d, 0x01, 0x2a, ...little(width, 2), ...little(height, 2)],
    VP8L: [0x2f, ...little((height - 1) * 0x4000 + width - 1, 4), 0, 0, 0, 0, 0],
    VP8X: [0x10, 0, 0, 0, ...little(width - 1, 3), ...little(height - 1, 3)],
  };
  const pixels = kind === "VP8X" ? webpChunk("VP8L", sizes.VP8L.slice(0, 1).concat([0, 0, 0, 0])) : [];
  return webpOf(webpChunk(kind, sizes[kind]), pixels);
}
