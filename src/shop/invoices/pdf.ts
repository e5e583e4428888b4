/** A printed document as PDF: A4, as many pages as it needs, the same bytes for the same document. */
import type { PDFDocument, PDFOperator, PDFPage } from "@cantoo/pdf-lib";
import { type Fonts, type PdfLibrary, addFonts, loadPdfLibrary } from "./pdf-fonts.ts";
import { layOutPages } from "./pdf-layout.ts";
import { findInvoiceWords } from "./words.ts";
import type { Mark, PrintDocument } from "./print-document.ts";

/** A4, in points. */
const PAGE_SIZE: [number, number] = [595.28, 841.89];

function toOperators(library: PdfLibrary, fonts: Fonts, mark: Mark): PDFOperator[] {
  const { PDFOperator: Op, PDFOperatorNames: names, PDFName, PDFNumber } = library;
  const op = (name: (typeof names)[keyof typeof names], ...values: (number | string)[]): PDFOperator =>
    Op.of(
      name,
      values.map((value) => (typeof value === "number" ? PDFNumber.of(value) : PDFName.of(value))),
    );
  if (mark.kind === "rule")
    return [
      op(names.SetLineWidth, 0.5),
      op(names.MoveTo, mark.x, mark.y),
      op(names.LineTo, mark.x + mark.width, mark.y),
      op(names.StrokePath),
    ];
  const { text, size, isBold, grey } = mark;
  const operators = [op(names.NonStrokingColorGray, grey)];
  let { x } = mark;
  for (const { font, hex, width, isThin } of fonts.toRuns(text, isBold)) {
    operators.push(
      op(names.BeginText),
      op(names.SetFontAndSize, font, size),
      op(names.SetTextRenderingMode, isThin ? 2 : 0),
      op(names.SetLineWidth, 0.3),
      op(names.MoveText, Math.round(x * 100) / 100, Math.round(mark.y * 100) / 100),
      Op.of(names.ShowText, [hex]),
      op(names.EndText),
    );
    x += width * size;
  }
  return operators;
}

function addPage(library: PdfLibrary, document: PDFDocument, { refs }: Fonts): PDFPage {
  const page = document.addPage(PAGE_SIZE);
  for (const [name, ref] of refs) page.node.setFontDictionary(library.PDFName.of(name), ref);
  return page;
}

/** Every text in a document, at any depth. */
function listTexts(part: unknown): string[] {
  if (typeof part === "string") return [part];
  return typeof part === "object" && part !== null ? Object.values(part).flatMap(listTexts) : [];
}

/** The bytes of a document. */
export async function toPdf(print: PrintDocument): Promise<Uint8Array<ArrayBuffer>> {
  const library = await loadPdfLibrary();
  const document = await library.PDFDocument.create({ updateMetadata: false });
  document.setTitle(`${print.title} ${print.facts[0]?.[1] ?? ""}`.trim());
  document.setProducer("Trivet");
  document.setLanguage(print.language);
  document.setCreationDate(new Date(print.createdAt));
  document.setModificationDate(new Date(print.createdAt));
  const fonts = await addFonts(document, listTexts(print));
  const measure = (text: string, size: number, isBold: boolean): number => fonts.measure(text, isBold) * size;
  const options = { measure, width: PAGE_SIZE[0], height: PAGE_SIZE[1] };
  const first = layOutPages(print, options);
  // Missing glyphs are known once everything was measured.
  const pages =
    fonts.missing.size === 0
      ? first
      : layOutPages(
          { ...print, notes: [...print.notes, findInvoiceWords(print.language).words.missing] },
          options,
        );
  for (const marks of pages) {
    const page = addPage(library, document, fonts);
    page.pushOperators(...marks.flatMap((mark) => toOperators(library, fonts, mark)));
  }
  return new Uint8Array(await document.save({ useObjectStreams: false, addDefaultPage: false }));
}
