/** CSV as spreadsheets of many countries save it: separators, encodings, line ends, and what is not guessed. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { csvStyles, toCsvLine } from "../../../src/kit/files/csv-line.ts";
import { readCsv } from "../../../src/kit/files/csv.ts";
import { type Encoding, decodeText, encodings } from "../../../src/kit/files/decode-text.ts";
import { AppError } from "../../../src/kit/errors.ts";

const utf8 = new TextEncoder();

/** Text in a code page, by asking the decoder for each byte. */
function encode(text: string, encoding: Encoding): Uint8Array {
  if (encoding === "utf-16le" || encoding === "utf-16be") {
    const bytes = new Uint8Array(text.length * 2);
    const view = new DataView(bytes.buffer);
    for (let at = 0; at < text.length; at += 1)
      view.setUint16(at * 2, text.charCodeAt(at), encoding === "utf-16le");
    return bytes;
  }
  const byteOf = new Map(
    Array.from(
      { length: 255 },
      (_, byte) => [decodeText(new Uint8Array([byte + 1]), encoding).text, byte + 1] as const,
    ),
  );
  return new Uint8Array(
    Array.from(text, (letter) => {
      const byte = byteOf.get(letter);
      assert.ok(byte !== undefined, `${letter} is not in ${encoding}`);
      return byte;
    }),
  );
}

interface Read {
  readonly encoding: string;
  readonly separator: string;
  readonly rows: (readonly string[])[];
  readonly lines: number[];
}

async function readAll(bytes: Uint8Array, options: Parameters<typeof readCsv>[1] = {}): Promise<Read> {
  const file = readCsv(bytes, options);
  const rows: (readonly string[])[] = [];
  const lines: number[] = [];
  for await (const { cells, line } of file.rows) {
    rows.push(cells);
    lines.push(line);
  }
  return { encoding: file.encoding, separator: file.separator, rows, lines };
}

async function refusalOf(bytes: Uint8Array, options: Parameters<typeof readCsv>[1] = {}): Promise<string> {
  try {
    const { encoding, separator } = await readAll(bytes, options);
    return `read as ${encoding} with ${separator}`;
  } catch (error) {
    assert.ok(error instanceof AppError);
    assert.equal(error.code, "bad_request");
    return error.message;
  }
}

describe("toCsvLine", () => {
  it("quotes what a spreadsheet would run, also behind line feeds and blanks, and reads it back", async () => {
    for (const cell of ["=1+1", "\n=1+1", "  =1+1", "\r\n@a", "\t-1", "\u00a0+1"]) {
      const line = toCsvLine([cell]);
      assert.match(line, /^"?'/u, JSON.stringify(cell));
      assert.deepEqual((await readAll(utf8.encode(line))).rows, [[cell]]);
    }
    assert.equal(toCsvLine([" plain", -1]), '" plain",-1\r\n');
  });

  it("is read back in every style", async () => {
    const cells = ["a;b", "c,d", "e\tf", 'g "h"', "i\nj", "12,50", "k|l"];
    for (const style of Object.values(csvStyles)) {
      const read = await readAll(utf8.encode(toCsvLine(["name", ...cells], style)), {
        isHeader: (cell) => cell === "name",
      });
      assert.deepEqual(read.rows, [["name", ...cells]], style.separator);
    }
  });
});

describe("readCsv", () => {
  const rows = [
    ["Name", "Note", "Price"],
    ["Größe", 'a, b; c | d\te "f"', "12,50"],
    ["Öl", "two\nlines", "1.234,50"],
  ];
  const quote = (cell: string): string =>
    /[",;|\t\r\n]/u.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

  it("recognizes separators, line ends and encodings in every combination", async () => {
    for (const separator of [",", ";", "\t", "|"])
      for (const end of ["\r\n", "\n", "\r"])
        for (const mark of ["", "\ufeff"])
          for (const encoding of ["utf-8", "utf-16le", "utf-16be", "windows-1252"] as const) {
            if (encoding === "windows-1252" && mark !== "") continue;
            const text = mark + rows.map((row) => row.map(quote).join(separator)).join(end) + end;
            const bytes = encoding === "utf-8" ? utf8.encode(text) : encode(text, encoding);
            const read = await readAll(bytes);
            const what = JSON.stringify([separator, end, mark, encoding]);
            assert.deepEqual([read.encoding, read.separator], [encoding, separator], what);
            assert.deepEqual(read.rows, rows, what);
          }
  });

  it("numbers lines through line ends inside cells, empty rows and a first line sep=", async () => {
    const text = 'sep=;\r\na;b\r\n"1\n2";x\r\n;;\r\n\r\n3;y\r\n';
    const { rows: cells, lines, separator } = await readAll(utf8.encode(text));
    assert.equal(separator, ";");
    assert.deepEqual(cells, [
      ["a", "b"],
      ["1\n2", "x"],
      ["3", "y"],
    ]);
    assert.deepEqual(lines, [2, 3, 7]);
  });

  it("takes sep= for a separator against all appearance", async () => {
    assert.deepEqual((await readAll(utf8.encode("sep=|\na,b|c,d\n"))).rows, [["a,b", "c,d"]]);
    assert.deepEqual((await readAll(utf8.encode('"sep=;"\na,b;c\n'))).rows, [["a,b", "c"]]);
    assert.deepEqual((await readAll(encode("\ufeffSEP=;\na;b\n", "utf-16le"))).rows, [["a", "b"]]);
  });

  it("prefers the names of columns to commas in them", async () => {
    const text = "title, long;price\nMug, red;12,50\n";
    const isHeader = (cell: string): boolean => cell === "price";
    assert.equal((await readAll(utf8.encode(text), { isHeader })).separator, ";");
  });

  it("reads one column as one", async () => {
    for (const text of ["code\nAAAA-BBBB\n", "AAAA", "a\nb;c\n", '"a;b"\n"c,d"\n'])
      assert.equal((await readAll(utf8.encode(text))).rows[0]?.length, 1, text);
  });

  it("asks where separators fit equally well", async () => {
    assert.match(await refusalOf(utf8.encode("a,b;c\nd,e;f\n")), /separator .* not certain.*sep=;/u);
    assert.equal((await readAll(utf8.encode("a,b;c\nd,e;f\ng;h\n"))).separator, ";");
  });

  it("names the line of a quotation mark in a wrong place", async () => {
    assert.match(await refusalOf(utf8.encode('a;b\nc;d\nMonitor 24";e\n')), /at line 3: a quotation mark/u);
    assert.match(await refusalOf(utf8.encode('a;b\n"c;d\n')), /at line \d: a quoted cell is not closed/u);
  });

  it("does not guess among code pages that look alike, and reads them by name", async () => {
    const texts: [Encoding, string][] = [
      ["windows-1250", "nazwa;cena\nżółta łódź;12,50\nkubek mały;9\n"],
      ["windows-1251", "название;цена\nКружка большая;12,50\n"],
      ["macintosh", "Name;Preis\nGröße;12,50\nSüßes Öl;9\n"],
    ];
    for (const [encoding, text] of texts) {
      const bytes = encode(text, encoding);
      assert.match(await refusalOf(bytes), /encoding of the file could not be detected\. Save/u, encoding);
      const read = await readAll(bytes, { encoding });
      assert.equal(read.rows.map((row) => row.join(";")).join("\n"), text.trim(), encoding);
    }
  });

  it("knows text of Western Europe, also where few letters say so", async () => {
    for (const text of [
      "m²K;5 °C\n",
      "été;à\n",
      "“Ärger” – 5 €;Œuvre\n",
      "CAFÉ®;naïve\n",
      "½ l;Ångström\n",
      "¿qué?;año\n",
    ])
      assert.equal((await readAll(encode(text, "windows-1252"))).encoding, "windows-1252", text);
  });

  it("recognizes GBK, as Excel saves it in China", async () => {
    // "名称,价格\n马克杯,12.50\n" in GBK.
    const bytes = new Uint8Array([
      0xc3, 0xfb, 0xb3, 0xc6, 0x2c, 0xbc, 0xdb, 0xb8, 0xf1, 0x0a, 0xc2, 0xed, 0xbf, 0xcb, 0xb1, 0xad, 0x2c,
      0x31, 0x32, 0x2e, 0x35, 0x30, 0x0a,
    ]);
    const { rows: cells, encoding } = await readAll(bytes);
    assert.equal(encoding, "gb18030");
    assert.deepEqual(cells, [
      ["名称", "价格"],
      ["马克杯", "12.50"],
    ]);
  });

  it("says what a file is that is no text, or only half one", async () => {
    assert.match(await refusalOf(utf8.encode("PK\u0003\u0004…")), /workbook or an archive/u);
    assert.match(await refusalOf(new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 1])), /Excel workbook/u);
    assert.match(await refusalOf(new Uint8Array([0xff, 0xfe, 0x61])), /not valid utf-16le/u);
    assert.match(await refusalOf(new Uint8Array([0, 1, 2, 0, 0xff])), /could not be detected/u);
    const joined = new Uint8Array([...utf8.encode("Größe;Öl;Süß\n"), ...encode("Größe\n", "windows-1252")]);
    assert.match(await refusalOf(joined), /Parts of the file are not valid UTF-8/u);
    assert.match(
      await refusalOf(encode("Größe\n", "windows-1252"), { encoding: "utf-8" }),
      /not valid utf-8/u,
    );
  });

  it("decodes every encoding that a sender can name, on every runtime", () => {
    for (const encoding of encodings) {
      const letter = { "utf-16le": [0x61, 0], "utf-16be": [0, 0x61] }[encoding as string] ?? [0x61];
      assert.equal(decodeText(new Uint8Array(letter), encoding).text, "a", encoding);
    }
    assert.equal(decodeText(new Uint8Array([0x80, 0x93, 0x96, 0xe4]), "windows-1252").text, "€“–ä");
  });
});
