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

/** The first chunk of a PNG, and `tail` behind it to tell pictures apart. */
export function png(width: number, height: number, tail = ""): Uint8Array<ArrayBuffer> {
  const header = [...big(width, 4), ...big(height, 4), 8, 6, 0, 0, 0];
  return bytesOf("\u0089PNG\r\n\u001a\n", big(13, 4), "IHDR", header, big(0, 4), tail);
}

/** A JPEG up to its frame header, whose marker is 0xc0 (baseline) or another. */
export function jpeg(width: number, height: number, marker = 0xc0): Uint8Array<ArrayBuffer> {
  const jfif = [
    0xff,
    0xe0,
    ...big(16, 2),
    ...Array.from("JFIF\0", (c) => c.charCodeAt(0)),
    1,
    1,
    0,
    0,
    1,
    0,
    1,
    0,
    0,
  ];
  // A table before the frame whose content looks like a frame header.
  const table = [0xff, 0xdb, ...big(12, 2), 0xff, 0xc0, 0, 17, 8, 0, 9, 0, 9, 3];
  // A fill byte, which may come before any marker.
  const frame = [0xff, 0xff, marker, ...big(17, 2), 8, ...big(height, 2), ...big(width, 2), 3, 1, 0x22, 0];
  return bytesOf([0xff, 0xd8], jfif, table, frame);
}

/** The first chunk of a WebP of one of its three kinds. */
export function webp(width: number, height: number, kind: "VP8 " | "VP8L" | "VP8X"): Uint8Array<ArrayBuffer> {
  const sizes = {
    "VP8 ": [0x30, 0x01, 0x00, 0x9d, 0x01, 0x2a, ...little(width, 2), ...little(height, 2)],
    VP8L: [0x2f, ...little((height - 1) * 0x4000 + width - 1, 4), 0, 0, 0, 0, 0],
    VP8X: [0x10, 0, 0, 0, ...little(width - 1, 3), ...little(height - 1, 3)],
  };
  return bytesOf("RIFF", little(22, 4), "WEBP", kind, little(10, 4), sizes[kind]);
}
