/**
 * A printed document as PDF: A4, as many pages as it needs, the same bytes for the same document. It is PDF/A-3b
 * (ISO 19005-3) with tags, so that it can be archived, read aloud, and carry an e-invoice.
 */
import type { PDFDocument, PDFImage, PDFOperator, PDFPage } from "@cantoo/pdf-lib";
import { readLogo } from "../../kit/brand/logo.ts";
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import { type Fonts, type PdfLibrary, addFonts, loadPdfLibrary } from "./pdf-fonts.ts";
import { type LaidOut, layOutPages } from "./pdf-layout.ts";
import { StructureWriter } from "./pdf-structure.ts";
import { findInvoiceWords } from "./words.ts";
import type { Mark, PrintDocument } from "./print-document.ts";

/** A4, in points. */
const PAGE_SIZE: [number, number] = [595.28, 841.89];
const LOGO = "Logo";

/** What the parts of a page are written with. */
interface Writing {
  readonly library: PdfLibrary;
  readonly document: PDFDocument;
  readonly fonts: Fonts;
  readonly structure: StructureWriter;
  readonly logo: PDFImage | undefined;
}

type Operators = PDFOperator[];

function createOperators({ library }: Writing) {
  const { PDFOperator: Op, PDFName, PDFNumber } = library;
  return (
    name: (typeof library.PDFOperatorNames)[keyof typeof library.PDFOperatorNames],
    ...values: (number | string)[]
  ): PDFOperator =>
    Op.of(
      name,
      values.map((value) => (typeof value === "number" ? PDFNumber.of(value) : PDFName.of(value))),
    );
}

function toText(writing: Writing, mark: Extract<Mark, { kind: "text" }>): Operators {
  const { PDFOperator: Op, PDFOperatorNames: names } = writing.library;
  const op = createOperators(writing);
  const { text, size, isBold, grey } = mark;
  const operators = [op(names.NonStrokingColorGray, grey)];
  let { x } = mark;
  for (const { font, hex, width, isThin } of writing.fonts.toRuns(text, isBold)) {
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

function toOperators(writing: Writing, mark: Mark): Operators {
  const { PDFOperatorNames: names } = writing.library;
  const op = createOperators(writing);
  switch (mark.kind) {
    case "text":
      return toText(writing, mark);
    case "rule":
      return [
        op(names.SetLineWidth, 0.5),
        op(names.MoveTo, mark.x, mark.y),
        op(names.LineTo, mark.x + mark.width, mark.y),
        op(names.StrokePath),
      ];
    case "logo":
      return [
        op(names.PushGraphicsState),
        op(names.ConcatTransformationMatrix, mark.width, 0, 0, mark.height, mark.x, mark.y),
        op(names.DrawObject, LOGO),
        op(names.PopGraphicsState),
      ];
  }
}

/** The content of a page: parts of one element each, and artifacts. */
function toContent(writing: Writing, marks: readonly Mark[]): Operators {
  const { PDFOperator: Op, PDFOperatorNames: names, PDFName } = writing.library;
  const op = createOperators(writing);
  const operators: Operators = [];
  let present: Mark["element"] | "none" = "none";
  for (const mark of marks) {
    if (mark.element !== present) {
      if (present !== "none") operators.push(op(names.EndMarkedContent));
      present = mark.element;
      if (present === undefined) operators.push(op(names.BeginMarkedContent, "Artifact"));
      else {
        const id = writing.structure.mark(present);
        const properties = writing.document.context.obj({ MCID: id });
        operators.push(
          Op.of(names.BeginMarkedContentSequence, [PDFName.of(present.type), String(properties)]),
        );
      }
    }
    operators.push(...toOperators(writing, mark));
  }
  if (present !== "none") operators.push(op(names.EndMarkedContent));
  return operators;
}

function addPage({ library, document, fonts: { refs }, logo }: Writing): PDFPage {
  const { PDFName } = library;
  const page = document.addPage(PAGE_SIZE);
  for (const [name, ref] of refs) page.node.setFontDictionary(PDFName.of(name), ref);
  if (logo !== undefined) {
    page.node.setXObject(PDFName.of(LOGO), logo.ref);
    // Logos may be transparent: this says in which colors they are mixed with the page.
    const group = document.context.obj({ Type: "Group", S: "Transparency", CS: "DeviceRGB" });
    page.node.set(PDFName.of("Group"), group);
  }
  return page;
}

/** Every text in a document, at any depth. */
function listTexts(part: unknown): string[] {
  if (typeof part === "string") return [part];
  return typeof part === "object" && part !== null ? Object.values(part).flatMap(listTexts) : [];
}

/** Properties of the file, in its dictionary and, by the library, in its XMP metadata. */
function describe({ PDFHexString }: PdfLibrary, document: PDFDocument, print: PrintDocument): void {
  const at = new Date(print.createdAt);
  document.setTitle(`${print.title} ${print.facts[0]?.[1] ?? ""}`.trim(), { showInWindowTitleBar: true });
  if (print.sender[0] !== undefined) document.setAuthor(print.sender[0]);
  document.setProducer("Trivet");
  document.setCreator("Trivet");
  document.setLanguage(print.language);
  document.setCreationDate(at);
  document.setModificationDate(at);
  const { context } = document;
  const id = PDFHexString.of(hashSecret(JSON.stringify(print)).slice(0, 32));
  context.trailerInfo.ID = context.obj([id, id]);
}

function layOut(print: PrintDocument, fonts: Fonts): LaidOut {
  const measure = (text: string, size: number, isBold: boolean): number => fonts.measure(text, isBold) * size;
  const options = { measure, width: PAGE_SIZE[0], height: PAGE_SIZE[1] };
  const first = layOutPages(print, options);
  // Missing glyphs are known once everything was measured.
  if (fonts.missing.size === 0) return first;
  const { words } = findInvoiceWords(print.language);
  return layOutPages({ ...print, notes: [...print.notes, words.missing] }, options);
}

/** The logo of a document; undefined for a picture that cannot be read. */
async function embedLogo(document: PDFDocument, { logo }: PrintDocument): Promise<PDFImage | undefined> {
  const read = logo?.size === undefined ? undefined : readLogo(logo.address);
  if (read === undefined) return undefined;
  try {
    return await document.embedPng(read.bytes);
  } catch {
    return undefined;
  }
}

/** The bytes of a document; with the XML of its e-invoice (Factur-X, ZUGFeRD) where it has one. */
export async function toPdf(print: PrintDocument, eInvoice?: string): Promise<Uint8Array<ArrayBuffer>> {
  const library = await loadPdfLibrary();
  const document = await library.PDFDocument.create({ updateMetadata: false });
  describe(library, document, print);
  const logo = await embedLogo(document, print);
  const writing: Writing = {
    library,
    document,
    fonts: await addFonts(document, listTexts({ ...print, logo: undefined })),
    structure: new StructureWriter(library, document),
    logo,
  };
  const { pages, root } = layOut(logo === undefined ? { ...print, logo: undefined } : print, writing.fonts);
  for (const marks of pages) {
    const page = addPage(writing);
    writing.structure.addPage(page);
    page.pushOperators(...toContent(writing, marks));
  }
  writing.structure.finish(root);
  if (eInvoice === undefined) document.convertToPDFA({ conformance: "3B" });
  else {
    const at = new Date(print.createdAt);
    const dates = { creationDate: at, modificationDate: at };
    await library.embedFacturX(document, new TextEncoder().encode(eInvoice), {
      conformanceLevel: "EN 16931",
      ...dates,
    });
  }
  return new Uint8Array(await document.save({ addDefaultPage: false }));
}
