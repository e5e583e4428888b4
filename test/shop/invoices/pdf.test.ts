/** PDFs as another program reads them: poppler's, where it is installed. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { toPdf } from "../../../src/shop/invoices/pdf.ts";
import type { PrintDocument } from "../../../src/shop/invoices/print-document.ts";
import { findProgram, tellSkipped } from "../../support/missing.ts";
import { scripts } from "./scripts-list.ts";

const run = promisify(execFile);
const pdftotext = findProgram("pdftotext");
const pdftoppm = findProgram("pdftoppm");
const pdffonts = findProgram("pdffonts");
const skip =
  pdftotext === undefined || pdftoppm === undefined || pdffonts === undefined
    ? tellSkipped("pdftotext, pdffonts and pdftoppm are not installed (Debian: apt install poppler-utils)")
    : false;

const long = "Donaudampfschifffahrtsgesellschaftskapitänsmütze".repeat(4);
const print: PrintDocument = {
  language: "de",
  title: "Rechnung",
  createdAt: 1_795_420_800_000,
  sender: ["Müller & Söhne", "Hauptstraße 1", "€ – “Qualität”"],
  recipient: ["Łukasz Żółć", "Świętokrzyska 5", "王小明", "北京市朝阳区建国路88号"],
  facts: [["Nummer", "2026-00042"]],
  columns: [{ label: "Artikel" }, { label: "Menge", isNumber: true }, { label: "Betrag", isNumber: true }],
  rows: [
    { cells: [long, "1", "11,90 EUR"], details: ["Größe: L", "颜色：红色"] },
    { cells: ["青花瓷茶杯（手工绘制，容量三百毫升，附木盒包装，适合送礼）".repeat(3), "2", "23,80 EUR"] },
    ...Array.from({ length: 80 }, (_, index) => ({ cells: [`Tasse ${index}`, "1", "1,00 EUR"] })),
  ],
  sums: [["Gesamtbetrag", "115,70 EUR"]],
  summary: {
    columns: ["USt.", "Netto", "USt.", "Brutto"],
    rows: [["19 %", "97,23 EUR", "18,47 EUR", "115,70 EUR"]],
  },
  notes: ["Ďábel, Őrség, Ţară, ștampilă, İstanbul 😀"],
  footer: ["谢谢"],
  pageWords: "Seite {page} von {pages}",
};

describe("toPdf", () => {
  it("creates the same bytes from the same document, independent of the present", async () => {
    const [one, two] = [await toPdf(print), await toPdf(print)];
    assert.deepEqual(one, two);
    assert.ok(!new TextDecoder("latin1").decode(one).includes(String(new Date().getFullYear() + 1)));
  });

  describe("as poppler reads it", { skip }, () => {
    let folder = "";
    let path = "";
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), "trivet-pdf-"));
      path = join(folder, "invoice.pdf");
      await writeFile(path, await toPdf(print));
    });
    after(() => rm(folder, { recursive: true, force: true }));

    it("has every word in western, eastern and Chinese letters, and all pages", async () => {
      const { stdout, stderr } = await run(pdftotext ?? "", ["-layout", path, "-"]);
      assert.equal(stderr, "");
      const plain = stdout.replaceAll(/\s+/gu, "");
      for (const text of [
        "Müller&Söhne",
        "Hauptstraße",
        "€–“Qualität”",
        "ŁukaszŻółć",
        "Świętokrzyska",
        "王小明",
        "北京市朝阳区建国路88号",
        "颜色：红色",
        "青花瓷茶杯",
        "Gesamtbetrag",
        "115,70EUR",
        "谢谢",
        "Ďábel,Őrség,Ţară,ștampilă,İstanbul😀",
        "Tasse79",
        "Seite1von",
      ])
        assert.ok(plain.includes(text), text);
      const [, pages = ""] = /Seite 1 von (\d+)/u.exec(stdout) ?? [];
      assert.ok(Number(pages) >= 3 && stdout.includes(`Seite ${pages} von ${pages}`));
      // The header of the table is on each page.
      assert.ok(stdout.split("Artikel").length - 1 >= 3);
    });

    it("breaks long words and Chinese, so that nothing runs over the edge", async () => {
      const { stdout } = await run(pdftotext ?? "", ["-bbox", path, "-"]);
      const edges = [...stdout.matchAll(/xMin="([\d.]+)" yMin="[\d.]+" xMax="([\d.]+)"/gu)];
      assert.ok(edges.length > 200);
      for (const [, left, right] of edges)
        assert.ok(Number(left) >= 53 && Number(right) <= 542.5, `${left} ${right}`);
      assert.ok(stdout.replaceAll(/<[^>]*>|\s/gu, "").includes("kapitänsmütze"));
    });

    it("has every letter of the languages that orders come in, and embeds what draws them", async () => {
      const rows = Object.entries(scripts).map(([name, text]) => ({ cells: [`${name} ${text}`, "1", "2"] }));
      const file = join(folder, "scripts.pdf");
      const notes = ["𠮷野家 ab שלום (12) cd"];
      await writeFile(file, await toPdf({ ...print, recipient: ["Ελλάδα Παπαδόπουλος"], rows, notes }));
      const { stdout } = await run(pdftotext ?? "", ["-raw", file, "-"]);
      const read = stdout.replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "");
      assert.ok(read.includes("Ελλάδα Παπαδόπουλος"));
      const letters = (text: string): string => Array.from(text).toSorted().join("").trim();
      for (const [name, text] of Object.entries(scripts)) {
        const line =
          read.split("\n").find((one) => one.includes(`${name} `) && !one.includes("Müller")) ?? "";
        // Where readers do not agree on the order of a script, its letters are there all the same.
        assert.equal(letters(line.replace(name, "").replace(/ 1 2$/u, "")), letters(text), name);
      }
      // No font has this rare letter: its replacement is visible, with a note.
      assert.match(read, /\ufffd野家/u);
      assert.match(read, /Einige Zeichen lassen sich nicht drucken/u);
      const { stdout: fonts } = await run(pdffonts ?? "", [file]);
      const embedded = fonts
        .split("\n")
        .slice(2, -1)
        .map((line) => / (yes|no) +(?:yes|no) +(?:yes|no) +\d/u.exec(line)?.[1]);
      assert.equal(embedded.length, 16);
      assert.ok(embedded.every((word) => word === "yes"));
    });

    it("can be drawn", async () => {
      const { stderr } = await run(pdftoppm ?? "", [
        "-r",
        "40",
        "-f",
        "1",
        "-l",
        "1",
        "-png",
        path,
        join(folder, "page"),
      ]);
      assert.equal(stderr, "");
      assert.ok((await stat(join(folder, "page-1.png"))).size > 2_000);
    });
  });
});
