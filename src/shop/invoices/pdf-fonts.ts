/**
 * Fonts of a PDF, all embedded with the letters that it has: DejaVu Sans for Latin, Greek, Cyrillic, Arabic, Hebrew and
 * others, Noto Sans SC for Chinese, and UnifontEX, whose letters are drawn of squares, for everything else.
 */
import type { Font } from "@cantoo/fontkit";
import type { PDFDocument, PDFFont, PDFHexString, PDFRef } from "@cantoo/pdf-lib";
import { readPacked } from "../../kit/files/packed-file.ts";
import { type Direction, listDirections, orderVisually } from "./bidi.ts";

/** Loaded for the first document: they are large. */
export const loadPdfLibrary = () => import("@cantoo/pdf-lib");
export type PdfLibrary = Awaited<ReturnType<typeof loadPdfLibrary>>;

const REGULAR = "dejavu-sans-condensed";
const BOLD = "dejavu-sans-condensed-bold";

/** In the order in which they are looked through, after those above; with the letters for which they are read. */
const others: readonly (readonly [name: string, letters: RegExp])[] = [
  ["noto-sans-bengali", /\p{Script=Bengali}/u],
  ["noto-sans-devanagari", /\p{Script=Devanagari}/u],
  ["noto-sans-gujarati", /\p{Script=Gujarati}/u],
  ["noto-sans-gurmukhi", /\p{Script=Gurmukhi}/u],
  ["noto-sans-kannada", /\p{Script=Kannada}/u],
  ["noto-sans-khmer", /\p{Script=Khmer}/u],
  ["noto-sans-malayalam", /\p{Script=Malayalam}/u],
  ["noto-sans-myanmar", /\p{Script=Myanmar}/u],
  ["noto-sans-sinhala", /\p{Script=Sinhala}/u],
  ["noto-sans-tamil", /\p{Script=Tamil}/u],
  ["noto-sans-telugu", /\p{Script=Telugu}/u],
  ["noto-sans-thai", /\p{Script=Thai}/u],
  ["noto-sans-sc", /[\p{Script=Han}\u3000-\u30ff\uff00-\uffef]/u],
  ["unifontex", /./u],
];

/** A part of a line in one font. */
export interface Run {
  readonly font: string;
  readonly hex: PDFHexString;
  /** At size 1. */
  readonly width: number;
  /** There is no bold form: drawn with an outline. */
  readonly isThin: boolean;
}

/** Fonts to measure and write text with. */
export interface Fonts {
  /** By the names that pages know them by. */
  readonly refs: ReadonlyMap<string, PDFRef>;
  /** Letters that no font has: they are printed as `\ufffd`. */
  readonly missing: ReadonlySet<string>;
  /** In visual order. */
  toRuns(text: string, isBold: boolean): Run[];
  /** At size 1. */
  measure(text: string, isBold: boolean): number;
}

interface Face {
  readonly name: string;
  readonly font: PDFFont;
  readonly shapes: Font;
}

/** Whether a font puts the letters of a right-to-left part in visual order. */
function isTurned({ face: { shapes }, text }: Piece): boolean {
  const { glyphs } = shapes.layout(text);
  const shown = glyphs.flatMap(({ codePoints }) => codePoints);
  const isAsWritten = Array.from(text, (letter) => letter.codePointAt(0)).join() === shown.join();
  return !isAsWritten && glyphs.at(-1)?.codePoints[0] === text.codePointAt(0);
}

const bytes = new Map<string, WeakRef<Uint8Array>>();

/** The file of a font; it is loaded again after a while without use. */
async function readFont(name: string): Promise<Uint8Array> {
  const known = bytes.get(name)?.deref();
  if (known !== undefined) return known;
  const read = await readPacked(new URL(`./fonts/${name}.ttf.gz`, import.meta.url));
  bytes.set(name, new WeakRef(read));
  return read;
}

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
const REPLACEMENT = "\ufffd";
/** Joiners shape their neighbors, and no font needs a glyph for them. */
const JOINERS = new Set([0x20_0c, 0x20_0d]);

const codesOf = (cluster: string): number[] =>
  Array.from(cluster, (letter) => letter.codePointAt(0) ?? 0).filter((code) => !JOINERS.has(code));

/** Text as the fonts can write it: blanks of all kinds as one, and nothing that is never seen. */
export function toPrintable(text: string): string {
  return text
    .normalize("NFC")
    .replaceAll(/[\p{Zs}\t]/gu, " ")
    .replaceAll(/[\p{Cc}\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu, "")
    .replaceAll(/(?![\u200c\u200d])\p{Cf}/gu, "")
    .replaceAll("\u2212", "-")
    .replaceAll(/[\ud800-\udfff]/gu, REPLACEMENT);
}

interface Piece extends Direction {
  readonly text: string;
  readonly face: Face;
}

class Faces implements Fonts {
  readonly refs = new Map<string, PDFRef>();
  readonly missing = new Set<string>();
  readonly #faces: ReadonlyMap<string, Face>;
  readonly #plain: readonly Face[];
  readonly #widths = new Map<string, number>();

  constructor(faces: ReadonlyMap<string, Face>) {
    this.#faces = faces;
    this.#plain = [...faces].flatMap(([name, face]) => (name === BOLD ? [] : [face]));
    for (const { name, font } of faces.values()) this.refs.set(name, font.ref);
  }

  #find(cluster: string, isBold: boolean): Face | undefined {
    const codes = codesOf(cluster);
    const bold = isBold ? this.#faces.get(BOLD) : undefined;
    const order = [...(bold === undefined ? [] : [bold]), ...this.#plain];
    return order.find(({ shapes }) => codes.every((code) => shapes.hasGlyphForCodePoint(code)));
  }

  /** Parts of one font and direction, as they are read. */
  #cut(text: string, isBold: boolean): Piece[] {
    const levels = listDirections(text);
    const pieces: Piece[] = [];
    for (const { segment, index } of segmenter.segment(text)) {
      const level = levels?.[index] ?? 0;
      const found = this.#find(segment, isBold);
      if (found === undefined) this.missing.add(segment);
      const face = found ?? this.#find(REPLACEMENT, isBold);
      if (face === undefined) continue;
      const shown = found === undefined ? REPLACEMENT : segment;
      const last = pieces.at(-1);
      if (last?.face === face && last.level === level)
        pieces[pieces.length - 1] = { ...last, text: last.text + shown };
      else pieces.push({ text: shown, face, level });
    }
    return pieces;
  }

  toRuns(text: string, isBold: boolean): Run[] {
    return orderVisually(this.#cut(toPrintable(text), isBold), isTurned).map(({ text: part, face }) => ({
      font: face.name,
      hex: face.font.encodeText(part),
      width: face.font.widthOfTextAtSize(part, 1),
      isThin: isBold && face !== this.#faces.get(BOLD),
    }));
  }

  /** By words: what breaks a text into lines asks for the same ones again and again. */
  measure(text: string, isBold: boolean): number {
    const words = toPrintable(text).split(/(?= )|(?<= )/u);
    return words.reduce((sum, word) => {
      const key = `${isBold ? "b" : "r"}${word}`;
      const known = this.#widths.get(key);
      const width =
        known ??
        this.#cut(word, isBold).reduce(
          (all, { text: part, face }) => all + face.font.widthOfTextAtSize(part, 1),
          0,
        );
      if (known === undefined) this.#widths.set(key, width);
      return sum + width;
    }, 0);
  }
}

/** Adds to a document the fonts that its texts need. */
export async function addFonts(document: PDFDocument, texts: readonly string[]): Promise<Fonts> {
  const fontkit = await import("@cantoo/fontkit");
  document.registerFontkit(fontkit);
  const faces = new Map<string, Face>();
  let left = new Set(texts.flatMap((text) => codesOf(toPrintable(text))));
  for (const [name, letters] of [[REGULAR, undefined], [BOLD, undefined], ...others] as const) {
    const isNeeded = [...left].some((code) => letters?.test(String.fromCodePoint(code)));
    if (letters !== undefined && !isNeeded) continue;
    const file = await readFont(name);
    // Names of subsets begin with six capitals (ISO 32000-1 section 9.6.4).
    const customName = `TRIVA${String.fromCharCode(0x41 + faces.size)}+${name}`;
    const font = await document.embedFont(file, { subset: true, customName });
    const shapes = fontkit.create(file);
    if (!("layout" in shapes)) continue; // no collection is among them
    faces.set(name, { name: `F${faces.size + 1}`, font, shapes });
    left = new Set([...left].filter((code) => !shapes.hasGlyphForCodePoint(code)));
  }
  return new Faces(faces);
}
