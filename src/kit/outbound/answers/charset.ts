/** Reads the text of HTTP answers in the character set in which it was written. */

/** Where HTML says its character set (WHATWG HTML, section 13.2.3.2). */
const PRESCAN_BYTES = 1_024;

export interface DecodedText {
  readonly text: string;
  /** False when letters beyond ASCII may be others than those that were meant. */
  readonly isCertain: boolean;
}

function findMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xff && second === 0xfe ? "utf-16le" : undefined;
}

/** UTF-16 without a mark: the first two characters of a page or of JSON are ASCII. */
function guessUtf16([first = 0, second = 0, third = 0, fourth = 0]: Uint8Array): string | undefined {
  if (first !== 0 && second === 0 && third !== 0 && fourth === 0) return "utf-16le";
  return first === 0 && second !== 0 && third === 0 && fourth !== 0 ? "utf-16be" : undefined;
}

function findInType(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s;",]+)/iu.exec(contentType)?.[1];
}

/** Of `<meta charset>`, `<meta http-equiv content>` and `<?xml encoding?>`. */
function findInPage(bytes: Uint8Array): string | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, PRESCAN_BYTES));
  const [, inMeta, inXml] =
    /<meta\s[^<>]*?charset\s*=[\s"']*([^\s"'/<>;]+)|<\?xml\s[^<>]*?encoding\s*=\s*["']([^"'<>]+)/iu.exec(
      head,
    ) ?? [];
  const found = inMeta ?? inXml;
  // A page whose ASCII could be read is in no UTF-16, whatever it says.
  return found === undefined || /^utf-?16/iu.test(found) ? undefined : found;
}

/** Undefined for an unknown name, and for bytes that are not text of that charset. */
function tryDecode(bytes: Uint8Array, charset: string): string | undefined {
  try {
    // `stream`: what was read may end within a character.
    return new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

/** Reads bytes by their byte order mark, by the header, by what the page says of itself, or as UTF-8. */
export function decodeText(bytes: Uint8Array, contentType: string | undefined): DecodedText {
  const said = [
    findMark(bytes) ?? guessUtf16(bytes),
    findInType(contentType ?? ""),
    findInPage(bytes),
    "utf-8",
  ];
  for (const charset of said) {
    const text = charset === undefined ? undefined : tryDecode(bytes, charset);
    if (text !== undefined) return { text, isCertain: true };
  }
  return { text: new TextDecoder().decode(bytes), isCertain: false };
}
