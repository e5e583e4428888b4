import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toCsvLine } from "../../../src/kit/files/csv-line.ts";
import { readCsv } from "../../../src/shop/transfer/csv.ts";

describe("toCsvLine", () => {
  it("quotes what a spreadsheet would run, also behind line feeds and blanks, and reads it back", async () => {
    for (const cell of ["=1+1", "\n=1+1", "  =1+1", "\r\n@a", "\t-1", "\u00a0+1"]) {
      const line = toCsvLine([cell]);
      assert.match(line, /^"?'/u, JSON.stringify(cell));
      for await (const { cells } of readCsv(new TextEncoder().encode(line))) assert.deepEqual(cells, [cell]);
    }
    assert.equal(toCsvLine([" plain", -1]), '" plain",-1\r\n');
  });
});
