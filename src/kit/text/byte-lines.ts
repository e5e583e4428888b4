/** Lines of a text as bytes, so that each is decoded by itself. */

const LF = 0x0a;

/** The lines that have something in them, with their numbers from 1. */
export function* splitLines(bytes: Uint8Array): Generator<{ number: number; line: Uint8Array }> {
  let number = 0;
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(LF, start);
    const end = found === -1 ? bytes.length : found;
    const line = bytes.subarray(start, end);
    number += 1;
    // Spaces and a carriage return alone are no line.
    if (line.some((byte) => byte > 0x20)) yield { number, line };
    start = end + 1;
  }
}
