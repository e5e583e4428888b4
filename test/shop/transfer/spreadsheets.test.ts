/** Products that spreadsheets saved: files that LibreOffice wrote in a German locale, and LibreOffice itself where it is. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, it } from "node:test";
import { promisify } from "node:util";
import { findProgram, tellSkipped } from "../../support/missing.ts";
import { type TestShop, ADMIN_TOKEN, createTestShop, read } from "../app-fixture.ts";

const PATH = "/api/admin/products";
const FILES = join("test", "shop", "transfer", "libreoffice");
let shop: TestShop;

beforeEach(async () => {
  shop = await createTestShop();
});

interface Report {
  created: number;
  updated: number;
  errors: { line: number; message: string }[];
  read: { encoding: string; separator: string; sample?: string };
}
interface Variant {
  sku: string;
  price: number;
  compareAtPrice?: number;
  options: Record<string, string>;
}
interface Product {
  slug: string;
  title: string;
  summary: string;
  price: number;
  excludedFromWithdrawal?: boolean;
  version: number;
  updatedAt: string;
  variants: Variant[];
}

function post(query: string, body: Uint8Array<ArrayBuffer>, type = "text/csv"): Promise<Response> {
  const headers = { "x-admin-token": ADMIN_TOKEN, "content-type": type };
  return shop.fetch(`${PATH}/import${query}`, { method: "POST", headers, body });
}

const bytesOf = async (path: string): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await readFile(path));

async function products(): Promise<Product[]> {
  return (await read<{ items: Product[] }>(await shop.admin("GET", `${PATH}?limit=100`))).items;
}

describe("files of LibreOffice", () => {
  for (const [name, encoding, separator] of [
    ["semicolon-windows-1252.csv", "windows-1252", ";"],
    ["tab-utf-16.csv", "utf-16le", "\t"],
    ["comma-utf-8.csv", "utf-8", ","],
  ] as const)
    it(`are imported: ${name}`, async () => {
      const report = await read<Report>(await post("", await bytesOf(join(FILES, name))));
      assert.deepEqual(report.read, { encoding, separator, sample: "Größe" });
      assert.deepEqual([report.created, report.errors], [2, []]);
      const [cup, card] = (await products()).toSorted((a, b) => b.slug.localeCompare(a.slug));
      assert.deepEqual(
        cup?.variants.map(({ sku, price, compareAtPrice, options }) => [sku, price, compareAtPrice, options]),
        [
          ["00123", 1_250, 123_450, { farbe: "blau" }],
          ["00124", 900, undefined, { farbe: "grün" }],
        ],
      );
      assert.deepEqual(
        [cup?.title, cup?.summary, cup?.excludedFromWithdrawal],
        ["Größe Tasse", "Für 0,3 l; blau", true],
      );
      assert.deepEqual(
        [card?.title, card?.summary, card?.variants[0]?.sku],
        ['Karte "Café"', "Zwei\nZeilen", "4006381333931"],
      );
    });

  it("are imported by the name of an encoding that cannot be recognized", async () => {
    const bytes = await bytesOf(join(FILES, "semicolon-macintosh.csv"));
    const refused = await read<{ detail: string }>(await post("", bytes), 400);
    assert.match(refused.detail, /encoding of the file could not be detected/u);
    const report = await read<Report>(await post("?dryRun=true", bytes, "text/csv; charset=macintosh"));
    assert.deepEqual([report.created, report.read.sample], [2, "Größe"]);
    assert.equal((await post("", bytes, "text/csv; charset=ebcdic")).status, 415);
  });
});

describe("an import", () => {
  const send = (text: string, query = "?dryRun=true"): Promise<Response> =>
    post(query, new TextEncoder().encode(text));

  it("names the cell with a price that it cannot read, and stores no product of it", async () => {
    const text = "slug;title;priceDecimal\na;A;1.234\nb;B;12,50 €\nc;C;12.50 $\n";
    const report = await read<Report>(await send(text, "?partial=true"));
    assert.deepEqual(
      report.errors.map(({ line, message }) => [line, message.split(":")[0]]),
      [
        [2, "priceDecimal"],
        [4, "priceDecimal"],
      ],
    );
    assert.deepEqual(
      (await products()).map(({ slug, price }) => [slug, price]),
      [["b", 1_250]],
    );
  });

  it("takes one of two columns for a price", async () => {
    const { errors } = await read<Report>(await send("slug,title,price,priceDecimal\na,A,100,1.00\n"));
    assert.match(errors[0]?.message ?? "", /"priceDecimal" and "price" are the same column/u);
  });

  it("reads prices in the currency of the row, and words that a spreadsheet translated", async () => {
    await read(await shop.admin("PATCH", "/api/admin/site", { currency: "JPY" }));
    const report = await read<Report>(
      await send("title;priceDecimal;excludedFromWithdrawal;;\nA;1.500;WAHR;;\n;;;;\nB;300;FALSCH;;\n", ""),
    );
    assert.deepEqual([report.created, report.errors], [2, []]);
    assert.deepEqual(
      (await products()).map(({ title, price, excludedFromWithdrawal }) => [
        title,
        price,
        excludedFromWithdrawal,
      ]),
      [
        ["B", 300, false],
        ["A", 1_500, true],
      ],
    );
  });

  it("refuses a long number that a spreadsheet shortened", async () => {
    const { errors } = await read<Report>(await send("title;price;sku\nA;1;4,00638E+12\n"));
    assert.match(errors[0]?.message ?? "", /sku: a spreadsheet shortened/u);
  });
});

describe("an export in decimals", () => {
  it("has decimal points with commas, decimal commas with semicolons, and is imported as it was", async () => {
    await read(await post("", await bytesOf(join(FILES, "comma-utf-8.csv"))));
    const before = await products();
    for (const [separator, price] of [
      ["comma", ",12.50,1234.50,"],
      ["semicolon", ';"12,50";"1234,50";'],
      ["tab", "\t12.50\t1234.50\t"],
    ] as const) {
      const query = `?prices=decimal&separator=${separator}`;
      const bytes = new Uint8Array(await (await shop.admin("GET", `${PATH}/export${query}`)).arrayBuffer());
      const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
      assert.equal(text.startsWith("\ufeffid"), true);
      assert.equal(text.includes(price), true, text);
      const report = await read<Report>(await post("", bytes));
      assert.deepEqual([report.created, report.updated, report.errors], [0, 2, []]);
    }
    assert.deepEqual(withoutVersions(await products()), withoutVersions(before));
  });
});

function withoutVersions(all: readonly Product[]): unknown[] {
  return all.map(({ version: _version, updatedAt: _updatedAt, ...rest }) => rest);
}

const soffice = findProgram("soffice");
const skip = soffice === undefined && tellSkipped("soffice is not in PATH (apt install libreoffice-calc)");

describe("LibreOffice in a German locale", { skip }, () => {
  const run = promisify(execFile);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "trivet-soffice-"));
    await mkdir(join(folder, "profile", "user"), { recursive: true });
    await writeFile(
      join(folder, "profile", "user", "registrymodifications.xcu"),
      `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>de-DE</value></prop></item>
</oor:items>`,
    );
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** What LibreOffice saves of a file that it opened: `opened` and `saved` are the options of its CSV filter. */
  async function saveAgain(
    bytes: Uint8Array,
    opened: string,
    saved: string,
  ): Promise<Uint8Array<ArrayBuffer>> {
    await writeFile(join(folder, "in.csv"), bytes);
    await run(soffice ?? "", [
      `-env:UserInstallation=file://${folder}/profile`,
      "--headless",
      `--infilter=Text - txt - csv (StarCalc):${opened}`,
      "--convert-to",
      `csv:Text - txt - csv (StarCalc):${saved}`,
      "--outdir",
      join(folder, "out"),
      join(folder, "in.csv"),
    ]);
    return bytesOf(join(folder, "out", "in.csv"));
  }

  it("saves an export as Windows-1252 with semicolons, and its import changes nothing", async () => {
    await read(
      await shop.admin("POST", PATH, {
        title: '=Größe; "Tasse"',
        description: "Zwei\nZeilen, 0,3 l",
        price: 123_450,
        compareAtPrice: 200_000,
        tags: ["grün", "a|b"],
        excludedFromWithdrawal: true,
        translations: { de: { title: "Tasse – 5 €" } },
        onHand: 7,
        sku: "00123",
      }),
      201,
    );
    await read(
      await shop.admin("POST", PATH, {
        title: "Hemd",
        variants: [
          { sku: "4006381333931", price: 1_250, options: { Größe: "XL" }, onHand: 3 },
          { sku: "1-2", price: 999, options: { Größe: "S" }, onHand: 0 },
        ],
      }),
      201,
    );
    const earlier = await products();
    // German, quoted cells as text, special numbers detected; all columns as they come but those of the skus, which are text.
    for (const [query, opened] of [
      ["?prices=decimal&separator=semicolon", "59,34,76,1,12/2/29/2,1031,false,true"],
      ["", "44,34,76,1,12/2/29/2,1031,false,true"],
    ] as const) {
      const bytes = new Uint8Array(await (await shop.admin("GET", `${PATH}/export${query}`)).arrayBuffer());
      const saved = await saveAgain(bytes, opened, "59,34,1,1,,1031,false,true,false");
      const report = await read<Report>(await post("", saved));
      assert.deepEqual([report.created, report.updated, report.errors], [0, 2, []]);
      assert.deepEqual([report.read.encoding, report.read.separator], ["windows-1252", ";"]);
      assert.deepEqual(withoutVersions(await products()), withoutVersions(earlier));
    }
  });
});
