/** Frames: marker, varint length, CRC-32 of the payload, payload. */
import { Buffer } from "node:buffer";
import { setImmediate as nextTurn } from "node:timers/promises";
import { crc32 } from "node:zlib";

const MARKER = 0xa7;
/** How long frames are handed out without letting others run. */
const SLICE_MS = 15;
const FRAMES_BETWEEN_LOOKS = 128;

/**
 * Puts a payload into a frame from the pool of buffers: allocating one per report costs more than its bytes.
 */
export function sealFrame(payload: Uint8Array): Uint8Array<ArrayBuffer> {
  const size = payload.length;
  const lengthBytes = size < 0x80 ? 1 : size < 0x4000 ? 2 : size < 0x20_0000 ? 3 : 4;
  const frame = Buffer.allocUnsafe(5 + lengthBytes + size);
  frame[0] = MARKER;
  for (let index = 0, rest = size; index < lengthBytes; index += 1, rest >>>= 7) {
    frame[1 + index] = (rest & 0x7f) | (index < lengthBytes - 1 ? 0x80 : 0);
  }
  const crc = crc32(payload);
  for (let index = 0; index < 4; index += 1) frame[1 + lengthBytes + index] = (crc >>> (8 * index)) & 0xff;
  frame.set(payload, 5 + lengthBytes);
  return frame;
}

interface Found {
  readonly payload: Uint8Array;
  readonly next: number;
}

/** The frame at `start`, or "short" when `buffer` ends within it, or "bad". */
function readFrame(buffer: Uint8Array, start: number, maxPayloadBytes: number): Found | "short" | "bad" {
  if (start >= buffer.length) return "short";
  if (buffer[start] !== MARKER) return "bad";
  let size = 0;
  let offset = start + 1;
  for (let shift = 0; ; shift += 7) {
    const part = buffer[offset];
    if (part === undefined) return "short";
    offset += 1;
    size |= (part & 0x7f) << shift;
    if (part < 0x80) break;
    if (shift === 21) return "bad";
  }
  // An empty payload has a CRC of 0: a marker with sectors of zeros behind it must not pass for a frame.
  if (size === 0 || size > maxPayloadBytes) return "bad";
  const next = offset + 4 + size;
  if (next > buffer.length) return "short";
  const payload = buffer.subarray(offset + 4, next);
  let crc = 0;
  for (let index = 3; index >= 0; index -= 1) crc = crc * 256 + (buffer[offset + index] ?? 0);
  return crc === crc32(payload) ? { payload, next } : "bad";
}

/** The payload of bytes that are one whole frame; undefined when they are not. */
export function openFrame(bytes: Uint8Array): Uint8Array | undefined {
  const found = readFrame(bytes, 0, bytes.length);
  return typeof found === "object" && found.next === bytes.length ? found.payload : undefined;
}

/** Reads frames and compares them, a chunk at a time: each step gives the chunk's bytes, the end how much was sound. */
export async function* verifyFrames(
  chunks: AsyncIterable<Uint8Array>,
  maxPayloadBytes: number,
): AsyncGenerator<number, number> {
  let rest: Uint8Array = new Uint8Array(0);
  let goodBytes = 0;
  for await (const chunk of chunks) {
    rest = join(rest, chunk);
    let position = 0;
    for (;;) {
      const found = readFrame(rest, position, maxPayloadBytes);
      if (found === "bad") return goodBytes;
      if (found === "short") break;
      goodBytes += found.next - position;
      position = found.next;
    }
    rest = rest.subarray(position);
    yield chunk.length;
  }
  return goodBytes;
}

export interface ReadFramesOptions {
  readonly maxPayloadBytes: number;
  /** A frame of the unbroken start of the file; the payload is valid during the call. */
  readonly onFrame: (payload: Uint8Array, offset: number) => void;
  /** A sound frame behind damage. */
  readonly onStray?: (payload: Uint8Array, offset: number) => void;
}

export interface FramesRead {
  /** Where the unbroken start ends. */
  readonly goodBytes: number;
  readonly totalBytes: number;
}

function join(left: Uint8Array, right: Uint8Array): Uint8Array {
  if (left.length === 0) return right;
  const whole = new Uint8Array(left.length + right.length);
  whole.set(left);
  whole.set(right, left.length);
  return whole;
}

/** Reads all frames of a file, in slices of time, so that others run in between. */
export async function readFrames(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadFramesOptions,
): Promise<FramesRead> {
  let rest: Uint8Array = new Uint8Array(0);
  let restOffset = 0;
  let goodBytes: number | undefined;

  /** Handles what is whole in `rest`; false when the slice ended before. */
  function scan(atEnd: boolean): boolean {
    const sliceEnd = performance.now() + SLICE_MS;
    let position = 0;
    let isDone = true;
    for (let count = 1; position < rest.length; count += 1) {
      if (count % FRAMES_BETWEEN_LOOKS === 0 && performance.now() > sliceEnd) {
        isDone = false;
        break;
      }
      const found = readFrame(rest, position, options.maxPayloadBytes);
      if (found === "short" && !atEnd) break;
      const offset = restOffset + position;
      if (typeof found === "string") {
        // From the first damage on, every byte may be where sound frames begin again.
        goodBytes ??= offset;
        const next = rest.indexOf(MARKER, position + 1);
        position = next === -1 ? rest.length : next;
        continue;
      }
      if (goodBytes === undefined) options.onFrame(found.payload, offset);
      else options.onStray?.(found.payload, offset);
      position = found.next;
    }
    rest = rest.subarray(position);
    restOffset += position;
    return isDone;
  }

  async function scanAll(atEnd: boolean): Promise<void> {
    while (!scan(atEnd)) await nextTurn();
  }

  for await (const chunk of chunks) {
    rest = join(rest, chunk);
    await scanAll(false);
  }
  await scanAll(true);
  return { goodBytes: goodBytes ?? restOffset, totalBytes: restOffset };
}
