/** The text of a file that a spreadsheet or an editor saved, in whatever encoding it used. */
import { AppError } from "../errors.ts";

/** Encodings that a sender can name; without a name, the first four and GBK are recognized. */
export const encodings = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "windows-1252",
  "windows-1250",
  "windows-1251",
  "macintosh",
  "gb18030",
  "big5",
  "shift_jis",
] as const;
export type Encoding = (typeof encodings)[number];

export interface DecodedText {
  readonly text: string;
  readonly encoding: Encoding;
}

const HOW_TO_SAVE = 'Save the file as "CSV UTF-8", or specify its encoding';
const UNCERTAIN = { reason: "encoding" } as const;
const ENOUGH_WORDS = 5_000;

/** First bytes of files that are no text, and what they are. */
const otherKinds: readonly (readonly [start: string, kind: string])[] = [
  ["PK\u0003\u0004", "a workbook or an archive"],
  ["\u00d0\u00cf\u0011\u00e0", "an Excel workbook"],
  ["%PDF", "a PDF"],
  ["\u001f\u008b", "a compressed file"],
];

/** Bytes 0x80 to 0x9f of Windows-1252; an unassigned one is the control character of that number. */
const WESTERN = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/** Some releases of Node take this label for Latin-1. */
function decodeWestern(bytes: Uint8Array): string {
  return new TextDecoder("iso-8859-1")
    .decode(bytes)
    .replaceAll(/[\u0080-\u009f]/gu, (letter) => WESTERN.charAt(letter.charCodeAt(0) - 0x80));
}

function tryDecode(bytes: Uint8Array, encoding: Encoding): string | undefined {
  if (encoding === "windows-1252") return decodeWestern(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function findByteOrderMark(bytes: Uint8Array): Encoding | undefined {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xef && second === 0xbb && third === 0xbf ? "utf-8" : undefined;
}

/** UTF-16 without a mark has its zero bytes on one side: the upper half of every separator and line end. */
function guessUtf16(bytes: Uint8Array): Encoding | undefined {
  const zeros = [0, 0];
  for (const [at, byte] of bytes.subarray(0, 65_536).entries())
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (odd > 0 && even <= odd / 20) return "utf-16le";
  return even > 0 && odd <= even / 20 ? "utf-16be" : undefined;
}

/** Whether all bytes above ASCII come as pairs that the common Chinese characters and punctuation of GB 2312 have. */
function isChinese(bytes: Uint8Array): boolean {
  let common = 0;
  let pairs = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const first = bytes[at] ?? 0;
    if (first < 0x80) continue;
    const second = bytes[at + 1] ?? 0;
    if (first < 0xa1 || second < 0xa1) return false;
    pairs += 1;
    if (first <= 0xa3 || (first >= 0xb0 && first <= 0xd7)) common += 1;
    at += 1;
  }
  return pairs > 1 && common / pairs > 0.9;
}

/** Only a wrong encoding has these between two lowercase letters, as in "Gr\u009a§e" and "m\u00b3ody". */
const STRANGE = /[a-zß-ÿœšž][¹³¿¡£¤¥¦§¨©¬®¯°±´¶¸¼½¾¢‚„†‡ˆ‰‹›˜Ÿ”“](?=[a-zß-ÿœšž])/gu;
const CONTROLS = /[\u0080-\u009f]/u;

/** Whether a text reads like one of Western Europe: single letters with accents among plain ones. */
function isWestern(text: string): boolean {
  if (CONTROLS.test(text)) return false;
  let accented = 0;
  let strange = 0;
  for (const [word] of text.matchAll(/[\p{L}\u0080-\uffff]+/gu)) {
    if (!/[^\u0000-\u007f]/u.test(word)) continue;
    accented += 1;
    if (/[À-ÖØ-öø-ÿ]{3}/u.test(word)) strange += 1;
    if (accented > ENOUGH_WORDS) break;
  }
  for (const _match of text.matchAll(STRANGE)) strange += 1;
  return strange <= accented / 10;
}

/** Whether a text that is not UTF-8 has letters of UTF-8 in it: someone cut it, or joined two files. */
function isBrokenUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes);
  const letters = text.match(/[\u0080-\ufffc\u{10000}-\u{10ffff}]/gu)?.length ?? 0;
  return letters > (text.match(/\ufffd/gu)?.length ?? 0);
}

function findEncoding(bytes: Uint8Array): DecodedText | undefined {
  const marked = findByteOrderMark(bytes) ?? (bytes.includes(0) ? guessUtf16(bytes) : undefined);
  const first = marked ?? "utf-8";
  const text = tryDecode(bytes, first);
  if (text !== undefined) return { text, encoding: first };
  if (marked !== undefined || bytes.includes(0)) return undefined;
  if (isBrokenUtf8(bytes))
    throw new AppError("bad_request", `Parts of the file are not valid UTF-8. ${HOW_TO_SAVE}`, {
      details: { reason: "mixed" },
    });
  const chinese = isChinese(bytes) ? tryDecode(bytes, "gb18030") : undefined;
  if (chinese !== undefined) return { text: chinese, encoding: "gb18030" };
  const western = decodeWestern(bytes);
  return isWestern(western) ? { text: western, encoding: "windows-1252" } : undefined;
}

const SURVEY_BYTES = 524_288;
const HEAD_BYTES = 65_536;

/** The first bytes, and lines with bytes above ASCII up to a bound: what tells encodings apart. */
async function sampleOf(source: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const sample = new Uint8Array(SURVEY_BYTES + HEAD_BYTES);
  let size = 0;
  const keep = (bytes: Uint8Array): void => {
    const part = bytes.subarray(0, sample.length - size);
    sample.set(part, size);
    size += part.length;
  };
  for await (const chunk of source) {
    const head = Math.max(0, Math.min(chunk.length, HEAD_BYTES - size));
    keep(chunk.subarray(0, head));
    for (let at = head; at < chunk.length; at += 1) {
      if ((chunk[at] ?? 0) < 0x80) continue;
      const start = Math.max(head, chunk.lastIndexOf(0x0a, at) + 1, at - 1_024);
      const end = chunk.indexOf(0x0a, at);
      const stop = Math.min(end === -1 ? chunk.length : end + 1, at + 1_024);
      keep(chunk.subarray(start, stop));
      at = stop;
    }
    if (size === sample.length) break;
  }
  return sample.subarray(0, size);
}

async function isUtf8(source: AsyncIterable<Uint8Array>): Promise<boolean> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const chunk of source) decoder.decode(chunk, { stream: true });
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

async function firstBytes(source: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  for await (const chunk of source) return chunk.subarray(0, HEAD_BYTES);
  return new Uint8Array();
}

/**
 * The encoding of a text that is read several times and never as a whole.
 * @throws AppError `bad_request` as {@link decodeText}
 */
export async function detectEncoding(
  open: () => AsyncIterable<Uint8Array>,
  named?: Encoding,
): Promise<Encoding> {
  const head = await firstBytes(open());
  assertText(head);
  const marked = findByteOrderMark(head) ?? named ?? (head.includes(0) ? guessUtf16(head) : undefined);
  if (marked !== undefined && marked !== "utf-8") return marked;
  if (await isUtf8(open())) return "utf-8";
  if (marked === "utf-8") return decodeText(await sampleOf(open()), marked).encoding;
  return decodeText(await sampleOf(open())).encoding;
}

/** The parts of a text as they come, without a byte order mark. @throws AppError `bad_request` for other bytes */
export async function* decodeStream(
  source: AsyncIterable<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<string, void> {
  const decoder = encoding === "windows-1252" ? undefined : new TextDecoder(encoding, { fatal: true });
  try {
    for await (const chunk of source)
      yield decoder === undefined ? decodeWestern(chunk) : decoder.decode(chunk, { stream: true });
    if (decoder !== undefined) yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new AppError("bad_request", `The file is not valid ${encoding}. ${HOW_TO_SAVE}`, {
      cause: error,
      details: UNCERTAIN,
    });
  }
}

/** @throws AppError `bad_request` for a workbook, an archive or a PDF */
function assertText(bytes: Uint8Array): void {
  const start = String.fromCharCode(...bytes.subarray(0, 4));
  const other = otherKinds.find(([first]) => start.startsWith(first));
  if (other === undefined) return;
  const message = `The file is ${other[1]}, not a text file. Save it as "CSV UTF-8"`;
  throw new AppError("bad_request", message, { details: { reason: "kind" } });
}

/**
 * Decodes a text, without its byte order mark. Without a named encoding it recognizes UTF-8, UTF-16, Windows-1252 and
 * GBK, and never guesses among code pages that look alike.
 * @throws AppError `bad_request` for a file that is no text, or whose encoding is not certain
 */
export function decodeText(bytes: Uint8Array, named?: Encoding): DecodedText {
  assertText(bytes);
  // A mark says more than a name, as the Encoding standard has it.
  const encoding = findByteOrderMark(bytes) ?? named;
  if (encoding === undefined) {
    const found = findEncoding(bytes);
    if (found !== undefined && !found.text.includes("\0")) return found;
    throw new AppError("bad_request", `The encoding of the file could not be detected. ${HOW_TO_SAVE}`, {
      details: UNCERTAIN,
    });
  }
  const text = tryDecode(bytes, encoding);
  if (text !== undefined && !text.includes("\0")) return { text, encoding };
  throw new AppError("bad_request", `The file is not valid ${encoding}. ${HOW_TO_SAVE}`, {
    details: UNCERTAIN,
  });
}
