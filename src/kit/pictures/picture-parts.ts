/**
 * Reduces PNG, JPEG and WebP to the parts that make the picture: removes GPS positions, names, comments, and
 * all bytes after its end. The orientation of a JPEG stays, since without it the picture would lie on its
 * side.
 */
import {
  type ImageInfo,
  type ImageMediaType,
  ORIENTATION,
  readImageType,
  readOrientation,
} from "./image-type.ts";

export interface CutPicture extends ImageInfo {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

function createCopy(bytes: Uint8Array) {
  // The new bytes are shorter than those they replace, except for the byte that pads a last chunk of WebP.
  const out = new Uint8Array(bytes.length + 1);
  let size = 0;
  return {
    from: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    end: bytes.length,
    take: (start: number, end: number): boolean => {
      if (end > bytes.length) return false;
      out.set(bytes.subarray(start, end), size);
      size += end - start;
      return true;
    },
    write: (...values: readonly number[]): void => {
      out.set(values, size);
      size += values.length;
    },
    size: (): number => size,
    /** Sets a number of four bytes, the low one first, where something was copied to already. */
    patch: (at: number, value: number): void => {
      new DataView(out.buffer).setUint32(at, value, true);
    },
    finish: (): Uint8Array<ArrayBuffer> => out.slice(0, size),
  };
}

/** Reads one buffer and copies parts of it to another; `take` answers false for what reaches behind `end`. */
type Copy = ReturnType<typeof createCopy>;

/** Latin letters at a place; shorter when the bytes end. */
function textAt({ from, end }: Copy, at: number, length: number): string {
  let text = "";
  for (let i = at; i < Math.min(at + length, end); i += 1) text += String.fromCharCode(from.getUint8(i));
  return text;
}

const PNG_KEPT: ReadonlySet<string> = new Set(
  "IHDR PLTE tRNS IDAT gAMA cHRM sRGB iCCP pHYs acTL fcTL fdAT".split(" "),
);

/** PNG, third edition, section 5.3: chunks of a length, a name, data and a checksum, up to IEND. */
function cutPng(copy: Copy): boolean {
  copy.take(0, 8);
  let hasData = false;
  for (let at = 8; at + 12 <= copy.end;) {
    const next = at + 12 + copy.from.getUint32(at);
    const name = textAt(copy, at + 4, 4);
    if (name === "IEND") return hasData && next === at + 12 && copy.take(at, next);
    if (next > copy.end) return false;
    if (PNG_KEPT.has(name)) copy.take(at, next);
    hasData ||= name === "IDAT";
    at = next;
  }
  return false;
}

/** Bytes of an APP1 segment with the orientation alone, marker included. */
const LEAST_EXIF = 36;

function writeOrientation(copy: Copy, value: number): void {
  copy.write(0xff, 0xe1, 0, LEAST_EXIF - 2, 0x45, 0x78, 0x69, 0x66, 0, 0);
  // The byte order, 42, the place of the list; one entry: tag, type SHORT, count 1, value; no further list.
  copy.write(0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1);
  copy.write(ORIENTATION >> 8, ORIENTATION & 0xff, 0, 3, 0, 0, 0, 1, 0, value, 0, 0, 0, 0, 0, 0);
}

/** Tables and headers that decoders need (ITU-T T.81, table B.1); SOF, APP and SOS are looked at by themselves. */
const JPEG_TABLES: ReadonlySet<number> = new Set([0xc4, 0xcc, 0xdb, 0xdd]);

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Copies what of an APP segment belongs to the picture. Answers whether it said how to turn it. */
function cutApp(copy: Copy, { at, end, isTurned }: { at: number; end: number; isTurned: boolean }): boolean {
  const marker = copy.from.getUint8(at + 1);
  const name = textAt(copy, at + 4, Math.min(12, end - at - 4));
  if (marker === 0xe0 && name.startsWith("JFIF\0") && end - at >= 18) {
    // Without the small picture that it may hold: that can show what was cut off from the large one.
    copy.write(0xff, 0xe0, 0, 16);
    copy.take(at + 4, at + 16);
    copy.write(0, 0);
  }
  if ((marker === 0xe2 && name === "ICC_PROFILE\0") || (marker === 0xee && name.startsWith("Adobe")))
    copy.take(at, end);
  if (marker !== 0xe1 || isTurned || !name.startsWith("Exif\0\0")) return isTurned;
  const orientation = readOrientation(copy.from, at, end);
  if (orientation !== 1) writeOrientation(copy, orientation);
  return orientation !== 1;
}

/** Where the coded data that begins at `at` ends: at the next marker that is no restart. */
function findScanEnd({ from, end }: Copy, at: number): number {
  for (let i = at; i + 1 < end; i += 1) {
    if (from.getUint8(i) !== 0xff) continue;
    const next = from.getUint8(i + 1);
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return i;
  }
  return end;
}

/** ITU-T T.81, annex B: segments up to the end of the image. */
function cutJpeg(copy: Copy): boolean {
  copy.take(0, 2);
  let [frames, scans, isTurned] = [0, 0, false];
  for (let at = 2; at + 2 <= copy.end;) {
    const marker = copy.from.getUint8(at + 1);
    if (copy.from.getUint8(at) !== 0xff || marker === 0 || marker === 0xd8) return false;
    if (marker === 0xd9) return scans > 0 && copy.take(at, at + 2);
    // Fill bytes, and markers without a length.
    const isBare = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
    if (marker === 0xff || isBare) {
      at += isBare ? 2 : 1;
      continue;
    }
    if (at + 4 > copy.end) return false;
    const length = copy.from.getUint16(at + 2);
    let end = at + 2 + length;
    if (length < 2 || end > copy.end) return false;
    if (isFrame(marker)) frames += 1;
    if (marker === 0xda) {
      scans += 1;
      end = findScanEnd(copy, end);
    }
    // The size of a second frame would be unchecked.
    if (frames > 1 || (scans > 0 && frames === 0)) return false;
    if (JPEG_TABLES.has(marker) || isFrame(marker) || marker === 0xda) copy.take(at, end);
    else isTurned = cutApp(copy, { at, end, isTurned });
    at = end;
  }
  return false;
}

const FRAME_KEPT: ReadonlySet<string> = new Set(["ALPH", "VP8 ", "VP8L"]);
const WEBP_KEPT: ReadonlySet<string> = new Set(["ICCP", "ANIM", "ANMF", ...FRAME_KEPT]);
/** Bytes that an ANMF chunk has before the chunks of its frame. */
const FRAME_HEADER = 16;
/** RFC 9649 section 2.7.1: what the flags of VP8X say of EXIF and XMP. */
const METADATA_FLAGS = 0x0c;

/** Copies the chunks with these names; false when they do not fit. */
function cutChunks(
  copy: Copy,
  { start, end, kept }: { start: number; end: number; kept: ReadonlySet<string> },
): boolean {
  for (let at = start; at < end;) {
    if (at + 8 > end) return false;
    const size = copy.from.getUint32(at + 4, true);
    const next = at + 8 + size;
    if (next > end) return false;
    const name = textAt(copy, at, 4);
    if (kept.has(name)) {
      const place = copy.size();
      if (name === "ANMF") {
        if (size < FRAME_HEADER) return false;
        const inner = at + 8 + FRAME_HEADER;
        copy.take(at, inner);
        if (!cutChunks(copy, { start: inner, end: next, kept: FRAME_KEPT })) return false;
        copy.patch(place + 4, copy.size() - place - 8);
      } else copy.take(at, next);
      if (copy.size() % 2 === 1) copy.write(0);
    }
    at = next + (size % 2);
  }
  return true;
}

/** RFC 9649 sections 2.3 to 2.7: one chunk, or VP8X and then chunks. */
function cutWebp(copy: Copy): boolean {
  const end = 8 + copy.from.getUint32(4, true);
  if (end > copy.end) return false;
  copy.take(0, 12);
  const size = copy.from.getUint32(16, true);
  const first = 20 + size;
  if (textAt(copy, 12, 4) === "VP8X") {
    if (size !== 10) return false;
    copy.take(12, 20);
    copy.write(copy.from.getUint8(20) & ~METADATA_FLAGS);
    copy.take(21, first);
    const before = copy.size();
    if (!cutChunks(copy, { start: first, end, kept: WEBP_KEPT }) || copy.size() === before) return false;
  } else if (!cutChunks(copy, { start: 12, end: Math.min(end, first), kept: FRAME_KEPT }) || first > end)
    return false;
  copy.patch(4, copy.size() - 8);
  return true;
}

const cutters: Record<ImageMediaType, (copy: Copy) => boolean> = {
  "image/png": cutPng,
  "image/jpeg": cutJpeg,
  "image/webp": cutWebp,
};

/**
 * The picture with its own parts alone, and what it is; undefined when it is no PNG, JPEG or WebP, or its parts
 * do not fit together. Linear in the number of bytes; a picture that was cut stays the same when it is cut again.
 */
export function cutPicture(bytes: Uint8Array): CutPicture | undefined {
  const given = readImageType(bytes);
  if (given === undefined) return undefined;
  const copy = createCopy(bytes);
  if (!cutters[given.mediaType](copy)) return undefined;
  const kept = copy.finish();
  const image = readImageType(kept);
  return image === undefined ? undefined : { ...image, bytes: kept };
}
