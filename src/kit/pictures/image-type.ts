/**
 * The type of a picture, found from its bytes: PNG, JPEG or WebP with width and height. Only headers are read: a picture
 * that is cut off, moves, or has something behind its end is not noticed.
 */

export type ImageMediaType = "image/png" | "image/jpeg" | "image/webp";

/** The media types that a picture may have. */
export const imageMediaTypes: readonly ImageMediaType[] = ["image/png", "image/jpeg", "image/webp"];

export interface ImageInfo {
  readonly mediaType: ImageMediaType;
  /** Pixels as it is shown: a JPEG that is to be turned by a quarter has them swapped. */
  readonly width: number;
  readonly height: number;
}

function hasText(bytes: Uint8Array, offset: number, text: string): boolean {
  for (let i = 0; i < text.length; i += 1) {
    if (bytes[offset + i] !== text.charCodeAt(i)) return false;
  }
  return true;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** PNG, third edition, sections 5.2 and 11.2.1: the signature, then IHDR as the first chunk. */
function readPng(bytes: Uint8Array): ImageInfo | undefined {
  if (bytes.length < 33 || !hasText(bytes, 0, "\u0089PNG\r\n\u001a\n")) return undefined;
  const view = viewOf(bytes);
  if (view.getUint32(8) !== 13 || !hasText(bytes, 12, "IHDR")) return undefined;
  return { mediaType: "image/png", width: view.getUint32(16), height: view.getUint32(20) };
}

/** Start of frame: 0xc0 to 0xcf but for tables of Huffman codes, an extension, and arithmetic conditioning. */
function isStartOfFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Markers without a length: TEM, RST0 to RST7. */
function standsAlone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
}

/** Exif 3.0, section 4.6: the number of the tag that says how to turn the picture. */
export const ORIENTATION = 0x0112;

/**
 * How a picture is to be turned, 2 to 8, by the Exif segment from the marker at `at` to `end`; 1 (not at all) for what
 * cannot be read.
 */
export function readOrientation(from: DataView, at: number, end: number): number {
  const tiff = at + 10;
  if (end - at < 18) return 1;
  const order = from.getUint16(tiff);
  const little = order === 0x4949;
  if ((!little && order !== 0x4d4d) || from.getUint16(tiff + 2, little) !== 42) return 1;
  const list = tiff + from.getUint32(tiff + 4, little);
  if (list + 2 > end) return 1;
  const last = Math.min(end, list + 2 + 12 * from.getUint16(list, little));
  for (let entry = list + 2; entry + 12 <= last; entry += 12) {
    if (from.getUint16(entry, little) !== ORIENTATION) continue;
    const value = from.getUint16(entry + 8, little);
    return from.getUint16(entry + 2, little) === 3 && value >= 2 && value <= 8 ? value : 1;
  }
  return 1;
}

/** ITU-T T.81, annex B: segments until the frame header; each turn goes at least one byte on. */
function readJpeg(bytes: Uint8Array): ImageInfo | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8 || bytes[2] !== 0xff) return undefined;
  const view = viewOf(bytes);
  let at = 2;
  let orientation = 1;
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    // Any number of fill bytes may come before a marker.
    if (marker === 0xff) at += 1;
    else if (standsAlone(marker)) at += 2;
    else if (isStartOfFrame(marker)) {
      const [height, width] = [view.getUint16(at + 5), view.getUint16(at + 7)];
      const mediaType = "image/jpeg";
      return orientation < 5 ? { mediaType, width, height } : { mediaType, width: height, height: width };
    } else {
      const length = view.getUint16(at + 2);
      // The scan or the end before any frame, or a length that does not cover itself.
      if (marker === 0xda || marker === 0xd9 || marker === 0x00 || length < 2) return undefined;
      const end = at + 2 + length;
      // The first segment that turns the picture counts.
      if (marker === 0xe1 && orientation === 1 && end <= bytes.length && hasText(bytes, at + 4, "Exif\0\0"))
        orientation = readOrientation(view, at, end);
      at = end;
    }
  }
  return undefined;
}

/** RFC 9649 sections 2.5 to 2.7 (WebP), RFC 6386 section 9.1 (VP8): three kinds of first chunk. */
function readWebp(bytes: Uint8Array): ImageInfo | undefined {
  if (bytes.length < 30 || !hasText(bytes, 0, "RIFF") || !hasText(bytes, 8, "WEBP")) return undefined;
  const mediaType = "image/webp";
  const view = viewOf(bytes);
  if (hasText(bytes, 12, "VP8 ")) {
    const isKeyFrame = (view.getUint8(20) & 1) === 0;
    if (!isKeyFrame || !hasText(bytes, 23, "\u009d\u0001\u002a")) return undefined;
    return { mediaType, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  }
  if (hasText(bytes, 12, "VP8L")) {
    if (view.getUint8(20) !== 0x2f) return undefined;
    const bits = view.getUint32(21, true);
    return { mediaType, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (hasText(bytes, 12, "VP8X")) {
    const width = (view.getUint32(24, true) & 0xff_ffff) + 1;
    const height = view.getUint16(27, true) + view.getUint8(29) * 0x1_0000 + 1;
    return { mediaType, width, height };
  }
  return undefined;
}

/** The type of a picture, or undefined for others. Linear in the number of bytes, and never throws. */
export function readImageType(bytes: Uint8Array): ImageInfo | undefined {
  return readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes);
}
