/**
 * Fonts of a PDF that need no font file: Helvetica for western letters, the same with another encoding for those of
 * middle and eastern Europe, and the predefined STSong-Light for Chinese (ISO 32000-1, 9.7.5.2), which readers bring.
 */
import type { PDFDocument, PDFFont, PDFHexString, PDFRef } from "@cantoo/pdf-lib";

/** Read when the first document is asked for: it is large. */
export const loadPdfLibrary = () => import("@cantoo/pdf-lib");
export type PdfLibrary = Awaited<ReturnType<typeof loadPdfLibrary>>;

/** Letters beside those of WinAnsi that Helvetica has, and the code of the first. */
const EXTENDED = Array.from({ length: 0x180 - 0x100 }, (_, index) => String.fromCodePoint(0x100 + index))
  .concat("\u0218", "\u0219", "\u021a", "\u021b")
  .filter((letter) => toGlyphName(letter) !== undefined);
const FIRST_CODE = 0x20;

/** A part of a line in one font. */
export interface Run {
  readonly font: string;
  readonly hex: PDFHexString;
  /** At size 1. */
  readonly width: number;
  /** There is no bold form: drawn with an outline. */
  readonly isThin: boolean;
}

/** What text is measured and written with. */
export interface Fonts {
  /** By the names that pages know them by. */
  readonly refs: ReadonlyMap<string, PDFRef>;
  toRuns(text: string, isBold: boolean): Run[];
}

/** Glyph names of the Adobe Glyph List: the letter and its mark. */
function toGlyphName(letter: string): string | undefined {
  const special: Readonly<Record<string, string>> = {
    ...{ Đ: "Dcroat", đ: "dcroat", ı: "dotlessi", Ł: "Lslash", ł: "lslash" },
  };
  if (Object.hasOwn(special, letter)) return special[letter];
  const marks: Readonly<Record<string, string>> = {
    ...{
      "\u0301": "acute",
      "\u0304": "macron",
      "\u0306": "breve",
      "\u0307": "dotaccent",
      "\u0328": "ogonek",
    },
    ...{ "\u030a": "ring", "\u030b": "hungarumlaut", "\u030c": "caron", "\u0326": "commaaccent" },
  };
  const [base = "", mark = "", more] = letter.normalize("NFD");
  if (more !== undefined || base === letter) return undefined;
  if (mark === "\u0327") return `${base}${/[Ss]/u.test(base) ? "cedilla" : "commaaccent"}`;
  return Object.hasOwn(marks, mark) ? `${base}${marks[mark] ?? ""}` : undefined;
}

function toBase(letter: string): string {
  const special: Readonly<Record<string, string>> = { Đ: "D", đ: "d", ı: "i", Ł: "L", ł: "l" };
  return special[letter] ?? letter.normalize("NFD").charAt(0);
}

const toHex = (code: number, digits: number): string => code.toString(16).padStart(digits, "0");

/** Says which letters the codes stand for, so that text can be copied. */
function toUnicodeMap(): string {
  const pairs = EXTENDED.map(
    (letter, index) => `<${toHex(FIRST_CODE + index, 2)}> <${toHex(letter.codePointAt(0) ?? 0, 4)}>`,
  );
  const blocks: string[] = [];
  for (let at = 0; at < pairs.length; at += 100) {
    const part = pairs.slice(at, at + 100);
    blocks.push(`${part.length} beginbfchar\n${part.join("\n")}\nendbfchar`);
  }
  return [
    "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap",
    "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def",
    "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def",
    "1 begincodespacerange\n<00> <ff>\nendcodespacerange",
    ...blocks,
    "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend",
  ].join("\n");
}

function addExtended({ context }: PDFDocument, plain: PDFFont, name: string): PDFRef {
  return context.register(
    context.obj({
      ...{ Type: "Font", Subtype: "Type1", BaseFont: name },
      FirstChar: FIRST_CODE,
      LastChar: FIRST_CODE + EXTENDED.length - 1,
      Widths: EXTENDED.map((letter) => Math.round(plain.widthOfTextAtSize(toBase(letter), 1_000))),
      Encoding: {
        Type: "Encoding",
        Differences: [FIRST_CODE, ...EXTENDED.map((letter) => toGlyphName(letter) ?? "")],
      },
      ToUnicode: context.register(context.stream(toUnicodeMap())),
    }),
  );
}

function addChinese({ PDFString }: PdfLibrary, { context }: PDFDocument): PDFRef {
  const descriptor = context.register(
    context.obj({
      ...{ Type: "FontDescriptor", FontName: "STSong-Light", Flags: 6, FontBBox: [-25, -254, 1_000, 880] },
      ...{ ItalicAngle: 0, Ascent: 880, Descent: -120, CapHeight: 880, StemV: 93 },
    }),
  );
  const system = { Registry: PDFString.of("Adobe"), Ordering: PDFString.of("GB1"), Supplement: 5 };
  const descendant = context.register(
    context.obj({
      ...{ Type: "Font", Subtype: "CIDFontType0", BaseFont: "STSong-Light", DW: 1_000 },
      CIDSystemInfo: system,
      FontDescriptor: descriptor,
    }),
  );
  return context.register(
    context.obj({
      ...{ Type: "Font", Subtype: "Type0", BaseFont: "STSong-Light-UniGB-UCS2-H", Encoding: "UniGB-UCS2-H" },
      DescendantFonts: [descendant],
    }),
  );
}

type Script = "plain" | "extended" | "chinese";

/** Adds the fonts to a document. */
export async function addFonts(library: PdfLibrary, document: PDFDocument): Promise<Fonts> {
  const { StandardFonts, PDFHexString: Hex } = library;
  const regular = await document.embedFont(StandardFonts.Helvetica);
  const bold = await document.embedFont(StandardFonts.HelveticaBold);
  const refs = new Map([
    ["F1", regular.ref],
    ["F2", bold.ref],
    ["F3", addExtended(document, regular, "Helvetica")],
    ["F4", addExtended(document, bold, "Helvetica-Bold")],
    ["F5", addChinese(library, document)],
  ]);
  const western = new Set(regular.getCharacterSet());
  const codes = new Map(EXTENDED.map((letter, index) => [letter, FIRST_CODE + index]));
  const scriptOf = (letter: string): Script => {
    if (western.has(letter.codePointAt(0) ?? 0)) return "plain";
    return codes.has(letter) ? "extended" : "chinese";
  };
  const toRun = (script: Script, text: string, isBold: boolean): Run => {
    const font = isBold ? bold : regular;
    switch (script) {
      case "plain": {
        const width = font.widthOfTextAtSize(text, 1);
        return { font: isBold ? "F2" : "F1", hex: font.encodeText(text), width, isThin: false };
      }
      case "extended": {
        const hex = Array.from(text, (letter) => toHex(codes.get(letter) ?? FIRST_CODE, 2)).join("");
        const width = font.widthOfTextAtSize(Array.from(text, toBase).join(""), 1);
        return { font: isBold ? "F4" : "F3", hex: Hex.of(hex), width, isThin: false };
      }
      case "chinese": {
        const hex = Array.from(text, (letter) => toHex(letter.charCodeAt(0), 4)).join("");
        return { font: "F5", hex: Hex.of(hex), width: text.length, isThin: isBold };
      }
    }
  };
  return {
    refs,
    toRuns: (text, isBold) => {
      const runs: Run[] = [];
      let part = "";
      let script: Script = "plain";
      for (const letter of text) {
        const next = scriptOf(letter);
        if (next !== script && part !== "") {
          runs.push(toRun(script, part, isBold));
          part = "";
        }
        script = next;
        part += letter;
      }
      if (part !== "") runs.push(toRun(script, part, isBold));
      return runs;
    },
  };
}

/** Text as the fonts can write it: blanks of all kinds as one, half letters and what is beyond them as "?". */
export function toPrintable(text: string): string {
  return text
    .normalize("NFC")
    .replaceAll(/[\p{Zs}\t]/gu, " ")
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, "")
    .replaceAll("\u2212", "-")
    .replaceAll(/[\u{10000}-\u{10ffff}\ud800-\udfff]/gu, "?");
}
