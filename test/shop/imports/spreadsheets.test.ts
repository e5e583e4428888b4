/** Files that LibreOffice writes in the settings of five countries, and those that Excel and Numbers write. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import type { CouponView } from "../../../src/shop/coupons/schema.ts";
import type { CustomerView } from "../../../src/shop/customers/view-schema.ts";
import { findProgram, tellSkipped } from "../../support/missing.ts";
import { read } from "../app-fixture.ts";
import { type ImportRoom, createRoom, listFaults } from "./import-room.ts";

/** A cell: text, a number, or a date. */
type Cell = string | number | { readonly date: string };

const NAMESPACES =
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" ' +
  'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" ' +
  'xmlns:number="urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0"';
/** Dates and numbers as the country writes them. */
const STYLES =
  '<number:date-style style:name="N1" number:automatic-order="true"><number:day number:style="long"/><number:text>/</number:text>' +
  '<number:month number:style="long"/><number:text>/</number:text><number:year number:style="long"/></number:date-style>' +
  '<number:number-style style:name="N2"><number:number number:decimal-places="2" number:min-decimal-places="2" ' +
  'number:min-integer-digits="1" number:grouping="true"/></number:number-style>' +
  '<style:style style:name="D" style:family="table-cell" style:data-style-name="N1"/>' +
  '<style:style style:name="N" style:family="table-cell" style:data-style-name="N2"/>';

function toCell(cell: Cell): string {
  if (typeof cell === "number")
    return `<table:table-cell table:style-name="N" office:value-type="float" office:value="${cell}"/>`;
  if (typeof cell === "string")
    return `<table:table-cell office:value-type="string"><text:p>${cell}</text:p></table:table-cell>`;
  return `<table:table-cell table:style-name="D" office:value-type="date" office:date-value="${cell.date}"/>`;
}

/** A sheet as an OpenDocument file. */
function toSheet(rows: readonly (readonly Cell[])[]): string {
  const lines = rows.map((row) => `<table:table-row>${row.map(toCell).join("")}</table:table-row>`);
  return (
    `<?xml version="1.0" encoding="UTF-8"?><office:document ${NAMESPACES} office:version="1.3" ` +
    `office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:automatic-styles>${STYLES}` +
    `</office:automatic-styles><office:body><office:spreadsheet><table:table table:name="S">${lines.join("")}` +
    "</table:table></office:spreadsheet></office:body></office:document>"
  );
}

const sheets = {
  products: [
    ["Title", "Price", "Stock", "Weight (kg)", "Description"],
    ["Große Tasse", 1_234.5, 7, 0.35, 'He said "blue; green, or\tred"'],
    ["Café à la crème", 12.5, 3, 1.25, "short"],
  ],
  customers: [
    ["Email", "Name", "City", "Country", "Newsletter", "Consent date", "Customer since"],
    [
      "zoe@example.org",
      "Zoë Müller",
      "Köln",
      "Germany",
      "yes",
      { date: "2021-03-24" },
      { date: "2020-12-31" },
    ],
  ],
  coupons: [
    ["Code", "Discount", "Valid until", "Minimum order"],
    ["GRÜSSE", "10%", { date: "2027-02-15" }, 1_234.5],
  ],
} satisfies Record<string, readonly (readonly Cell[])[]>;

const names = ["products", "customers", "coupons"] as const;

/** Locale, code of the separator, and LibreOffice's number of the encoding. */
const countries = [
  { locale: "de-DE", separator: 59, charset: 1, found: ["windows-1252", ";"] },
  { locale: "fr-FR", separator: 9, charset: 76, found: ["utf-8", "\t"] },
  { locale: "en-US", separator: 44, charset: 76, found: ["utf-8", ","] },
  { locale: "zh-CN", separator: 9, charset: 65_535, found: ["utf-16le", "\t"] },
  { locale: "el-GR", separator: 59, charset: 76, found: ["utf-8", ";"] },
  { locale: "ar-EG", separator: 59, charset: 76, found: ["utf-8", ";"] },
] as const;

async function findAll(room: ImportRoom): Promise<unknown[]> {
  const { shop } = room;
  const { items } = await read<{ items: { title: string; price: number; id: string }[] }>(
    await shop.admin("GET", "/api/admin/products?sort=title"),
  );
  const customers = await read<{ items: CustomerView[] }>(await shop.admin("GET", "/api/admin/customers"));
  const coupon = await read<CouponView>(await shop.admin("GET", "/api/admin/coupons/GRÜSSE"));
  const [customer] = customers.items;
  return [
    items.map(({ title, price }) => `${title}: ${price}`).toSorted(),
    [customer?.name, customer?.addresses?.[0]?.city, customer?.addresses?.[0]?.country],
    [customer?.marketingSince?.slice(0, 10), customer?.customerSince?.slice(0, 10)],
    [coupon.kind, coupon.value, coupon.minimum, coupon.endsAt?.slice(0, 10)],
  ];
}

const stored = [
  ["Café à la crème: 1250", "Große Tasse: 123450"],
  ["Zoë Müller", "Köln", "DE"],
  ["2021-03-24", "2020-12-31"],
  ["percent", 1_000, 123_450, "2027-02-16"],
];

const program = findProgram("soffice");

describe(
  "files of LibreOffice",
  {
    skip: program === undefined && tellSkipped("soffice (LibreOffice) is not in PATH"),
  },
  () => {
    let folder = "";
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), "trivet-sheets-"));
      for (const name of names) await writeFile(join(folder, `${name}.fods`), toSheet(sheets[name]));
    });
    after(() => rm(folder, { recursive: true, force: true }));

    for (const { locale, separator, charset, found } of countries)
      it(`in the settings of ${locale}: products, customers, and coupons come as they are`, async () => {
        const profile = join(folder, `profile-${locale}`);
        await mkdir(join(profile, "user"), { recursive: true });
        const setting =
          '<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale" oor:op="fuse">' +
          `<value>${locale}</value></prop></item>`;
        await writeFile(
          join(profile, "user/registrymodifications.xcu"),
          '<?xml version="1.0" encoding="UTF-8"?><oor:items xmlns:oor="http://openoffice.org/2001/registry" ' +
            `xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${setting}</oor:items>`,
        );
        // Cells as they are shown.
        const filter = `csv:Text - txt - csv (StarCalc):${separator},34,${charset},1,,0,false,true`;
        const out = join(folder, locale);
        const files = names.map((name) => join(folder, `${name}.fods`));
        await promisify(execFile)(program ?? "", [
          `-env:UserInstallation=file://${profile}`,
          "--headless",
          "--convert-to",
          filter,
          "--outdir",
          out,
          ...files,
        ]);
        const room = await createRoom();
        for (const kind of names) {
          const done = await room.take(new Uint8Array(await readFile(join(out, `${kind}.csv`))), { kind });
          assert.deepEqual(await listFaults(room, done.id), [], kind);
          assert.deepEqual([done.encoding, done.separator, done.counts.failed], [...found, 0], kind);
        }
        assert.deepEqual(await findAll(room), stored);
      });
  },
);

describe("files of Excel and Numbers", () => {
  const csv = 'Title;Price;Description\r\nGroße Tasse;1.234,50;"two\r\nlines"\r\nCafé;12,50;x\r\n';
  const files = {
    "Excel's CSV UTF-8, with a byte order mark": `\ufeff${csv}`,
    "Excel's CSV with a first line that names the separator": `sep=;\r\n${csv}`,
    "Excel's old CSV for the Mac, with carriage returns alone": csv.replaceAll("\r\n", "\r"),
    "Excel's Unicode text": csv.replaceAll(";", "\t"),
    "Numbers' CSV, with commas, line feeds, and empty columns at the end": csv
      .replaceAll("1.234,50", '"1.234,50"')
      .replaceAll("12,50", '"12,50"')
      .replaceAll(";", ",")
      .replaceAll("\r\n", "\n")
      .replaceAll(/(?<!two)\n/gu, ",,\n"),
  };
  for (const [name, text] of Object.entries(files))
    it(`${name}`, async () => {
      const utf16 = (): Uint8Array => {
        const bytes = new Uint8Array(2 * text.length + 2);
        const view = new DataView(bytes.buffer);
        for (let at = 0; at <= text.length; at += 1)
          view.setUint16(2 * at, `\ufeff${text}`.charCodeAt(at), true);
        return bytes;
      };
      const room = await createRoom();
      const done = await room.take(name.includes("Unicode") ? utf16() : text);
      assert.deepEqual(await listFaults(room, done.id), []);
      const { items } = await read<{ items: { title: string; price: number }[] }>(
        await room.shop.admin("GET", "/api/admin/products"),
      );
      assert.deepEqual(items.map(({ title, price }) => `${title}: ${price}`).toSorted(), [
        "Café: 1250",
        "Große Tasse: 123450",
      ]);
    });
});
