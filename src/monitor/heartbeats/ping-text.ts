/** The text of a ping, cleaned for every store: programs print what they like. */

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function toEscape(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, "0")}`;
}

/** Bytes of the character that begins at `at`; 0 where none does. */
function measureCharacter(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  const length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 0;
  if (length <= 1) return lead === 0 ? 0 : length;
  try {
    utf8.decode(bytes.subarray(at, at + length));
    return at + length <= bytes.length ? length : 0;
  } catch {
    return 0;
  }
}

function isPlain(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false;
  try {
    utf8.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** As many bytes as are whole characters: a cut may have gone through one. */
function cutCharacter(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const lead = bytes[bytes.length - back] ?? 0;
    if (lead < 0x80) break;
    if (lead < 0xc0) continue;
    const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

/**
 * The text of a body of which `isCut` says whether more came; bytes that are no UTF-8, and U+0000, become "\xff".
 * Not longer than `maxBytes` of UTF-8.
 */
export function toPingText(
  body: Uint8Array,
  { isCut, maxBytes }: { isCut: boolean; maxBytes: number },
): { text: string; isCut: boolean } {
  const isLong = body.length > maxBytes;
  const bytes = isCut || isLong ? cutCharacter(body.subarray(0, maxBytes)) : body;
  if (isPlain(bytes)) return { text: utf8.decode(bytes), isCut: isCut || isLong };
  let text = "";
  let used = 0;
  for (let at = 0; at < bytes.length;) {
    const length = measureCharacter(bytes, at);
    const part = length === 0 ? toEscape(bytes[at] ?? 0) : utf8.decode(bytes.subarray(at, at + length));
    used += length === 0 ? part.length : length;
    if (used > maxBytes) return { text, isCut: true };
    text += part;
    at += Math.max(1, length);
  }
  return { text, isCut: isCut || isLong };
}
