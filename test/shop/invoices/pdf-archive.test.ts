/**
 * PDFs as archives and e-invoices: PDF/A-3b (ISO 19005-3), Factur-X, tags. There is no PDF/A-3 validator in npm or
 * Debian: these are its main clauses as assertions, and other programs read the files where they are installed.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  type PDFObject,
  PDFRawStream,
  PDFString,
  decodePDFRawStream,
} from "@cantoo/pdf-lib";
import { toInvoiceDocument } from "../../../src/shop/invoices/document.ts";
import { toCii } from "../../../src/shop/invoices/e-invoice/cii.ts";
import { toEInvoice } from "../../../src/shop/invoices/e-invoice/to-e-invoice.ts";
import { printInvoice } from "../../../src/shop/invoices/invoices.ts";
import { addFonts } from "../../../src/shop/invoices/pdf-fonts.ts";
import { toPdf } from "../../../src/shop/invoices/pdf.ts";
import { toPrintLogo } from "../../../src/shop/invoices/print-logo.ts";
import type { InvoiceRecord } from "../../../src/shop/invoices/schema.ts";
import { siteSettingsSchema } from "../../../src/shop/site/schema.ts";
import { findProgram, tellSkipped } from "../../support/missing.ts";
import { workInvoices } from "./worked-invoices.ts";

const run = promisify(execFile);
/** 2 × 1 pixels, half transparent. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAEUlEQVR4nGP4z8DQAMQMDQAQhgKBqCVjawAAAABJRU5ErkJggg==";

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

describe("PDFs of invoices", () => {
  let records: readonly InvoiceRecord[] = [];
  let bytes = new Uint8Array();
  let document: PDFDocument;
  let xmp = "";
  let folder = "";
  let path = "";
  const logo = toPrintLogo(
    siteSettingsSchema.parse({
      branding: { logo: `data:image/png;base64,${PNG}` },
      seller: { name: "Müller" },
    }),
  );
  before(async () => {
    const worked = await workInvoices(["two rates, coupon and shipping"]);
    records = worked.map(({ record }) => record);
    const printed = await printInvoice(records[0] ?? assert.fail(), "pdf", logo);
    assert.ok(typeof printed.body !== "string");
    bytes = printed.body;
    document = await PDFDocument.load(bytes, { updateMetadata: false });
    const metadata = document.catalog.lookup(PDFName.of("Metadata"));
    assert.ok(metadata instanceof PDFRawStream && metadata.dict.get(PDFName.of("Filter")) === undefined);
    xmp = textOf(metadata.contents);
    folder = await mkdtemp(join(tmpdir(), "trivet-pdfa-"));
    path = join(folder, "invoice.pdf");
    await writeFile(path, bytes);
  });
  after(() => rm(folder, { recursive: true, force: true }));
  const objects = (): PDFObject[] => document.context.enumerateIndirectObjects().map(([, object]) => object);
  const dictionaries = (type: string): PDFDict[] =>
    objects().flatMap((object) => {
      const dict = object instanceof PDFRawStream ? object.dict : object;
      return dict instanceof PDFDict && dict.get(PDFName.of("Type")) === PDFName.of(type) ? [dict] : [];
    });

  it("say what they are: PDF/A-3b, title, author, language, and an ID that follows from the content", async () => {
    assert.match(xmp, /<pdfaid:part>3<\/pdfaid:part>/u);
    assert.match(xmp, /<pdfaid:conformance>B<\/pdfaid:conformance>/u);
    assert.match(xmp, /<rdf:li xml:lang="x-default">Rechnung 2026-00001<\/rdf:li>/u);
    assert.match(xmp, /<dc:creator>.*Müller &amp; Söhne GmbH/u);
    // The dates of XMP and of the dictionary are the same (clause 6.7.3).
    const created = document.getCreationDate()?.toISOString().replace(".000Z", "Z") ?? "";
    assert.ok(created !== "" && xmp.includes(`<xmp:CreateDate>${created}</xmp:CreateDate>`));
    assert.equal(document.catalog.lookup(PDFName.of("Lang"))?.toString(), "(de)");
    const preferences = document.catalog.lookup(PDFName.of("ViewerPreferences"), PDFDict);
    assert.equal(String(preferences.get(PDFName.of("DisplayDocTitle"))), "true");
    const idOf = (of: PDFDocument): string => String(of.context.lookup(of.context.trailerInfo.ID));
    assert.match(idOf(document), /^\[ <[0-9a-f]{32}> <[0-9a-f]{32}> \]$/u);
    const [invoice = assert.fail()] = records;
    const other = await toPdf(toInvoiceDocument({ ...invoice, number: "2026-00002" }));
    assert.notEqual(idOf(await PDFDocument.load(other, { updateMetadata: false })), idOf(document));
  });

  it("have an sRGB output intent, and nothing that archives must not contain", () => {
    const intents = document.catalog.lookup(PDFName.of("OutputIntents"), PDFArray);
    const intent = intents.lookup(0, PDFDict);
    assert.equal(String(intent.get(PDFName.of("S"))), "/GTS_PDFA1");
    const profile = intent.lookup(PDFName.of("DestOutputProfile"));
    assert.ok(profile instanceof PDFRawStream);
    const icc = decodePDFRawStream(profile).decode();
    assert.equal(textOf(icc.subarray(36, 40)), "acsp");
    assert.equal(textOf(icc.subarray(16, 20)), "RGB ");
    assert.equal(document.context.trailerInfo.Encrypt, undefined);
    for (const object of objects()) {
      const text = object instanceof PDFRawStream ? object.dict.toString() : object.toString();
      assert.doesNotMatch(text, /\/(?:JavaScript|Launch|LZWDecode|OpenAction|AA|XFA|NeedAppearances)\b/u);
    }
  });

  it("embed every font as a named subset, with the widths of its program and a map to Unicode", async () => {
    const fonts = dictionaries("Font").filter(
      (font) => font.get(PDFName.of("DescendantFonts")) !== undefined,
    );
    assert.equal(fonts.length, 2);
    const fontkit = await import("@cantoo/fontkit");
    for (const font of fonts) {
      assert.match(String(font.get(PDFName.of("BaseFont"))), /^\/[A-Z]{6}\+/u);
      assert.ok(font.lookup(PDFName.of("ToUnicode")) instanceof PDFRawStream);
      const descendant = font.lookup(PDFName.of("DescendantFonts"), PDFArray).lookup(0, PDFDict);
      assert.equal(String(descendant.get(PDFName.of("CIDToGIDMap"))), "/Identity");
      const descriptor = descendant.lookup(PDFName.of("FontDescriptor"), PDFDict);
      const file = descriptor.lookup(PDFName.of("FontFile2"));
      assert.ok(file instanceof PDFRawStream);
      const program = fontkit.create(decodePDFRawStream(file).decode());
      assert.ok("getGlyph" in program);
      const widths = descendant.lookup(PDFName.of("W"), PDFArray);
      const first = Number(String(widths.get(0)));
      const listed = widths.lookup(1, PDFArray);
      assert.ok(listed.size() > 10);
      for (let at = 0; at < listed.size(); at += 1) {
        const glyph = program.getGlyph(first + at);
        const own = ((glyph?.advanceWidth ?? Number.NaN) * 1_000) / program.unitsPerEm;
        assert.ok(Math.abs(own - Number(String(listed.get(at)))) < 1, `glyph ${first + at}`);
      }
    }
  });

  it("contain the XML of the e-invoice as an associated file, and name it in the Factur-X schema", () => {
    const files = document.catalog.lookup(PDFName.of("AF"), PDFArray);
    assert.equal(files.size(), 1);
    const file = files.lookup(0, PDFDict);
    assert.equal(String(file.get(PDFName.of("AFRelationship"))), "/Alternative");
    assert.equal(file.lookup(PDFName.of("F"), PDFString).asString(), "factur-x.xml");
    assert.equal(file.lookup(PDFName.of("UF"), PDFHexString).decodeText(), "factur-x.xml");
    const stream = file.lookup(PDFName.of("EF"), PDFDict).lookup(PDFName.of("F"));
    assert.ok(stream instanceof PDFRawStream);
    assert.equal(String(stream.dict.get(PDFName.of("Subtype"))), "/text#2Fxml");
    assert.match(String(stream.dict.get(PDFName.of("Params"))), /\/ModDate/u);
    const [invoice = assert.fail()] = records;
    assert.equal(textOf(decodePDFRawStream(stream).decode()), toCii(toEInvoice(invoice)));
    for (const part of [
      "<pdfaSchema:namespaceURI>urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#</pdfaSchema:namespaceURI>",
      "<fx:DocumentType>INVOICE</fx:DocumentType>",
      "<fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>",
      "<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>",
    ])
      assert.ok(xmp.includes(part), part);
    assert.equal(xmp.split("<pdfaExtension:schemas>").length, 2, "one list of schemas (XMP)");
  });

  it("are the same without the file for other invoices, packing slips included", async () => {
    const [invoice = assert.fail()] = records;
    const plain = await PDFDocument.load(await toPdf(toInvoiceDocument(invoice)), { updateMetadata: false });
    assert.equal(plain.catalog.get(PDFName.of("AF")), undefined);
    assert.ok(plain.catalog.get(PDFName.of("OutputIntents")) !== undefined);
  });

  it("have tags: every content of every page belongs to an element or is an artifact", () => {
    assert.equal(
      String(document.catalog.lookup(PDFName.of("MarkInfo"), PDFDict).get(PDFName.of("Marked"))),
      "true",
    );
    const root = document.catalog.lookup(PDFName.of("StructTreeRoot"), PDFDict);
    const parents = root.lookup(PDFName.of("ParentTree"), PDFDict).lookup(PDFName.of("Nums"), PDFArray);
    document.getPages().forEach((page, index) => {
      const content = page.node.Contents();
      const streams = content instanceof PDFArray ? content.asArray() : [content];
      const text = streams
        .map((ref) => document.context.lookup(ref))
        .map((stream) => (stream instanceof PDFRawStream ? textOf(decodePDFRawStream(stream).decode()) : ""))
        .join("\n");
      let depth = 0;
      const ids: number[] = [];
      for (const line of text.split("\n")) {
        const id = /\/MCID (\d+)/u.exec(line)?.[1];
        if (id !== undefined) ids.push(Number(id));
        if (/\b(?:BDC|BMC)$/u.test(line)) depth += 1;
        if (/\b(?:Tj|S|Do)$/u.test(line)) assert.equal(depth, 1, line);
        if (/^EMC$/u.test(line)) depth -= 1;
      }
      assert.equal(depth, 0);
      assert.deepEqual(
        ids,
        ids.map((_id, at) => at),
      );
      assert.equal(parents.lookup(index * 2 + 1, PDFArray).size(), ids.length);
    });
    const types = dictionaries("StructElem").map((element) => String(element.get(PDFName.of("S"))));
    for (const type of ["/Document", "/Figure", "/H1", "/Table", "/TR", "/TH", "/TD", "/P"])
      assert.ok(types.includes(type), type);
    const figure = dictionaries("StructElem").find(
      (one) => one.get(PDFName.of("S")) === PDFName.of("Figure"),
    );
    assert.equal(figure?.lookup(PDFName.of("Alt"), PDFHexString).decodeText(), "Müller");
  });

  it("print the logo in its proportions, and no broken or huge picture", async () => {
    assert.deepEqual(logo?.size, { width: 2, height: 1 });
    const siteOf = (address: string) => siteSettingsSchema.parse({ branding: { logo: address } });
    assert.equal(toPrintLogo(siteSettingsSchema.parse({})), undefined);
    const svg = toPrintLogo(siteOf(`data:image/svg+xml;base64,${btoa("<svg/>")}`));
    assert.equal(svg?.size, undefined);
    const huge = Uint8Array.from(atob(PNG), (letter) => letter.charCodeAt(0));
    huge.set([0, 1, 0, 0, 0, 1, 0, 0], 16);
    const address = `data:image/png;base64,${btoa(String.fromCharCode(...huge))}`;
    assert.equal(toPrintLogo(siteOf(address))?.size, undefined);
    const [invoice = assert.fail()] = records;
    const broken = {
      address: `data:image/png;base64,${btoa("none")}`,
      alt: "",
      size: { width: 9, height: 9 },
    };
    const { body } = await printInvoice(invoice, "pdf", broken);
    assert.ok(body.length > 10_000);
    const html = await printInvoice(invoice, "html", logo);
    assert.match(String(html.body), /<img class="logo" src="data:image\/png;base64,[^"]+" alt="Müller">/u);
    assert.match(html.headers["content-security-policy"] ?? "", /img-src data:;/u);
  });

  it("write Arabic digits from left to right", async () => {
    const fonts = await addFonts(await PDFDocument.create(), ["قهوة ٢٥٠ ۱۲۳"]);
    const hexOf = (text: string): string =>
      fonts
        .toRuns(text, false)
        .map(({ hex }) => hex.asString())
        .join("");
    for (const number of ["٢٥٠", "۱۲۳", "٢٥٢"])
      assert.equal(hexOf(number), Array.from(number, (digit) => hexOf(digit)).join(""), number);
    const digits = hexOf("٢٥٠");
    assert.ok(hexOf("قهوة ٢٥٠").startsWith(digits), "left of the word before it");
  });

  describe("as other programs read them", () => {
    const pdfdetach = findProgram("pdfdetach");
    const pdfinfo = findProgram("pdfinfo");
    const qpdf = findProgram("qpdf");
    const gs = findProgram("gs");
    const skipOf = (program: string | undefined, name: string, debian: string): string | false =>
      program === undefined ? tellSkipped(`${name} is not installed (Debian: apt install ${debian})`) : false;

    it("poppler detaches the XML", { skip: skipOf(pdfdetach, "pdfdetach", "poppler-utils") }, async () => {
      await run(pdfdetach ?? "", ["-saveall", "-o", folder, path]);
      const [invoice = assert.fail()] = records;
      assert.equal(await readFile(join(folder, "factur-x.xml"), "utf8"), toCii(toEInvoice(invoice)));
    });

    it(
      "poppler reads it in order, cell by cell",
      { skip: skipOf(pdfinfo, "pdfinfo", "poppler-utils") },
      async () => {
        const { stdout } = await run(pdfinfo ?? "", ["-struct-text", path]);
        const words = [...stdout.matchAll(/"([^"]*)"/gu)].map(([, text = ""]) => text);
        const places = [
          "Käufer & Co. <KG>",
          "Müller & Söhne GmbH",
          "Rechnung",
          "2026-00001",
          "Artikel",
          "Mug",
          "35,70 EUR",
          "Zwischensumme",
          "56,29 EUR",
        ].map((text) => words.findIndex((word) => word.trim() === text));
        assert.ok(
          places.every((place, at) => place > (places[at - 1] ?? -1)),
          `${places.join()} ${words.join("|")}`,
        );
      },
    );

    it("qpdf finds no fault", { skip: skipOf(qpdf, "qpdf", "qpdf") }, async () => {
      const { stdout } = await run(qpdf ?? "", ["--check", path]);
      assert.match(stdout, /No syntax or stream encoding errors found/u);
    });

    it("Ghostscript draws it without a word", { skip: skipOf(gs, "gs", "ghostscript") }, async () => {
      const { stdout, stderr } = await run(gs ?? "", [
        "-q",
        "-dNOPAUSE",
        "-dBATCH",
        "-sDEVICE=nullpage",
        path,
      ]);
      assert.equal(stdout + stderr, "");
    });
  });
});
